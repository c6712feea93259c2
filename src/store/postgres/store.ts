import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { storeUnavailable } from '../../schema/error.ts';
import { companyDb } from '../company-db.ts';
import { Mutex } from '../mutex.ts';
import type { Store } from '../store-interface.ts';
import { redactedLocation } from '../store-location.ts';
import { unfinishedCopyError } from '../store-state.ts';
import type { CompanyDb, Tables } from '../tables.ts';
import type { TransactionObserver } from '../transaction-observer.ts';
import { databaseState } from './database-state.ts';
import { isTransactionRetryable, postgresStoreError } from './failures.ts';
import { MonthlyPartitions, monthAfter } from './monthly-partitions.ts';
import { acquireClient, ConnectionPool, MAX_READERS, MAX_WRITERS, openReaders, openWriters } from './pool.ts';
import { runTransaction, type TransactionBody, type TransactionOptions } from './transaction.ts';

/** How often a transaction is run that had to give way or lost its connection. */
const MAX_ATTEMPTS = 6;
/** The longest pause before the second, in ms; it doubles from one to the next. */
const FIRST_RETRY_PAUSE_MS = 50;
/** Months whose readings have a place before the first of them comes, from the one before this. */
const MONTHS_AHEAD = [-1, 0, 1, 2];

/**
 * Opens the store in a database, and brings its tables up to date. A copy that is not whole is opened only to go on with
 * it, for which `isTarget` asks. Throws STORE_UNAVAILABLE, with the way out as the hint.
 */
export async function openPostgresStore(url: string, isTarget = false): Promise<Store> {
  const place = redactedLocation(url);
  const readers = openReaders(url, place);
  try {
    const client = await acquireClient(readers, place);
    const state = await databaseState(client, place).finally(() => client.release());
    if (state === 'unfinished' && !isTarget) throw unfinishedCopyError(place);
    if (state !== 'current') {
      // Loaded for this alone: most starts find nothing to do.
      const { migrateDatabase } = await import('./migrate.ts');
      await migrateDatabase(url, place);
    }
    const writers = openWriters(url, place);
    return new PostgresStore(
      place,
      new ConnectionPool(readers, place, MAX_READERS),
      new ConnectionPool(writers, place, MAX_WRITERS),
    );
  } catch (error) {
    await readers.end();
    throw postgresStoreError(error, place);
  }
}

class PostgresStore implements Store {
  readonly #place: string;
  readonly #readers: ConnectionPool;
  readonly #writers: ConnectionPool;
  readonly #companyLocks = new Map<number, Mutex>();
  readonly #partitions = new MonthlyPartitions();
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(place: string, readers: ConnectionPool, writers: ConnectionPool) {
    this.#place = place;
    this.#readers = readers;
    this.#writers = writers;
  }

  read<T>(companyId: number, body: (db: CompanyDb) => Promise<T>, observer?: TransactionObserver): Promise<T> {
    return this.#run({ lockScope: 'none', rowScope: companyId, observer }, (db) =>
      body(this.scopeToCompany(db, companyId)),
    );
  }

  write<T>(companyId: number, body: (db: CompanyDb) => Promise<T>, observer?: TransactionObserver): Promise<T> {
    return this.#runLocked({ lockScope: companyId, rowScope: companyId, observer }, (db) =>
      body(this.scopeToCompany(db, companyId)),
    );
  }

  writeUnscoped<T>(
    companyId: number,
    body: (db: Kysely<Tables>) => Promise<T>,
    observer?: TransactionObserver,
  ): Promise<T> {
    return this.#runLocked({ lockScope: companyId, rowScope: 'all', observer }, body);
  }

  readAll<T>(body: (db: Kysely<Tables>) => Promise<T>, observer?: TransactionObserver): Promise<T> {
    return this.#run({ lockScope: 'none', rowScope: 'all', observer }, body);
  }

  writeAll<T>(body: (db: Kysely<Tables>) => Promise<T>, observer?: TransactionObserver): Promise<T> {
    return this.#run({ lockScope: 'all', rowScope: 'all', observer }, body);
  }

  writeUnlocked<T>(body: (db: Kysely<Tables>) => Promise<T>, observer?: TransactionObserver): Promise<T> {
    return this.#run({ lockScope: 'beside', rowScope: 'all', observer }, body);
  }

  scopeToCompany(db: Kysely<Tables>, companyId: number): CompanyDb {
    return companyDb(db, companyId);
  }

  ensurePartitions(now: number): Promise<void> {
    const starts = MONTHS_AHEAD.map((months) => monthAfter(now, months));
    if (this.#partitions.existAt(starts)) return Promise.resolve();
    return this.#run({ lockScope: 'beside', rowScope: 'all' }, (_, connection) =>
      this.#partitions.create(connection, starts),
    );
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** The writes of a company queue up in their own process first, so that they hold one connection and not all. */
  async #runLocked<T>(
    purpose: TransactionOptions & { readonly lockScope: number },
    body: TransactionBody<T>,
  ): Promise<T> {
    const turn = this.#companyLocks.get(purpose.lockScope) ?? new Mutex();
    this.#companyLocks.set(purpose.lockScope, turn);
    return this.#track(async () => {
      await turn.lock();
      try {
        return await this.#transaction(this.#writers, purpose, body);
      } finally {
        turn.unlock();
      }
    });
  }

  #run<T>(purpose: TransactionOptions, body: TransactionBody<T>): Promise<T> {
    const lanes = purpose.lockScope === 'none' ? this.#readers : this.#writers;
    return this.#track(() => this.#transaction(lanes, purpose, body));
  }

  /** What `close` waits for. */
  async #track<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing) throw storeUnavailable(`The store ${this.#place} is closed.`, 'Start Acequia again.');
    const call = work();
    this.#running.add(call);
    try {
      return await call;
    } finally {
      this.#running.delete(call);
    }
  }

  /** Run again where it had to give way or the connection was lost, as long as nothing can have been kept of it. */
  async #transaction<T>(lanes: ConnectionPool, purpose: TransactionOptions, body: TransactionBody<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await runTransaction(await lanes.acquire(), purpose, this.#partitions, body);
      } catch (error) {
        // A snapshot makes none.
        if (purpose.lockScope !== 'none') this.#partitions.clear();
        if (tries >= MAX_ATTEMPTS || !isTransactionRetryable(error)) throw postgresStoreError(error, this.#place);
      }
      await pause(Math.random() * FIRST_RETRY_PAUSE_MS * 2 ** tries);
    }
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#running);
    await Promise.all([this.#readers.close(), this.#writers.close()]);
  }
}
