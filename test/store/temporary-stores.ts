import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { describe } from 'vitest';
import { openStore, type Store } from '../../src/store/store.ts';
import type { CompanyDb } from '../../src/store/tables.ts';
import { emptyStore, postgresServer } from '../stores/postgres.ts';
import { emptyTemplateFile } from '../stores/template-stores.ts';

export async function inTemporaryFolder<T>(body: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'acequia-store-'));
  try {
    return await body(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const addCompanies = (store: Store) =>
  store.writeAll((db) =>
    db
      .insertInto('companies')
      .values([{ name: 'Mas Rouge' }, { name: 'Mas Bleu' }])
      .execute(),
  );

async function withStoreAt<T>(
  db: string,
  body: (store: Store, db: string) => Promise<T>,
): Promise<T> {
  const store = await openStore({ db });
  try {
    await addCompanies(store);
    return await body(store, db);
  } finally {
    await store.close();
  }
}

export type WithStore = <T>(body: (store: Store, db: string) => Promise<T>) => Promise<T>;

export const withStore: WithStore = (body) =>
  inTemporaryFolder(async (folder) => {
    const db = join(folder, 'acequia.db');
    await copyFile(await emptyTemplateFile(), db);
    return withStoreAt(db, body);
  });

export const withDatabase: WithStore = async (body) => {
  const { db, remove } = await emptyStore();
  try {
    return await withStoreAt(db, body);
  } finally {
    await remove();
  }
};

const OPENING = fileURLToPath(new URL('./without-migrations.mjs', import.meta.url));

/** Opens a store in another process; throws if it loads the migrations. */
export async function openWithoutMigrations(db: string): Promise<void> {
  // The arguments of this process let the other one import TypeScript.
  await promisify(execFile)(process.execPath, [...process.execArgv, OPENING, db]);
}

export const server = await postgresServer();

export function onEachStore(describing: (withStore: WithStore, isOnServer: boolean) => void): void {
  describe('on SQLite', () => describing(withStore, false));
  describe.skipIf(server === null)('on PostgreSQL', () => describing(withDatabase, true));
}

export async function tableNames(store: Store, isOnServer = false): Promise<string[]> {
  const { rows } = await store.readAll((db) =>
    isOnServer
      ? sql<{ name: string }>`select relname as name from pg_class
          where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition`.execute(
          db,
        )
      : sql<{ name: string }>`select name from sqlite_schema where type = 'table'`.execute(db),
  );
  return rows.map(({ name }) => name).filter((name) => !/^(sqlite|kysely)_/.test(name));
}

export const addParcel = (name: string) => (db: CompanyDb) =>
  db.insertInto('parcels').values({ name }).execute();

export const parcelNames = async (db: CompanyDb): Promise<string[]> =>
  (await db.selectFrom('parcels').select('name').orderBy('id').execute()).map(({ name }) => name);
