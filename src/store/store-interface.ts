import type { Kysely } from 'kysely';
import type { CompanyDb, Tables } from './tables.ts';
import type { TransactionObserver } from './transaction-observer.ts';

/** What a place holds: nothing yet, tables that lack a migration, everything we know, or a part of what is copied there. */
export type StoreState = 'new' | 'behind' | 'current' | 'unfinished';

/**
 * Where everything is kept. A handle serves until the body that it was given to has ended. Some reads run side by side,
 * more of them take turns, and so do the writes of a company: a body works with its handle alone, and never waits for
 * another call of the store. On a server a turn is taken with the first query, so that what a body does before one is in
 * nobody's turn. Where a server lost the connection or chose a body to give way it is run again, so that it
 * keeps nothing outside of itself that it would do twice. An observer hears how a transaction goes.
 */
export interface Store {
  /** One snapshot, confined to the company; never takes a write lock. */
  read<T>(companyId: number, body: (db: CompanyDb) => Promise<T>, observer?: TransactionObserver): Promise<T>;
  /** One durable transaction, confined to the company; rolled back when `body` throws. */
  write<T>(companyId: number, body: (db: CompanyDb) => Promise<T>, observer?: TransactionObserver): Promise<T>;
  /** The same in the company's turn, for who also asks over the companies or writes what belongs to none. */
  writeUnscoped<T>(
    companyId: number,
    body: (db: Kysely<Tables>) => Promise<T>,
    observer?: TransactionObserver,
  ): Promise<T>;
  /** One snapshot over the companies, for who asks which there are. */
  readAll<T>(body: (db: Kysely<Tables>) => Promise<T>, observer?: TransactionObserver): Promise<T>;
  /** One durable transaction over the companies while nobody else writes to any, for who makes one. */
  writeAll<T>(body: (db: Kysely<Tables>) => Promise<T>, observer?: TransactionObserver): Promise<T>;
  /**
   * One durable transaction in nobody's turn, beside whatever else is written: for rows that are no company's books, each
   * of which is decided on by the statement that changes it, or under a lease.
   */
  writeUnlocked<T>(body: (db: Kysely<Tables>) => Promise<T>, observer?: TransactionObserver): Promise<T>;
  /** The company's handle within a transaction over the companies. */
  scopeToCompany(db: Kysely<Tables>, companyId: number): CompanyDb;
  /** Makes what readings of the time around `now` (ms) and of the months ahead will need; mostly there is nothing to do. */
  ensurePartitions(now: number): Promise<void>;
  /** Finishes what runs, then closes; refuses what comes later. */
  close(): Promise<void>;
}

/** A store that is looked at and left as it is: no table is brought up to date, nothing is written. */
export interface StoreView {
  readonly state: StoreState;
  /** One snapshot. Throws STORE_UNAVAILABLE. */
  read<T>(body: (db: Kysely<Tables>) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
