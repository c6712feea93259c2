import { sql } from 'kysely';
import { openStore, type Store } from '../../src/store/store.ts';
import { emptyStore, type TestDatabase } from './postgres.ts';

interface OpenStore extends TestDatabase {
  readonly store: Store;
}

/** Open stores for reuse: to connect takes longer than most tests. */
const idleStores: OpenStore[] = [];

async function openNewStore(): Promise<OpenStore> {
  const database = await emptyStore();
  return { ...database, store: await openStore(database) };
}

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

/** A store that cannot be filled, for example because a test closed it, is dropped. */
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
