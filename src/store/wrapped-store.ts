import type { Store } from './store-interface.ts';
import type { TransactionKind, TransactionObserver } from './transaction-observer.ts';

/** Called for each transaction. `run` runs it, with this observer in place of the caller's if there is one. */
export type TransactionWrapper = <T>(
  kind: TransactionKind,
  run: (observer?: TransactionObserver) => Promise<T>,
) => Promise<T>;

export const wrappedStore = (store: Store, wrap: TransactionWrapper): Store => ({
  read: (companyId, body, observer) =>
    wrap('read', (callObserver = observer) => store.read(companyId, body, callObserver)),
  write: (companyId, body, observer) =>
    wrap('write', (callObserver = observer) => store.write(companyId, body, callObserver)),
  writeUnscoped: (companyId, body, observer) =>
    wrap('write', (callObserver = observer) => store.writeUnscoped(companyId, body, callObserver)),
  readAll: (body, observer) => wrap('read', (callObserver = observer) => store.readAll(body, callObserver)),
  writeAll: (body, observer) => wrap('write', (callObserver = observer) => store.writeAll(body, callObserver)),
  writeUnlocked: (body, observer) =>
    wrap('write', (callObserver = observer) => store.writeUnlocked(body, callObserver)),
  scopeToCompany: (db, companyId) => store.scopeToCompany(db, companyId),
  onCompanyChange: (listener) => store.onCompanyChange(listener),
  ensurePartitions: (now) => store.ensurePartitions(now),
  close: () => store.close(),
});
