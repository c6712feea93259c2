import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openStore, type Store } from '../../src/store/store.ts';

/** Runs `body` with an empty folder, and removes it with all that was put there. */
export async function inTemporaryFolder<T>(body: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'acequia-store-'));
  try {
    return await body(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs `body` with a new store that holds the companies 1 and 2. */
export function withStore<T>(body: (store: Store, file: string) => Promise<T>): Promise<T> {
  return inTemporaryFolder(async (folder) => {
    const file = join(folder, 'acequia.db');
    const store = await openStore({ file });
    try {
      await store.writeAll((db) =>
        db
          .insertInto('companies')
          .values([{ name: 'Mas Rouge' }, { name: 'Mas Bleu' }])
          .execute(),
      );
      return await body(store, file);
    } finally {
      await store.close();
    }
  });
}

/** The tables of the file, but for those of SQLite and of the migrations. */
export async function tableNames(store: Store): Promise<string[]> {
  const { rows } = await store.readAll((db) =>
    sql<{ name: string }>`select name from sqlite_schema where type = 'table'`.execute(db),
  );
  return rows.map(({ name }) => name).filter((name) => !/^(sqlite|kysely)_/.test(name));
}
