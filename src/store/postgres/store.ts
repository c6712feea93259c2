import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { StoreClosedError } from '../../schema/error.ts';
import { CollectedChanges, type CompanyChange } from '../changes/collected-changes.ts';
import { type CompanyChangeListener, CompanyChangeListeners } from '../company-changes.ts';
import { Mutex } from '../mutex.ts';
import { companyDb } from '../scope/company-db.ts';
import { changesToAnnounce } from '../store-adapter.ts';
import type { Store } from '../store-interface.ts';
import { redactedLocation } from '../store-location.ts';
import { unfinishedCopyError } from '../store-state-errors.ts';
import type { CompanyDb, Tables } from '../tables.ts';
import type { TransactionObserver } from '../transaction-observer.ts';
import { CompanyChangeAnnouncer } from './company-change-announcer.ts';
import { listenForChanges } from './company-change-channel.ts';
import { CommitOutcomeUnknown, isTransactionRetryable, postgresStoreError } from './failures.ts';
import { MonthlyPartitions, startOfMonth } from './monthly-partitions.ts';
import {
  ConnectionPool,
  MAX_READERS,
  MAX_WRITERS,
  openReaders,
  openWriters,
  withClients,
} from './pool.ts';
import { assertSessionsAreOwn } from './pooler-check.ts';
import { runTransaction, type TransactionBody, type TransactionOptions } from './transaction.ts';
import { databaseState } from './view.ts';
import { WriteCheck } from './write-check.ts';

const MAX_ATTEMPTS = 6;
const FIRST_RETRY_PAUSE_MS = 50;
/** Relative to the current month. */
const PARTITION_MONTHS = [-1, 0, 1, 2];

export async function openPostgresStore(url: string, isCopyTarget = false): Promise<Store> {
  const location = redactedLocation(url);
  const readers = openReaders(url, location);
  const writers = openWriters(url, location);
  try {
    const state = await withClients([readers, writers], location, async ([reader, writer]) => {
      await assertSessionsAreOwn(reader, writer, location);
      return databaseState(reader, location);
    });
    if (state === 'unfinishedCopy' && !isCopyTarget) throw unfinishedCopyError(location);

    if (state !== 'current') {
      const { migrateDatabase } = await import('./migrate.ts');
      await migrateDatabase(url, location);
    }

    return new PostgresStore(
      url,
      location,
      new ConnectionPool(readers, location, MAX_READERS),
      new ConnectionPool(writers, location, MAX_WRITERS),
    );
  } catch (error) {
    await Promise.all([readers.end(), writers.end()]);
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
  readonly #announcer: CompanyChangeAnnouncer;
  #closing: Promise<void> | undefined;

  constructor(url: string, location: string, readers: ConnectionPool, writers: ConnectionPool) {
    const origin = randomUUID();
    const listen = (emit: CompanyChangeListener) => listenForChanges(url, origin, emit);
    this.#companyChanges = new CompanyChangeListeners(listen);
    this.#announcer = new CompanyChangeAnnouncer(url, origin);
    this.#location = location;
    this.#writeCheck = new WriteCheck(url, location);
    this.#readers = readers;
    this.#writers = writers;
  }

  read<T>(
    companyId: number,
    body: (db: CompanyDb) => Promise<T>,
    observer?: TransactionObserver,
  ): Promise<T> {
    return this.#run({ lockScope: 'none', rowScope: companyId, observer }, (db) =>
      body(this.scopeToCompany(db, companyId)),
    );
  }

  write<T>(
    companyId: number,
    body: (db: CompanyDb) => Promise<T>,
    observer?: TransactionObserver,
  ): Promise<T> {
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

  writeAll<T>(
    body: (db: Kysely<Tables>) => Promise<T>,
    observer?: TransactionObserver,
  ): Promise<T> {
    return this.#run({ lockScope: 'all', rowScope: 'all', observer }, body);
  }

  writeUnlocked<T>(
    body: (db: Kysely<Tables>) => Promise<T>,
    observer?: TransactionObserver,
  ): Promise<T> {
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
    const starts = PARTITION_MONTHS.map((months) => startOfMonth(now, months));
    if (this.#partitions.existAt(starts)) return Promise.resolve();
    return this.#run({ lockScope: 'unlocked', rowScope: 'all' }, (_, connection) =>
      this.#partitions.create(connection, starts),
    );
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /**
   * Writes of one company wait for each other here rather than on the server, where each would
   * occupy a connection.
   */
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
    if (this.#closing) throw new StoreClosedError(this.#location);
    const call = work();
    this.#running.add(call);
    try {
      return await call;
    } finally {
      this.#running.delete(call);
    }
  }

  async #transaction<T>(
    pool: ConnectionPool,
    options: TransactionOptions,
    body: TransactionBody<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      let changes = new CollectedChanges();

      const bodyWithChanges: TransactionBody<T> = (db, connection) => {
        changes = changesToAnnounce(db);
        return body(db, connection);
      };

      try {
        const connection = await pool.acquire();
        const result = await runTransaction(connection, options, this.#partitions, bodyWithChanges);
        this.#announce(changes.take());
        return result;
      } catch (error) {
        if (error instanceof CommitOutcomeUnknown) this.#announce(changes.take());
        if (options.lockScope !== 'none') this.#partitions.clear();
        if (attempt >= MAX_ATTEMPTS || !isTransactionRetryable(error))
          throw postgresStoreError(error, this.#location);
      }

      await pause(Math.random() * FIRST_RETRY_PAUSE_MS * 2 ** attempt);
    }
  }

  /** Listeners of this process are called at once, those of others soon. */
  #announce(changes: readonly CompanyChange[]): void {
    if (changes.length === 0) return;
    this.#announcer.add(changes);
    for (const change of changes) this.#companyChanges.emit(change);
  }

  async #close(): Promise<void> {
    this.#companyChanges.close();
    await Promise.allSettled(this.#running);
    await Promise.all([this.#announcer.close(), this.#readers.close(), this.#writers.close()]);
    await this.#writeCheck.close();
  }
}
