import { openSqliteStore } from './sqlite/store.ts';
import type { Store, StoreView } from './store-interface.ts';
import { isPostgresUrl } from './store-location.ts';

export type { Store } from './store-interface.ts';

/**
 * Throws STORE_UNAVAILABLE, also for an unfinished copy of another store unless it is opened to
 * continue the copy.
 */
export async function openStore({
  db,
  isCopyTarget = false,
}: {
  db: string;
  isCopyTarget?: boolean;
}): Promise<Store> {
  if (!isPostgresUrl(db)) return openSqliteStore(db, isCopyTarget);
  const { openPostgresStore } = await import('./postgres/store.ts');
  return openPostgresStore(db, isCopyTarget);
}

export async function viewStore(db: string): Promise<StoreView> {
  return isPostgresUrl(db)
    ? (await import('./postgres/view.ts')).viewPostgresStore(db)
    : (await import('./sqlite/view.ts')).viewSqliteStore(db);
}
