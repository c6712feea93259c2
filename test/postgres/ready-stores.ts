import { sql } from 'kysely';
import { openStore, type Store } from '../../src/store/store.ts';
import { emptyStore, type TestDatabase } from '../postgres.ts';

interface Ready extends TestDatabase {
  readonly store: Store;
}

/** Open stores in databases that wait for the next test: to connect takes longer than most of them. */
const ready: Ready[] = [];

async function opened(): Promise<Ready> {
  const database = await emptyStore();
  return { ...database, store: await openStore(database) };
}

/** Runs `body` with a store in a database that another test may have had. Its rows are those of `contents`, or none. */
export async function withReadyStore<T>(
  contents: string | null,
  body: (store: Store, db: string) => Promise<T>,
): Promise<T> {
  const taken = await filled(contents);
  try {
    return await body(taken.store, taken.db);
  } finally {
    ready.push(taken);
  }
}

/** One that cannot be filled, as where a test has closed it, goes. */
async function filled(contents: string | null): Promise<Ready> {
  const next = contents === null ? undefined : ready.pop();
  const taken = next ?? (await opened());
  if (contents === null) return taken;
  try {
    await taken.store.writeAll((all) => sql.raw(contents).execute(all));
    return taken;
  } catch (error) {
    await taken.store.close();
    await taken.remove();
    if (next === undefined) throw error;
    return filled(contents);
  }
}
