import { describe, expect, it } from 'vitest';
import { migrations } from '../../../src/store/schema/migrations.ts';
import { openStore } from '../../../src/store/store.ts';
import { announceMigrations } from '../../../src/store/upgrade-settings.ts';
import { newDatabase } from '../../stores/postgres.ts';
import { queryOnce } from '../../stores/postgres-server.ts';
import { withFirstStore } from '../first-store/first-store.ts';
import { openWithoutMigrations, server } from '../temporary-stores.ts';

async function inDatabase(
  what: 'nothing' | 'tables',
  body: (db: string) => Promise<void>,
): Promise<void> {
  const { db, remove } = await newDatabase(what);
  try {
    await body(db);
  } finally {
    await remove();
  }
}

describe.skipIf(server === null)('a database', () => {
  it('becomes one store when several processes open it at the same time', () =>
    inDatabase('nothing', async (db) => {
      const stores = await Promise.all(Array.from({ length: 6 }, () => openStore({ db })));
      await stores[0]!.writeAll((all) =>
        all.insertInto('companies').values({ name: 'Mas Rouge' }).execute(),
      );
      for (const store of stores) {
        const companies = await store.readAll((all) =>
          all.selectFrom('companies').select('name').execute(),
        );
        expect(companies).toEqual([{ name: 'Mas Rouge' }]);
        await store.close();
      }
    }));

  it('is opened without loading the migrations if it is current', () =>
    inDatabase('tables', (db) => openWithoutMigrations(db)));

  it('of a newer version is refused, and the hint says to update', () =>
    inDatabase('tables', async (db) => {
      await queryOnce(
        db,
        "insert into kysely_migration values ('9999-from-the-future', '2199-01-01T00:00:00.000Z')",
      );
      await expect(openStore({ db })).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
        message: expect.stringContaining('newer Acequia'),
        hint: expect.stringContaining('Update'),
      });
    }));

  it('of an earlier version is upgraded, and each migration is named', () =>
    withFirstStore(true, async (db) => {
      const named: string[] = [];
      announceMigrations((name) => named.push(name));
      try {
        await (await openStore({ db })).close();
      } finally {
        announceMigrations(() => undefined);
      }
      expect(named).toEqual(Object.keys(migrations).slice(1));
    }));

  it('of another program is not changed', () =>
    inDatabase('nothing', async (db) => {
      await queryOnce(db, 'create table songs (title text)');
      const refused = {
        code: 'STORE_UNAVAILABLE',
        message: expect.stringContaining('another program'),
      };
      await expect(openStore({ db })).rejects.toMatchObject(refused);
      await queryOnce(
        db,
        'create table kysely_migration (name text); insert into kysely_migration values ($$2020-songs$$)',
      );
      await expect(openStore({ db })).rejects.toMatchObject(refused);
      const tables = await queryOnce(
        db,
        "select relname from pg_class where relnamespace = 'public'::regnamespace order by 1",
      );
      expect(tables).toEqual([{ relname: 'kysely_migration' }, { relname: 'songs' }]);
    }));

  it('stays readable for programs that have it open while a newer one changes its tables', () =>
    inDatabase('tables', async (db) => {
      const store = await openStore({ db });
      try {
        await store.writeAll((all) =>
          all.insertInto('companies').values({ name: 'Mas Rouge' }).execute(),
        );
        const read = () =>
          store.readAll((all) => all.selectFrom('companies').selectAll().execute());
        // Often enough for the server to cache the plan on every connection.
        for (let round = 0; round < 6; round++) await Promise.all(Array.from({ length: 6 }, read));
        await queryOnce(db, 'alter table companies add column motto text');
        const rounds = await Promise.all(Array.from({ length: 6 }, read));
        expect(rounds.every(([company]) => company?.name === 'Mas Rouge')).toBe(true);
      } finally {
        await store.close();
      }
    }));

  it('begins keys and indexes with the company, except those across companies', () =>
    inDatabase('tables', async (db) => {
      const indexes = await queryOnce(
        db,
        `select i.relname as name, a.attname as first, x.indisunique as unique, exists (
             select 1 from unnest(x.indkey) k join pg_attribute c on c.attrelid = t.oid and c.attnum = k
               where c.attname = 'company_id') as company
           from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
             join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0]
           where t.relnamespace = 'public'::regnamespace and not t.relispartition
             and exists (select 1 from pg_attribute o where o.attrelid = t.oid and o.attname = 'company_id')`,
      );
      expect(indexes.length).toBeGreaterThan(30);
      const others = indexes
        .filter(({ first }) => first !== 'company_id')
        .map(({ name }) => String(name));
      expect(others.filter((name) => !name.endsWith('_alone'))).toEqual([
        'outbox_by_attempt',
        'outbox_undelivered',
      ]);
      // Unique indexes include the company, so a table can be partitioned by it.
      expect(indexes.filter(({ unique, company }) => unique && !company)).toEqual([]);
    }));
});
