import { openSqliteStore } from './sqlite/store.ts';
import type { StoreDialect } from './store-adapter.ts';
import type { OpenOptions, Store, StoreView } from './store-interface.ts';
import { dialectOf } from './store-location.ts';

export type { Store } from './store-interface.ts';

interface StoreOpener {
  open(db: string, options: OpenOptions): Promise<Store>;
  view(db: string): Promise<StoreView>;
}

const OPENERS: Readonly<Record<StoreDialect, StoreOpener>> = {
  sqlite: {
    open: openSqliteStore,
    view: async (file) => (await import('./sqlite/view.ts')).viewSqliteStore(file),
  },
  postgres: {
    open: async (url, { isCopyTarget = false }) =>
      (await import('./postgres/store.ts')).openPostgresStore(url, isCopyTarget),
    view: async (url) => (await import('./postgres/view.ts')).viewPostgresStore(url),
  },
};

/**
 * Throws STORE_UNAVAILABLE, also for an unfinished copy of another store unless it is opened to
 * continue the copy.
 */
export const openStore = async ({
  db,
  ...options
}: OpenOptions & { readonly db: string }): Promise<Store> =>
  OPENERS[dialectOf(db)].open(db, options);

export const viewStore = async (db: string): Promise<StoreView> => OPENERS[dialectOf(db)].view(db);
