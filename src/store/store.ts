import { openSqliteStore } from './sqlite/store.ts';
import type { Store } from './store-interface.ts';
import { isPostgresUrl } from './store-location.ts';

export type { Store } from './store-interface.ts';

/**
 * Opens the store in a file or in a database of a PostgreSQL server, and brings its tables up to date. A file is made
 * where it is missing. Throws STORE_UNAVAILABLE, with the way out as the hint.
 */
export async function openStore({ db }: { db: string }): Promise<Store> {
  if (!isPostgresUrl(db)) return openSqliteStore(db);
  // Loaded for this alone: most stores are files.
  const { openPostgresStore } = await import('./postgres/store.ts');
  return openPostgresStore(db);
}
