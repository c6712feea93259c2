import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { migrations } from '../../src/store/schema/migrations.ts';
import { openStore } from '../../src/store/store.ts';
import { rowsOf, withSecondStore } from '../stores/stores.ts';
import { withFirstStore } from './first-store/first-store.ts';
import { describeSchema } from './schema-description.ts';
import {
  inTemporaryFolder,
  onEachStore,
  openWithoutMigrations,
  withStore,
} from './temporary-stores.ts';

it('creates one store when several processes open a new file at the same time', () =>
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'new', 'deep', 'acequia.db');
    const stores = await Promise.all(Array.from({ length: 8 }, () => openStore({ db: file })));
    await stores[0]?.writeAll((db) =>
      db.insertInto('companies').values({ name: 'Mas Rouge' }).execute(),
    );
    for (const store of stores) {
      const companies = await store.readAll((db) =>
        db.selectFrom('companies').select('name').execute(),
      );
      expect(companies).toEqual([{ name: 'Mas Rouge' }]);
    }
    await Promise.all(stores.map((store) => store.close()));
  }));

it('opens a current file without loading the migrations', () =>
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'acequia.db');
    await (await openStore({ db: file })).close();
    await openWithoutMigrations(file);
    await expect(openWithoutMigrations(join(folder, 'new.db'))).rejects.toThrow(
      'The migrations were loaded.',
    );
  }));

it('refuses a file of a newer version, and says to update', () =>
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'acequia.db');
    await (await openStore({ db: file })).close();
    const database = new DatabaseSync(file);
    database.exec(
      "insert into kysely_migration values ('9999-from-the-future', '2199-01-01T00:00:00.000Z')",
    );
    database.close();
    await expect(openStore({ db: file })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('newer Acequia'),
      hint: expect.stringContaining('Update'),
    });
  }));

it('does not change a database of another program', () =>
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'other.db');
    const database = new DatabaseSync(file);
    database.exec('create table songs (title text)');
    await expect(openStore({ db: file })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('another program'),
    });
    expect(database.prepare('select name from sqlite_schema').all()).toEqual([{ name: 'songs' }]);
    expect(database.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'delete' });
    database.close();
  }));

it('turns an empty file into a store', () =>
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'empty.db');
    await writeFile(file, '');
    await (await openStore({ db: file })).close();
    await rm(file);
  }));

it.each([
  'alter table parcels add column slope text',
  'alter table parcels add column slope real default 0',
  "alter table parcels add constraint parcels_type check (type <> '')",
  'create index parcels_by_type on parcels (company_id, type)',
  'create table notes (id integer)',
])('describes two stores differently of which one has more: %s', (statement) =>
  withStore(async (store) => {
    const describe = () => store.readAll((all) => describeSchema(all, false));
    const before = await describe();
    await store.writeAll((all) => sql.raw(statement).execute(all));
    expect(await describe()).not.toEqual(before);
  }),
);

onEachStore((withStore, isOnServer) => {
  it('gives a store of the first version the schema of a new one', () =>
    withFirstStore(isOnServer, (db) =>
      withSecondStore(db, (migrated) =>
        withStore(async (fresh) => {
          const [described, expected] = await Promise.all(
            [migrated, fresh].map((store) =>
              store.readAll((all) => describeSchema(all, isOnServer)),
            ),
          );
          expect(described).toEqual(expected);
        }),
      ),
    ));

  it('migrates a store once when it is opened several times at once', () =>
    withFirstStore(isOnServer, async (db) => {
      const stores = await Promise.all(Array.from({ length: 4 }, () => openStore({ db })));
      await Promise.all(stores.map((store) => store.close()));
      const applied = await rowsOf<{ name: string }>(
        db,
        'select name from kysely_migration order by name',
      );
      expect(applied.map(({ name }) => name)).toEqual(Object.keys(migrations));
    }));

  it('keeps the rows of a store of the first version', () =>
    withFirstStore(isOnServer, async (db) => {
      expect(await rowsOf(db, 'select kind, alert_id as alert from outbox')).toEqual([
        { kind: 'fired', alert: 'b7f6' },
      ]);
      expect(
        await rowsOf(
          db,
          'select name, commissioning_is_assumed as assumed from modules order by id',
        ),
      ).toEqual([
        { name: 'North 1', assumed: 1 },
        { name: 'North 2', assumed: 1 },
      ]);
      expect(
        await rowsOf(db, 'select count, probes_version as version from change_counts'),
      ).toEqual([{ count: 7, version: null }]);
      expect(await rowsOf(db, 'select module_id as id from reading_versions order by 1')).toEqual([
        { id: 1 },
        { id: 2 },
      ]);
    }));

  it('never generates an id again, even of a deleted row', () =>
    withStore(async (store) => {
      const add = () =>
        store.write(1, (db) =>
          db
            .insertInto('parcels')
            .values({ name: 'North' })
            .returning('id')
            .executeTakeFirstOrThrow(),
        );
      const first = await add();
      await store.write(1, (db) => db.deleteFrom('parcels').execute());
      expect((await add()).id).toBe(first.id + 1);
    }));

  it('generates ids across companies, from 1', () =>
    withStore(async (store) => {
      const ids = [];
      for (const company of [1, 2, 1])
        ids.push(
          await store.write(company, (db) =>
            db
              .insertInto('parcels')
              .values({ name: `P${ids.length}` })
              .returning('id')
              .executeTakeFirstOrThrow(),
          ),
        );
      expect(ids).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    }));
});
