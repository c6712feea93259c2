import type { Kysely } from 'kysely';
import type { CompanyChangeListener } from './company-changes.ts';
import type { CompanyDb, Tables } from './tables.ts';
import type { TransactionKind, TransactionObserver } from './transaction-observer.ts';

type Body<Db, T> = (db: Db) => Promise<T>;

/**
 * Runs transactions on a database. To add a kind of store, implement this and `StoreView` in a folder, give its handles
 * a `StoreAdapter` and its tables `ColumnTypes`, then name it in store.ts and store-location.ts.
 *
 * Every method with a `body` runs it in one transaction. A read sees a snapshot of the moment when it began. A write is
 * durable once its promise resolves, and rolled back if `body` throws. A handle cannot be used after its transaction.
 * `body` must not wait for another call of the store, which may be queued behind it. After a lost connection or a
 * deadlock `body` may run again, so it must not have side effects outside the store. All throw STORE_UNAVAILABLE.
 */
export interface Store {
  /** Never waits for a write. */
  read<T>(companyId: number, body: Body<CompanyDb, T>, observer?: TransactionObserver): Promise<T>;
  /** Writes of one company run one after the other, in every process. */
  write<T>(companyId: number, body: Body<CompanyDb, T>, observer?: TransactionObserver): Promise<T>;
  /** Like `write`, for a body that also needs rows of other companies or of none. */
  writeUnscoped<T>(companyId: number, body: Body<Kysely<Tables>, T>, observer?: TransactionObserver): Promise<T>;
  readAll<T>(body: Body<Kysely<Tables>, T>, observer?: TransactionObserver): Promise<T>;
  writeAll<T>(body: Body<Kysely<Tables>, T>, observer?: TransactionObserver): Promise<T>;
  /** A write that locks no company, for rows that a single statement checks and changes, or that a lease protects. */
  writeUnlocked<T>(body: Body<Kysely<Tables>, T>, observer?: TransactionObserver): Promise<T>;
  scopeToCompany(db: Kysely<Tables>, companyId: number): CompanyDb;
  /**
   * Calls `listener` after commits that may have changed the readings of a company, or which of its alerts are firing.
   * It is called at once, but only within seconds for commits of other processes on SQLite. Returns a function that
   * removes the listener.
   */
  onCompanyChange(listener: CompanyChangeListener): () => void;
  ensurePartitions(now: number): Promise<void>;
  close(): Promise<void>;
}

export type StoreState = 'new' | 'behind' | 'current' | 'unfinished';

export interface StoreView {
  readonly state: StoreState;
  read<T>(body: Body<Kysely<Tables>, T>): Promise<T>;
  close(): Promise<void>;
}

/** Called for each transaction. `run` starts it, with its argument, if any, in place of the caller's observer. */
type TransactionWrapper = <T>(kind: TransactionKind, run: (observer?: TransactionObserver) => Promise<T>) => Promise<T>;

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
