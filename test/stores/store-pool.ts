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
  const occupied = await acquireStore(contents);
  try {
    return await body(occupied.store, occupied.db);
  } finally {
    idleStores.push(occupied);
  }
}

/** A store that cannot be filled, for example because a test closed it, is dropped. */
async function acquireStore(contents: string | null): Promise<OpenStore> {
  const next = contents === null ? undefined : idleStores.pop();
  const occupied = next ?? (await openNewStore());
  if (contents === null) return occupied;
  try {
    await occupied.store.writeAll((all) => sql.raw(contents).execute(all));
    return occupied;
  } catch (error) {
    await occupied.store.close();
    await occupied.remove();
    if (next === undefined) throw error;
    return acquireStore(contents);
  }
}
