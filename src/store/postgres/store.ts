import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { storeUnavailable } from '../../schema/error.ts';
import { type CompanyChangeListener, CompanyChangeListeners } from '../company-changes.ts';
import { Mutex } from '../mutex.ts';
import { companyDb } from '../scope/company-db.ts';
import type { Store } from '../store-interface.ts';
import { redactedLocation } from '../store-location.ts';
import { unfinishedCopyError } from '../store-state.ts';
import type { CompanyDb, Tables } from '../tables.ts';
import type { TransactionObserver } from '../transaction-observer.ts';
import { listenForChanges } from './company-change-channel.ts';
import { isTransactionRetryable, postgresStoreError } from './failures.ts';
import { MonthlyPartitions, startOfMonth } from './monthly-partitions.ts';
import { acquireClient, ConnectionPool, MAX_READERS, MAX_WRITERS, openReaders, openWriters } from './pool.ts';
import { runTransaction, type TransactionBody, type TransactionOptions } from './transaction.ts';
import { databaseState } from './view.ts';
import { WriteCheck } from './write-check.ts';

const MAX_ATTEMPTS = 6;
const FIRST_RETRY_PAUSE_MS = 50;
const MONTHS_AHEAD = [-1, 0, 1, 2];

export async function openPostgresStore(url: string, isCopyTarget = false): Promise<Store> {
  const location = redactedLocation(url);
  const readers = openReaders(url, location);
  try {
    const client = await acquireClient(readers, location);
    const state = await databaseState(client, location).finally(() => client.release());
    if (state === 'unfinishedCopy' && !isCopyTarget) throw unfinishedCopyError(location);
    if (state !== 'current') {
      const { migrateDatabase } = await import('./migrate.ts');
      await migrateDatabase(url, location);
    }
    const writers = openWriters(url, location);
    return new PostgresStore(
      url,
      location,
      new ConnectionPool(readers, location, MAX_READERS),
      new ConnectionPool(writers, location, MAX_WRITERS),
    );
  } catch (error) {
    await readers.end();
    throw postgresStoreError(error, location);
  }
}

class PostgresStore implements Store {
  readonly #location: string;
  readonly #readers: ConnectionPool;
  readonly #writers: ConnectionPool;
  readonly #writeCheck: WriteCheck;
  readonly #companyLocks = new Map<number, Mutex>();
  readonly #partitions = new MonthlyPartitions();
  readonly #running = new Set<Promise<unknown>>();
  readonly #companyChanges: CompanyChangeListeners;
  #closing: Promise<void> | undefined;

  constructor(url: string, location: string, readers: ConnectionPool, writers: ConnectionPool) {
    this.#companyChanges = new CompanyChangeListeners((emit) => listenForChanges(url, emit));
    this.#location = location;
    this.#writeCheck = new WriteCheck(url, location);
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
    return this.#run({ lockScope: 'unlocked', rowScope: 'all', observer }, body);
  }

  scopeToCompany(db: Kysely<Tables>, companyId: number): CompanyDb {
    return companyDb(db, companyId);
  }

  onCompanyChange(listener: CompanyChangeListener): () => void {
    return this.#companyChanges.add(listener);
  }

  checkWritable(): Promise<void> {
    return this.#track(() => this.#writeCheck.run());
  }

  ensurePartitions(now: number): Promise<void> {
    const starts = MONTHS_AHEAD.map((months) => startOfMonth(now, months));
    if (this.#partitions.existAt(starts)) return Promise.resolve();
    return this.#run({ lockScope: 'unlocked', rowScope: 'all' }, (_, connection) =>
      this.#partitions.create(connection, starts),
    );
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Writes of one company wait for each other here rather than on the server, where each would occupy a connection. */
  async #runLocked<T>(
    options: TransactionOptions & { readonly lockScope: number },
    body: TransactionBody<T>,
  ): Promise<T> {
    const lock = this.#companyLocks.get(options.lockScope) ?? new Mutex();
    this.#companyLocks.set(options.lockScope, lock);
    return this.#track(async () => {
      await lock.lock();
      try {
        return await this.#transaction(this.#writers, options, body);
      } finally {
        lock.unlock();
      }
    });
  }

  #run<T>(options: TransactionOptions, body: TransactionBody<T>): Promise<T> {
    const pool = options.lockScope === 'none' ? this.#readers : this.#writers;
    return this.#track(() => this.#transaction(pool, options, body));
  }

  async #track<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing) throw storeUnavailable(`The store ${this.#location} is closed.`, 'Start Acequia again.');
    const call = work();
    this.#running.add(call);
    try {
      return await call;
    } finally {
      this.#running.delete(call);
    }
  }

  async #transaction<T>(pool: ConnectionPool, options: TransactionOptions, body: TransactionBody<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await runTransaction(await pool.acquire(), options, this.#partitions, body);
      } catch (error) {
        if (options.lockScope !== 'none') this.#partitions.clear();
        if (tries >= MAX_ATTEMPTS || !isTransactionRetryable(error)) throw postgresStoreError(error, this.#location);
      }
      await pause(Math.random() * FIRST_RETRY_PAUSE_MS * 2 ** tries);
    }
  }

  async #close(): Promise<void> {
    this.#companyChanges.close();
    await Promise.allSettled(this.#running);
    await Promise.all([this.#readers.close(), this.#writers.close(), this.#writeCheck.close()]);
  }
}
