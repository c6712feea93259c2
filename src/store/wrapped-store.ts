import type { Store } from './store-interface.ts';
import type { TransactionKind, TransactionObserver } from './transaction-observer.ts';

/** Called for each transaction. `run` runs it, with this observer in place of the caller's if there is one. */
export type TransactionWrapper = <T>(
  kind: TransactionKind,
  run: (observer?: TransactionObserver) => Promise<T>,
) => Promise<T>;

export const wrappedStore = (store: Store, wrap: TransactionWrapper): Store => ({
  read: (companyId, body, observer) => wrap('read', (own = observer) => store.read(companyId, body, own)),
  write: (companyId, body, observer) => wrap('write', (own = observer) => store.write(companyId, body, own)),
  writeUnscoped: (companyId, body, observer) =>
    wrap('write', (own = observer) => store.writeUnscoped(companyId, body, own)),
  readAll: (body, observer) => wrap('read', (own = observer) => store.readAll(body, own)),
  writeAll: (body, observer) => wrap('write', (own = observer) => store.writeAll(body, own)),
  writeUnlocked: (body, observer) => wrap('write', (own = observer) => store.writeUnlocked(body, own)),
  scopeToCompany: (db, companyId) => store.scopeToCompany(db, companyId),
  ensurePartitions: (now) => store.ensurePartitions(now),
  close: () => store.close(),
});
