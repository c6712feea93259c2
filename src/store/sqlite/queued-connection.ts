import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteQueryCompiler,
} from 'kysely';
import { newTimeSlice, type TimeSlice, untilNoConnectionArrives } from '../../domain/event-loop.ts';
import type { ReadingRetention } from '../../domain/moisture/reading-retention.ts';
import { SECOND_MS } from '../../domain/periods.ts';
import { BOUNDED_THINGS, withSize } from '../../domain/shares/bounded-things.ts';
import { sliceOf } from '../../domain/shares/loop-turns.ts';
import { type ShareLimits, Shares, type Taker } from '../../domain/shares/shares.ts';
import { SERVICE_TAKER } from '../../domain/shares/takers.ts';
import { storeBusyError } from '../../schema/error.ts';
import { CollectedChanges } from '../changes/collected-changes.ts';
import { ForeignLock } from '../foreign-lock.ts';
import { databaseOn } from '../scope/company-db.ts';
import { addToChangeCount, changeCountParameters } from '../scope/counted-changes.ts';
import type { StoreAdapter } from '../store-adapter.ts';
import type { TransactionOptions } from '../store-interface.ts';
import { observedConnection, type TransactionObserver } from '../transaction-observer.ts';
import {
  beginRead,
  beginWrite,
  type ConnectionRole,
  checkpoint,
  openSqliteConnection,
  rollback,
  type SqliteConnection,
} from './connection.ts';
import { sqliteCopyStatements } from './copy-statements.ts';
import { isBusy, isDiskFull, isReadOnly } from './failures.ts';

class SqliteStoreAdapter extends SqliteAdapter implements StoreAdapter {
  readonly foundRows: Map<string, readonly unknown[]> | null;
  readonly changesToAnnounce = new CollectedChanges();
  readonly changedCompanies = new Set<number>();
  readonly companiesWithChangedProbes = new Set<number>();
  readonly probesVersions = new Map<number, Promise<string | null>>();
  readonly readingRetentions = new Map<number, Promise<ReadingRetention | null>>();
  readonly dialect = 'sqlite';
  readonly bulkReadings = null;
  readonly copyStatements = sqliteCopyStatements;
  /** The pause is longer than another process waits between two attempts to lock. */
  readonly batchSteps = { readings: 500, pause: { afterMs: 50, ms: 25 } };

  constructor(foundRows: Map<string, readonly unknown[]> | null) {
    super();
    this.foundRows = foundRows;
  }
}

const compiler = new SqliteQueryCompiler();

/** Kysely's own transactions would let a query wait forever while another one is being streamed. */
class SqliteExecutor extends DefaultQueryExecutor {
  #connection: DatabaseConnection | null;

  constructor(connection: DatabaseConnection, adapter: SqliteStoreAdapter) {
    super(compiler, adapter, {
      provideConnection: async (consumer) => consumer(this.#open()),
    });
    this.#connection = connection;
  }

  end(): void {
    this.#connection = null;
  }

  #open(): DatabaseConnection {
    if (!this.#connection) throw transactionEndedError();
    return this.#connection;
  }
}

/**
 * SQLite blocks the event loop while it runs a statement, so a long transaction yields between its
 * statements.
 */
function yieldingConnection(connection: DatabaseConnection, slice: TimeSlice): DatabaseConnection {
  return {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      // Queries that wait for the same pause run one by one after it, until the slice is over.
      while (slice.isOver()) await slice.renew();
      return connection.executeQuery<R>(query);
    },
    streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
  };
}

const transactionEndedError = (): Error =>
  new Error('The transaction has ended; its handle can no longer be used');

const ADD_TO_CHANGE_COUNT = addToChangeCount('?');

/** Longer than another process of the store holds the lock for one of its writes. */
const PROBE_TIMEOUT_MS = SECOND_MS;

const TURNS: Readonly<Record<ConnectionRole, ShareLimits>> = {
  writer: BOUNDED_THINGS.writeLock,
  reader: withSize(BOUNDED_THINGS.storeReaders, 1),
};

interface Running {
  readonly taker: Taker;
  readonly observer: TransactionObserver | undefined;
}

/** Runs transactions on one connection, one after the other, in turn by company and by key. */
export class QueuedConnection<T> {
  readonly #connection: SqliteConnection;
  readonly #role: ConnectionRole;
  readonly #turns: Shares;
  /** Shared by all writes. It does not wait for long computations, because a write holds the lock. */
  readonly #writerSlice = newTimeSlice(untilNoConnectionArrives);
  readonly #foreignLock = new ForeignLock();
  /** The failure of the last write, if the file did not accept it. */
  #failure: unknown = null;
  #pendingCount = 0;
  #dataVersion = 0;
  /** The rows of reads of this version of the data. */
  #foundRows = new Map<string, readonly unknown[]>();

  constructor(connection: SqliteConnection, role: ConnectionRole) {
    this.#connection = connection;
    this.#role = role;
    this.#turns = new Shares(TURNS[role], storeBusyError);
  }

  get pendingCount(): number {
    return this.#pendingCount;
  }

  async transaction<R>(
    body: (db: Kysely<T>) => Promise<R>,
    { taker = SERVICE_TAKER, observer }: TransactionOptions = {},
    beginTimeoutMs?: number,
  ): Promise<R> {
    this.#pendingCount++;
    const turn = await this.#turns.take(taker).catch((error) => {
      this.#pendingCount--;
      throw error;
    });

    try {
      observer?.onConnectionAcquired();
      const adapter = new SqliteStoreAdapter(await this.#begin(beginTimeoutMs));
      observer?.onBegin();
      const result = await this.#runBody(body, adapter, { taker, observer });
      this.#failure = null;
      return result;
    } catch (error) {
      if (isDiskFull(error) || isReadOnly(error)) this.#failure = error;
      // The write-ahead log alone may have filled the disk; emptying it makes room for the next
      // write.
      if (this.#role === 'writer' && isDiskFull(error)) checkpoint(this.#connection);
      throw error;
    } finally {
      this.#pendingCount--;
      turn.release();
    }
  }

  /** True if another program has held the lock for longer than a write waits for it. */
  get isLockedTooLong(): boolean {
    return this.#foreignLock.isHeldTooLong;
  }

  /**
   * Throws if the file does not accept this write. Waits for no transaction of this process: while there
   * are any, they show it.
   */
  async checkWritable(write: () => Promise<void>): Promise<void> {
    if (this.#pendingCount > 0) {
      if (this.#failure !== null) throw this.#failure;
      return;
    }

    await this.transaction(write, undefined, PROBE_TIMEOUT_MS).catch((error) => {
      if (!isBusy(error)) throw error;
    });
  }

  close(): void {
    if (this.#role === 'writer') checkpoint(this.#connection);
    this.#connection.close();
  }

  /** Returns the rows that earlier reads of the same data found; null for a write. */
  async #begin(timeoutMs?: number): Promise<Map<string, readonly unknown[]> | null> {
    if (this.#role === 'writer') {
      await beginWrite(this.#connection, { timeoutMs, onBusy: () => this.#foreignLock.found() });
      this.#foreignLock.gone();
      return null;
    }

    const dataVersion = await beginRead(this.#connection);
    if (dataVersion !== this.#dataVersion) this.#foundRows = new Map();
    this.#dataVersion = dataVersion;
    return this.#foundRows;
  }

  async #runBody<R>(
    body: (db: Kysely<T>) => Promise<R>,
    adapter: SqliteStoreAdapter,
    { taker, observer }: Running,
  ): Promise<R> {
    const connection = observer ? observedConnection(this.#connection, observer) : this.#connection;
    const slice = this.#role === 'reader' ? sliceOf(taker) : this.#writerSlice;
    const executor = new SqliteExecutor(yieldingConnection(connection, slice), adapter);
    try {
      const result = await body(databaseOn<T>(executor));
      // The commit waits for the disk.
      if (slice.isOver()) await slice.renew();
      this.#countChanges(adapter);
      this.#connection.runStep('commit');
      return result;
    } catch (error) {
      this.#rollback();
      throw error;
    } finally {
      executor.end();
    }
  }

  #countChanges(adapter: StoreAdapter): void {
    for (const id of adapter.changedCompanies)
      this.#connection.runStep(ADD_TO_CHANGE_COUNT, changeCountParameters(adapter, id));
  }

  /**
   * A failed rollback is repeated before the next transaction, so that the caller gets the original
   * error.
   */
  #rollback(): void {
    try {
      rollback(this.#connection);
    } catch {}
  }
}

const MAX_CONNECTIONS = BOUNDED_THINGS.storeReaders.size;

/** Connections that read one file. They are opened as needed, the first one excepted. */
export class ReaderPool<T> {
  readonly #file: string;
  readonly #connections: QueuedConnection<T>[];
  readonly #places = new Shares(BOUNDED_THINGS.storeReaders, storeBusyError);

  constructor(file: string, first: SqliteConnection) {
    this.#file = file;
    this.#connections = [new QueuedConnection(first, 'reader')];
  }

  async transaction<R>(
    body: (db: Kysely<T>) => Promise<R>,
    options: TransactionOptions = {},
  ): Promise<R> {
    const place = await this.#places.take(options.taker ?? SERVICE_TAKER);
    try {
      const idle = this.#connections.find(({ pendingCount }) => pendingCount === 0);
      const connection = idle ?? (await this.#openAnother()) ?? this.#leastBusy();
      return await connection.transaction(body, options);
    } finally {
      place.release();
    }
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  #leastBusy(): QueuedConnection<T> {
    return this.#connections.reduce((leastBusy, connection) =>
      connection.pendingCount < leastBusy.pendingCount ? connection : leastBusy,
    );
  }

  async #openAnother(): Promise<QueuedConnection<T> | null> {
    if (this.#connections.length >= MAX_CONNECTIONS) return null;

    const connection = await openSqliteConnection(this.#file, 'reader').catch(() => null);
    if (connection === null) return null;

    // Other reads may have opened connections meanwhile.
    if (this.#connections.length >= MAX_CONNECTIONS) {
      connection.close();
      return null;
    }

    const queue = new QueuedConnection<T>(connection, 'reader');
    this.#connections.push(queue);
    return queue;
  }
}
