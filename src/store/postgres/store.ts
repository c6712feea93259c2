import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { BOUNDED_THINGS, withSize } from '../../domain/shares/bounded-things.ts';
import { companyTaker, SERVICE_TAKER } from '../../domain/shares/takers.ts';
import { StoreClosedError } from '../../schema/error.ts';
import { CollectedChanges, type CompanyChange } from '../changes/collected-changes.ts';
import { type CompanyChangeListener, CompanyChangeListeners } from '../company-changes.ts';
import { companyDb } from '../scope/company-db.ts';
import { changesToAnnounce } from '../store-adapter.ts';
import type { Store, TransactionOptions } from '../store-interface.ts';
import { redactedLocation } from '../store-location.ts';
import { unfinishedCopyError } from '../store-state-errors.ts';
import type { CompanyDb, Tables } from '../tables.ts';
import { CompanyChangeAnnouncer } from './company-change-announcer.ts';
import { listenForChanges } from './company-change-channel.ts';
import { CommitOutcomeUnknown, isTransactionRetryable, postgresStoreError } from './failures.ts';
import { MonthlyPartitions, startOfMonth } from './monthly-partitions.ts';
import { ConnectionPool, MAX_READERS, openReaders, openWriters, withClients } from './pool.ts';
import { assertSessionsAreOwn } from './pooler-check.ts';
import { runTransaction, type ScopedTransaction, type TransactionBody } from './transaction.ts';
import { vacuumErasedTables } from './vacuum.ts';
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
      new ConnectionPool(readers, location, withSize(BOUNDED_THINGS.storeReaders, MAX_READERS)),
      new ConnectionPool(writers, location, BOUNDED_THINGS.storeWriters),
    );
  } catch (error) {
    await Promise.all([readers.end(), writers.end()]);
    throw postgresStoreError(error, location);
  }
}

const optionsOf = (companyId: number, options?: TransactionOptions): TransactionOptions => ({
  taker: companyTaker(companyId),
  ...options,
});

class PostgresStore implements Store {
  readonly #url: string;
  readonly #location: string;
  readonly #readers: ConnectionPool;
  readonly #writers: ConnectionPool;
  readonly #writeCheck: WriteCheck;
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
    this.#url = url;
    this.#location = location;
    this.#writeCheck = new WriteCheck(url, location);
    this.#readers = readers;
    this.#writers = writers;
  }

  read<T>(
    companyId: number,
    body: (db: CompanyDb) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T> {
    return this.#run(
      { lockScope: 'none', rowScope: companyId, ...optionsOf(companyId, options) },
      (db) => body(this.scopeToCompany(db, companyId)),
    );
  }

  write<T>(
    companyId: number,
    body: (db: CompanyDb) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T> {
    return this.#run(
      { lockScope: companyId, rowScope: companyId, ...optionsOf(companyId, options) },
      (db) => body(this.scopeToCompany(db, companyId)),
    );
  }

  writeUnscoped<T>(
    companyId: number,
    body: (db: Kysely<Tables>) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T> {
    return this.#run(
      { lockScope: companyId, rowScope: 'all', ...optionsOf(companyId, options) },
      body,
    );
  }

  readAll<T>(body: (db: Kysely<Tables>) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return this.#run({ lockScope: 'none', rowScope: 'all', ...options }, body);
  }

  writeAll<T>(body: (db: Kysely<Tables>) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return this.#run({ lockScope: 'all', rowScope: 'all', ...options }, body);
  }

  writeUnlocked<T>(
    body: (db: Kysely<Tables>) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T> {
    return this.#run({ lockScope: 'unlocked', rowScope: 'all', ...options }, body);
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

  clearFreeSpace(): Promise<void> {
    return this.#track(() => vacuumErasedTables(this.#url)).catch((error) => {
      throw postgresStoreError(error, this.#location);
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #run<T>(options: ScopedTransaction, body: TransactionBody<T>): Promise<T> {
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
    options: ScopedTransaction,
    body: TransactionBody<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      let changes = new CollectedChanges();

      const bodyWithChanges: TransactionBody<T> = (db, connection) => {
        changes = changesToAnnounce(db);
        return body(db, connection);
      };

      try {
        const connection = await pool.acquire(options.taker ?? SERVICE_TAKER);
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
