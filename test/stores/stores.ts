import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { type Kysely, sql } from 'kysely';
import { expect } from 'vitest';
import { openStore, type Store } from '../../src/store/store.ts';
import type { Tables } from '../../src/store/tables.ts';
import { isDeepRun } from '../property-runs.ts';
import { copyOfDatabase, emptyStore, isPostgresProject, lacksPostgres } from './postgres.ts';

export const isOnPostgres: boolean = isPostgresProject && !lacksPostgres;

/** SQLite shows at a lower cost what follows from the rows, whatever statements read them. */
export const triesEveryRule: boolean = isDeepRun || !isOnPostgres;

export interface StoreLocation {
  readonly db: string;
  remove(): Promise<void>;
}

export async function newLocation(): Promise<StoreLocation> {
  if (isOnPostgres) return emptyStore();
  return newFile();
}

async function newFile(): Promise<StoreLocation> {
  const folder = await mkdtemp(join(tmpdir(), 'acequia-store-'));
  return {
    db: join(folder, 'farm.db'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

export async function copyStoreAt(db: string): Promise<StoreLocation> {
  if (isOnPostgres) return copyOfDatabase(db);
  const place = await newFile();
  await copyFile(db, place.db);
  return place;
}

export async function withSecondStore<T>(
  db: string,
  body: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await openStore({ db });
  try {
    return await body(store);
  } finally {
    await store.close();
  }
}

export const rowsOf = <Row = Record<string, unknown>>(db: string, query: string): Promise<Row[]> =>
  withSecondStore(db, (store) =>
    store.readAll(async (all) => (await sql.raw<Row>(query).execute(all)).rows),
  );

export const executeStatements = (db: string, ...statements: readonly string[]): Promise<void> =>
  withSecondStore(db, (store) => executeInOneWrite(store, statements));

const executeInOneWrite = (store: Store, statements: readonly string[]): Promise<void> =>
  store.writeAll(async (all) => {
    for (const statement of statements) await sql.raw(statement).execute(all);
  });

export async function whileInsertsFail(
  store: Store,
  table: string,
  body: () => Promise<unknown>,
): Promise<void> {
  const [addTrigger, dropTrigger] = isOnPostgres
    ? [
        [
          `create function planted() returns trigger language plpgsql as 'begin raise exception ''planted''; end'`,
          `create trigger planted before insert on ${table} execute function planted()`,
        ],
        ['drop function planted cascade'],
      ]
    : [
        [
          `create trigger planted before insert on ${table} begin select raise(abort, 'planted'); end`,
        ],
        ['drop trigger planted'],
      ];
  await executeInOneWrite(store, addTrigger);
  try {
    await body();
  } finally {
    await executeInOneWrite(store, dropTrigger);
  }
}

export async function companyTableNamesOf(db: string): Promise<string[]> {
  const query = isOnPostgres
    ? `select table_name as name from information_schema.columns c join information_schema.tables using (table_schema, table_name)
         where table_schema = current_schema() and column_name = 'company_id' and table_type = 'BASE TABLE' order by 1`
    : `select m.name from sqlite_master m, pragma_table_info(m.name) c
         where m.type = 'table' and c.name = 'company_id' order by 1`;
  return (await rowsOf<{ name: string }>(db, query)).map(({ name }) => name);
}

export async function storedContents(db: string): Promise<string> {
  if (!isOnPostgres) return readFile(db, 'latin1');
  const rows: unknown[] = [];
  for (const table of await companyTableNamesOf(db))
    rows.push(await rowsOf(db, `select * from ${table}`));
  return JSON.stringify(rows);
}

export async function expectNoFaults(db: string): Promise<void> {
  if (isOnPostgres) return;
  const [integrity, keys] = [
    await rowsOf(db, 'pragma integrity_check'),
    await rowsOf(db, 'pragma foreign_key_check'),
  ];
  expect({ integrity, keys }).toEqual({ integrity: [{ integrity_check: 'ok' }], keys: [] });
}

export async function detectsWrites(
  store: Store,
  db: string,
  body: () => Promise<unknown>,
): Promise<boolean> {
  if (isOnPostgres) {
    const before = await store.readAll(rowVersions);
    await body();
    return (await store.readAll(rowVersions)) !== before;
  }
  const otherConnection = new DatabaseSync(db, { readOnly: true });
  const version = () => otherConnection.prepare('pragma data_version').get()!.data_version;
  try {
    const before = version();
    await body();
    return version() !== before;
  } finally {
    otherConnection.close();
  }
}

/** Changes with every inserted, updated or deleted row. */
async function rowVersions(all: Kysely<Tables>): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select oid::regclass::text as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'r' order by 1`.execute(
    all,
  );
  const counted = tables.map(
    ({ name }) =>
      `select '${name}' as name, string_agg(xmin::text || ctid::text, ' ' order by ctid) as rows from ${name}`,
  );
  return JSON.stringify(
    (await sql.raw(`${counted.join(' union all ')} order by name`).execute(all)).rows,
  );
}
