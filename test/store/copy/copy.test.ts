import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import fc from 'fast-check';
import { type Kysely, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { copiedTables } from '../../../src/store/copy/copied-tables.ts';
import {
  type CopyMonitor,
  compareStores,
  copyStore,
  openTarget,
} from '../../../src/store/copy/copy.ts';
import { claimTarget } from '../../../src/store/copy/copy-claim.ts';
import { copyTables } from '../../../src/store/copy/table-copies.ts';
import { serviceSecret } from '../../../src/store/keys/secrets.ts';
import { companyTables } from '../../../src/store/scope/company-scope-rules.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import type { Tables } from '../../../src/store/tables.ts';
import { isDeepRun, propertyRuns } from '../../property-runs.ts';
import { newDatabase } from '../../stores/postgres.ts';
import { makeFirstStore } from '../first-store/first-store.ts';
import { fillFarm, wateringRow } from '../sample-rows.ts';
import {
  inTemporaryFolder,
  server,
  tableNames,
  withDatabase,
  withStore,
} from '../temporary-stores.ts';

/** Longer than a copy of two small farms takes on a busy machine, in ms. */
const PATIENCE = 60_000;

function recordProgress(stopAfter = Number.POSITIVE_INFINITY): CopyMonitor {
  const stopping = new AbortController();
  let read = 0;
  if (stopAfter === 0) stopping.abort();
  return {
    onStep: () => undefined,
    onRows: (count) => {
      read += count;
      if (read >= stopAfter) stopping.abort();
    },
    signal: stopping.signal,
  };
}

/**
 * Keys that databases could sort differently: by case, accent, language, and beyond the first
 * 65,536 characters.
 */
const KEYS = ['Zoé', 'a', 'é', 'E', 'ß', '\uff5e', '😀', ' ', '"', "'", '\\'];
/** Small and large numbers, and some without a short decimal form. */
const VALUES = [1e-15, 1e300, -1e300, 0.1 + 0.2, 1 / 3, 123456789012345680];

async function fillBothCompanies(store: Store): Promise<void> {
  await serviceSecret(store, 'request-state');
  await store.write(1, (db) => fillFarm(db, 'rouge'));
  await store.write(2, async (db) => {
    await fillFarm(db, 'bleu');
    const answer = {
      caller: 'owner',
      operation: 'o',
      fingerprint: 'f',
      body: '{}',
      advisories: '[]',
      created_at: 0,
    };
    await db
      .insertInto('idempotency')
      .values(KEYS.map((key) => ({ ...answer, key })))
      .execute();
    await db
      .insertInto('readings')
      .values(VALUES.map((value, index) => ({ sensor_id: 9, at: index, value })))
      .execute();
  });
}

async function rowsByTable(store: Store): Promise<Record<string, unknown[]>> {
  const contents: Record<string, unknown[]> = {};
  await store.readAll(async (db) => {
    for (const { name, key } of copiedTables) {
      const order = sql.raw(
        [...(companyTables.has(name) ? ['company_id'] : []), ...key].join(', '),
      );
      contents[name] = (
        await sql`select * from ${sql.table(name)} order by ${order}`.execute(db)
      ).rows;
    }
  });
  return contents;
}

async function withOpenStore<T>(db: string, body: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ db });
  try {
    return await body(store);
  } finally {
    await store.close();
  }
}

const newFile = <T>(body: (db: string) => Promise<T>): Promise<T> =>
  inTemporaryFolder((folder) => body(join(folder, 'copy.db')));

async function newDatabaseLocation<T>(body: (db: string) => Promise<T>): Promise<T> {
  const { db, remove } = await newDatabase('nothing');
  try {
    return await body(db);
  } finally {
    await remove();
  }
}

const addWatering = (db: Kysely<Tables>, note: string) =>
  db
    .insertInto('waterings')
    .values({ ...wateringRow(1, note, 3000), company_id: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();

const sources = { 'a file': withStore, 'a database': withDatabase };
const targets = { 'a file': newFile, 'a database': newDatabaseLocation };
const kinds = ['a file', 'a database'] as const;
/** Copies from a file to a file are the property below. */
const ways = kinds.flatMap((from) =>
  kinds.flatMap((to) => (isDeepRun || from !== to ? [{ from, to }] : [])),
);

describe.each(ways)('from $from to $to', ({ from, to }) => {
  const isHere = server !== null || (from === 'a file' && to === 'a file');

  it.skipIf(!isHere)(
    'copies every row with its id, and continues the sequences of ids',
    { timeout: PATIENCE },
    () =>
      sources[from](async (store, source) => {
        await fillBothCompanies(store);
        const { id: gone } = await store.writeAll((db) => addWatering(db, 'gone'));
        await store.writeAll((db) => db.deleteFrom('waterings').where('id', '=', gone).execute());
        await targets[to](async (target) => {
          const { differences, checksums } = await copyStore(
            { from: source, to: target },
            recordProgress(),
          );
          expect(differences).toEqual([]);
          expect(checksums.every(({ rows }) => rows > 0)).toBe(true);
          await withOpenStore(target, async (copy) => {
            expect(await rowsByTable(copy)).toEqual(await rowsByTable(store));
            expect((await copy.writeAll((db) => addWatering(db, 'next'))).id).toBeGreaterThan(gone);
          });
        });
      }),
  );

  it.skipIf(!isHere)(
    'continues where it stopped, with changes of the source since',
    { timeout: PATIENCE },
    () =>
      sources[from](async (store, source) => {
        await fillBothCompanies(store);
        await targets[to](async (target) => {
          const ends = { from: source, to: target };
          await expect(copyStore(ends, recordProgress(25))).rejects.toMatchObject({
            name: 'AbortError',
          });
          await expect(openStore({ db: target })).rejects.toMatchObject({
            code: 'STORE_UNAVAILABLE',
            message: expect.stringContaining('unfinished copy'),
          });
          await store.writeAll(async (db) => {
            await addWatering(db, 'added');
            await db
              .updateTable('users')
              .set({ name: 'Anna' })
              .where('company_id', '=', 1)
              .execute();
            await db.deleteFrom('soil_layers').where('company_id', '=', 2).execute();
            await db
              .updateTable('readings')
              .set({ value: 7 })
              .where('company_id', '=', 1)
              .execute();
          });
          expect((await copyStore(ends, recordProgress())).differences).toEqual([]);
          await withOpenStore(target, async (copy) =>
            expect(await rowsByTable(copy)).toEqual(await rowsByTable(store)),
          );
        });
      }),
  );
});

it('deletes rows that the source no longer has', { timeout: PATIENCE }, () =>
  withStore(async (store, source) => {
    await fillBothCompanies(store);
    await newFile(async (target) => {
      const ends = { from: source, to: target };
      const all = Object.values(await rowsByTable(store)).reduce(
        (sum, rows) => sum + rows.length,
        0,
      );
      await expect(copyStore(ends, recordProgress(all))).rejects.toMatchObject({
        name: 'AbortError',
      });
      await store.writeAll(async (db) => {
        const last = db.selectFrom('waterings').select((eb) => eb.fn.max('id').as('id'));
        await db.deleteFrom('waterings').where('id', '=', last).execute();
        await db.deleteFrom('readings').where('sensor_id', '=', 9).where('at', '>', 3).execute();
      });
      expect((await copyStore(ends, recordProgress())).differences).toEqual([]);
      await withOpenStore(target, async (copy) =>
        expect(await rowsByTable(copy)).toEqual(await rowsByTable(store)),
      );
    });
  }),
);

it('copies everything except leases, rounds of jobs, folders of backups and counts of changes', () =>
  withStore(async (store) => {
    const names = await tableNames(store);
    const notCopied = ['leases', 'job_rounds', 'backup_folders', 'change_counts'];
    expect([...copiedTables.map(({ name }) => name), ...notCopied].sort()).toEqual(names.sort());
  }));

const changes: Record<string, (db: Kysely<Tables>) => Promise<unknown>> = {
  'a watering more': (db) => addWatering(db, 'more'),
  'a watering less': (db) => db.deleteFrom('waterings').where('id', '=', 1).execute(),
  'other words': (db) => db.updateTable('parcels').set({ type: 'vine' }).execute(),
  'another name': (db) =>
    db.updateTable('companies').set({ name: 'Mas Vert' }).where('id', '=', 2).execute(),
  'a late reading': (db) =>
    db.insertInto('readings').values({ company_id: 1, sensor_id: 0, at: 5, value: 1 }).execute(),
  'no readings': (db) => db.deleteFrom('readings').where('company_id', '=', 2).execute(),
  'another secret': (db) => db.updateTable('secrets').set({ value: 's' }).execute(),
  'another answer': (db) => db.updateTable('idempotency').set({ fingerprint: 'f' }).execute(),
};

it(
  'equals the final source, wherever it was stopped and whatever was written in between',
  {
    timeout: 2 * PATIENCE,
  },
  () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            stop: fc.nat({ max: 100 }),
            change: fc.constantFrom(...Object.keys(changes)),
          }),
          {
            maxLength: 4,
          },
        ),
        (runs) =>
          withStore(async (store, source) => {
            await fillBothCompanies(store);
            await newFile(async (target) => {
              let isWhole = false;
              for (const { stop, change } of runs) {
                isWhole = await copyStore({ from: source, to: target }, recordProgress(stop)).then(
                  () => true,
                  () => false,
                );
                if (isWhole) break;
                await store.writeAll(
                  async (db) => void (await changes[change]!(db).catch(() => undefined)),
                );
              }
              if (!isWhole) await copyStore({ from: source, to: target }, recordProgress());
              await withOpenStore(target, async (copy) =>
                expect(await rowsByTable(copy)).toEqual(await rowsByTable(store)),
              );
            });
          }),
      ),
      { numRuns: propertyRuns(15) },
    ),
);

it('copies a snapshot of a source that changes meanwhile', { timeout: PATIENCE }, () =>
  withStore(async (store, source) => {
    await fillBothCompanies(store);
    await newFile(async (target) => {
      const before = await rowsByTable(store);
      let written: Promise<unknown> | undefined;
      const onRows = (): void => {
        written ??= store.writeAll((db) => addWatering(db, 'meanwhile'));
      };
      const { differences } = await copyStore(
        { from: source, to: target },
        { ...recordProgress(), onRows },
      );
      expect(await written).toMatchObject({ id: expect.any(Number) });
      expect(differences).toEqual([]);
      await withOpenStore(target, async (copy) => expect(await rowsByTable(copy)).toEqual(before));
    });
  }),
);

describe('refuses, without changing anything,', () => {
  it('a target that is a store', () =>
    withStore((_, source) =>
      withStore(async (other, target) => {
        const before = await rowsByTable(other);
        await expect(copyStore({ from: source, to: target }, recordProgress())).rejects.toThrow(
          /already holds a store/,
        );
        await expect(copyStore({ from: source, to: source }, recordProgress())).rejects.toThrow(
          /already holds a store/,
        );
        expect(await rowsByTable(other)).toEqual(before);
        expect(await tableNames(other)).not.toContain('unfinished_copy');
      }),
    ));

  it('an unfinished copy of another store as the target, and any as the source', () =>
    withStore((_, source) =>
      withStore((__, other) =>
        newFile(async (target) => {
          await expect(
            copyStore({ from: source, to: target }, recordProgress(0)),
          ).rejects.toThrow();
          await expect(copyStore({ from: other, to: target }, recordProgress())).rejects.toThrow(
            `unfinished copy of another store, ${source}`,
          );
          await expect(
            copyStore({ from: target, to: `${target}2` }, recordProgress()),
          ).rejects.toThrow(/unfinished copy/);
          await expect(stat(`${target}2`)).rejects.toThrow();
        }),
      ),
    ));

  it('stores of an earlier version, and an empty source', () =>
    inTemporaryFolder(async (folder) => {
      const [current, earlier, empty] = ['current', 'earlier', 'empty'].map((name) =>
        join(folder, name),
      ) as [string, string, string];
      await withOpenStore(current, async () => undefined);
      await makeFirstStore(earlier);
      const database = new DatabaseSync(earlier);
      const applied = () =>
        database.prepare('select count(*) as count from kysely_migration').get();
      const before = applied();
      await writeFile(empty, '');
      const copying = (from: string, to: string) => copyStore({ from, to }, recordProgress());
      await expect(copying(earlier, join(folder, 'new'))).rejects.toThrow(/earlier Acequia/);
      await expect(copying(current, earlier)).rejects.toThrow(/already holds a store/);
      await expect(copying(empty, join(folder, 'new'))).rejects.toThrow(/is empty/);
      await expect(copying(join(folder, 'none'), join(folder, 'new'))).rejects.toThrow(/no store/);
      expect(applied()).toEqual(before);
      expect(await readdir(folder)).not.toContain('new');
      database.close();
    }));

  it('to continue once another run has taken over', () =>
    withStore(async (store, source) => {
      await fillBothCompanies(store);
      await newFile(async (target) => {
        const copy = await openTarget(target);
        const runs = ['first', 'second'].map((id) => ({ source, target, id }));
        for (const run of runs) await copy.writeAll((db) => claimTarget(db, run));
        const filled = store.readAll((db) =>
          copyTables(db, { store: copy, run: runs[0]!, state: 'empty' }, recordProgress()),
        );
        await expect(filled).rejects.toThrow(/Another run now writes/);
        expect(
          await copy.readAll((db) => db.selectFrom('companies').selectAll().execute()),
        ).toEqual([]);
        await copy.close();
        expect(
          (await copyStore({ from: source, to: target }, recordProgress())).differences,
        ).toEqual([]);
      });
    }));
});

async function plant(db: string, isServer: boolean): Promise<void> {
  await withOpenStore(db, (store) =>
    store.writeAll(async (all) => {
      const statements = isServer
        ? [
            `create function planted() returns trigger language plpgsql as 'begin new.note := ''other''; return new; end'`,
            'create trigger planted before insert on waterings for each row execute function planted()',
          ]
        : [
            `create trigger planted after insert on waterings begin
               update waterings set note = 'other' where id = new.id; end`,
          ];
      for (const statement of statements) await sql.raw(statement).execute(all);
    }),
  );
}

describe.each(kinds)('in %s', (kind) => {
  it.skipIf(kind === 'a database' && server === null)(
    'names the table in which the copy differs, and does not let it be served',
    { timeout: PATIENCE },
    () =>
      withStore(async (store, source) => {
        await fillBothCompanies(store);
        await targets[kind](async (target) => {
          await plant(target, kind === 'a database');
          const { differences } = await copyStore({ from: source, to: target }, recordProgress());
          expect(differences).toMatchObject([
            { table: 'waterings', source: { rows: 4 }, target: { rows: 4 } },
          ]);
          await expect(openStore({ db: target })).rejects.toThrow(/unfinished copy/);
        });
      }),
  );
});

it('compares two stores, table by table', () =>
  withStore(async (store, source) => {
    await fillBothCompanies(store);
    await newFile(async (target) => {
      const ends = { from: source, to: target };
      await copyStore(ends, recordProgress());
      expect((await compareStores(ends, recordProgress())).differences).toEqual([]);
      await store.writeAll(async (db) => {
        await db.updateTable('readings').set({ value: 21.5 }).where('company_id', '=', 2).execute();
        await addWatering(db, 'since');
      });
      const { differences } = await compareStores(ends, recordProgress());
      // Two waterings of each company, and one since; a reading of each, and the values.
      expect(differences).toMatchObject([
        { table: 'waterings', source: { rows: 5 }, target: { rows: 4 } },
        { table: 'readings', source: { rows: 8 }, target: { rows: 8 } },
      ]);
    });
  }));
