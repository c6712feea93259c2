import type { Kysely } from 'kysely';
import type { Taker } from '../domain/shares/shares.ts';
import type { CompanyChangeListener } from './company-changes.ts';
import type { CompanyDb, Tables } from './tables.ts';
import type { TransactionKind, TransactionObserver } from './transaction-observer.ts';

type Body<Db, T> = (db: Db) => Promise<T>;

export interface TransactionOptions {
  /**
   * The taker whose turn it uses: a company, or one of its keys. Default: the company that the
   * transaction is confined to, or else the service itself, as one company among the others.
   */
  readonly taker?: Taker | undefined;
  readonly observer?: TransactionObserver | undefined;
}

/**
 * Runs transactions on a database. To add a kind of store, implement this and `StoreView` in a
 * folder, give its handles a `StoreAdapter` and its tables `ColumnTypes`, then name it in store.ts
 * and store-location.ts.
 *
 * Every method with a `body` runs it in one transaction. A read sees a snapshot of the moment when
 * it began. A write is durable once its promise resolves, and rolled back if `body` throws. A
 * handle cannot be used after its transaction. `body` must not wait for another call of the store,
 * which may be queued behind it. What waits takes turns by company, then by key. After a lost connection or a deadlock `body` may run again, so it
 * must not have side effects outside the store. All may reject with STORE_UNAVAILABLE.
 */
export interface Store {
  /** Never waits for a write. */
  read<T>(companyId: number, body: Body<CompanyDb, T>, options?: TransactionOptions): Promise<T>;
  /** Writes of one company run one after the other, in every process. */
  write<T>(companyId: number, body: Body<CompanyDb, T>, options?: TransactionOptions): Promise<T>;
  /** Writes as `write` does, for a body that also needs rows of other companies or of none. */
  writeUnscoped<T>(
    companyId: number,
    body: Body<Kysely<Tables>, T>,
    options?: TransactionOptions,
  ): Promise<T>;
  /** Reads rows of all companies, and of none. */
  readAll<T>(body: Body<Kysely<Tables>, T>, options?: TransactionOptions): Promise<T>;
  /** Writes rows of all companies, and of none. No other write runs meanwhile. */
  writeAll<T>(body: Body<Kysely<Tables>, T>, options?: TransactionOptions): Promise<T>;
  /**
   * A write that locks no company, for rows that a single statement checks and changes, or that a
   * lease protects.
   */
  writeUnlocked<T>(body: Body<Kysely<Tables>, T>, options?: TransactionOptions): Promise<T>;
  scopeToCompany(db: Kysely<Tables>, companyId: number): CompanyDb;
  /**
   * Calls `listener` after commits that may have changed the readings of a company, which of its
   * alerts are firing, or what people and assistants write, with the modules that it concerns.
   * Returns a function that removes the listener.
   *
   * It is called at once for commits of this process. For those of other processes it is called
   * within two seconds on SQLite. On PostgreSQL each process announces its commits within a quarter
   * of a second, unless it ends or loses its connection first: a listener that must not miss a
   * change also reads again each minute (company-watch.ts), and when it is called with null.
   */
  onCompanyChange(listener: CompanyChangeListener): () => void;
  /**
   * Writes without changing anything. Throws STORE_UNAVAILABLE unless the store accepts writes; for
   * a lock of another program, once it has been held for 30 s. Waits for no transaction of this
   * process.
   */
  checkWritable(): Promise<void>;
  /** Creates the partitions of readings for the months around `now`. Does nothing on SQLite. */
  ensurePartitions(now: number): Promise<void>;
  /**
   * Leaves nothing of rows that were deleted or changed: in the whole file and its log on SQLite, in
   * the tables about people on PostgreSQL, where the space is freed and overwritten by later rows.
   * Takes as long as writing the file twice, and writes wait for it.
   */
  clearFreeSpace(): Promise<void>;
  close(): Promise<void>;
}

/**
 * `new`: without tables. `needsMigration`: of an earlier version. `unfinishedCopy`: the copy of
 * another store was interrupted.
 */
export type StoreState = 'new' | 'needsMigration' | 'current' | 'unfinishedCopy';

/** A store that is opened to read what it has as it is: nothing is created or upgraded. */
export interface StoreView {
  readonly state: StoreState;
  read<T>(body: Body<Kysely<Tables>, T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Called for each transaction, which `run` executes. Options that the wrapper passes to `run`
 * replace those of the store's caller.
 */
type TransactionWrapper = <T>(
  kind: TransactionKind,
  run: (options?: TransactionOptions) => Promise<T>,
) => Promise<T>;

export const wrappedStore = (store: Store, wrap: TransactionWrapper): Store => ({
  read: (companyId, body, options) =>
    wrap('read', (own) => store.read(companyId, body, { ...options, ...own })),
  write: (companyId, body, options) =>
    wrap('write', (own) => store.write(companyId, body, { ...options, ...own })),
  writeUnscoped: (companyId, body, options) =>
    wrap('write', (own) => store.writeUnscoped(companyId, body, { ...options, ...own })),
  readAll: (body, options) => wrap('read', (own) => store.readAll(body, { ...options, ...own })),
  writeAll: (body, options) => wrap('write', (own) => store.writeAll(body, { ...options, ...own })),
  writeUnlocked: (body, options) =>
    wrap('write', (own) => store.writeUnlocked(body, { ...options, ...own })),
  scopeToCompany: (db, companyId) => store.scopeToCompany(db, companyId),
  onCompanyChange: (listener) => store.onCompanyChange(listener),
  checkWritable: () =>
    wrap('read', (own) => {
      // It waits for no connection.
      own?.observer?.onConnectionAcquired();
      return store.checkWritable();
    }),
  ensurePartitions: (now) => store.ensurePartitions(now),
  clearFreeSpace: () => store.clearFreeSpace(),
  close: () => store.close(),
});

/** The same store, whose transactions use the turns of this taker. */
export const storeOfTaker = (store: Store, taker: Taker): Store =>
  wrappedStore(store, (_, run) => run({ taker }));

export interface OpenOptions {
  /** The copy of another store is continued here. */
  readonly isCopyTarget?: boolean;
  /** False for a file that is a copy itself. */
  readonly isCopiedBeforeMigration?: boolean;
}
