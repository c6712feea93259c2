import { sql } from 'kysely';
import { openStore, type Store } from '../../src/store/store.ts';
import { emptyStore, type TestDatabase } from './postgres.ts';

interface OpenStore extends TestDatabase {
  readonly store: Store;
}

/** Open stores in databases that wait for the next test: to connect takes longer than most of them. */
const idleStores: OpenStore[] = [];

async function openNewStore(): Promise<OpenStore> {
  const database = await emptyStore();
  return { ...database, store: await openStore(database) };
}

/** Runs `body` with a store in a database that another test may have had. Its rows are those of `contents`, or none. */
export async function withPooledStore<T>(
  contents: string | null,
  body: (store: Store, db: string) => Promise<T>,
): Promise<T> {
  const taken = await acquireStore(contents);
  try {
    return await body(taken.store, taken.db);
  } finally {
    idleStores.push(taken);
  }
}

/** One that cannot be filled, as where a test has closed it, goes. */
async function acquireStore(contents: string | null): Promise<OpenStore> {
  const next = contents === null ? undefined : idleStores.pop();
  const taken = next ?? (await openNewStore());
  if (contents === null) return taken;
  try {
    await taken.store.writeAll((all) => sql.raw(contents).execute(all));
    return taken;
  } catch (error) {
    await taken.store.close();
    await taken.remove();
    if (next === undefined) throw error;
    return acquireStore(contents);
  }
}
