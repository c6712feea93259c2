import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Kysely,
  type QueryResult,
  SqliteQueryCompiler,
} from 'kysely';
import { databaseOn } from '../company-db.ts';
import { Mutex } from '../mutex.ts';
import { observedConnection, type TransactionObserver } from '../transaction-observer.ts';
import { sqliteStoreAdapter } from './adapter.ts';
import { beginTransaction, type ConnectionRole, checkpoint, rollback, type SqliteConnection } from './connection.ts';
import { isDiskFull } from './failures.ts';

// One for all transactions: each query is compiled in one go, from the beginning, and to make a compiler costs as much.
const compiler = new SqliteQueryCompiler();

/**
 * Compiles queries for SQLite and runs them on a connection until the transaction on it has ended. Unlike Kysely's own
 * transaction this one lets a query run while another is streamed, instead of waiting for ever.
 */
export class SqliteExecutor extends DefaultQueryExecutor {
  #connection: DatabaseConnection | null;

  constructor(connection: DatabaseConnection) {
    super(compiler, sqliteStoreAdapter, { provideConnection: async (consumer) => consumer(this.#open()) });
    this.#connection = connection;
  }

  /** At once: without a plugin nothing stands between a query and the connection. */
  override executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#connection ? this.#connection.executeQuery<R>(query) : Promise.reject(transactionEndedError());
  }

  end(): void {
    this.#connection = null;
  }

  #open(): DatabaseConnection {
    if (!this.#connection) throw transactionEndedError();
    return this.#connection;
  }
}

const transactionEndedError = (): Error => new Error('The transaction has ended; its handle can no longer be used');

/** One connection, on which transactions take turns. */
export class QueuedConnection<T> {
  readonly #connection: SqliteConnection;
  readonly #role: ConnectionRole;
  readonly #lock = new Mutex();
  #pendingCount = 0;

  constructor(connection: SqliteConnection, side: ConnectionRole) {
    this.#connection = connection;
    this.#role = side;
  }

  /** How many transactions run here or wait for their turn. */
  get pendingCount(): number {
    return this.#pendingCount;
  }

  /** Runs `body` in a transaction: kept when it returns, undone when it throws. Its handle serves until then. */
  async transaction<R>(body: (db: Kysely<T>) => Promise<R>, observer?: TransactionObserver): Promise<R> {
    this.#pendingCount++;
    await this.#lock.lock();
    try {
      observer?.onConnectionAcquired();
      await beginTransaction(this.#connection, this.#role);
      observer?.onBegin();
      return await this.#runBody(body, observer);
    } catch (error) {
      // Where the log alone has reached a limit, the next write finds room.
      if (this.#role === 'writer' && isDiskFull(error)) checkpoint(this.#connection);
      throw error;
    } finally {
      this.#pendingCount--;
      this.#lock.unlock();
    }
  }

  close(): void {
    if (this.#role === 'writer') checkpoint(this.#connection);
    this.#connection.close();
  }

  async #runBody<R>(body: (db: Kysely<T>) => Promise<R>, observer: TransactionObserver | undefined): Promise<R> {
    const executor = new SqliteExecutor(observer ? observedConnection(this.#connection, observer) : this.#connection);
    try {
      const result = await body(databaseOn<T>(executor));
      this.#connection.runStep('commit');
      return result;
    } catch (error) {
      this.#rollback();
      throw error;
    } finally {
      executor.end();
    }
  }

  /** A rollback that fails is tried again before the next transaction; what led here is what the caller hears. */
  #rollback(): void {
    try {
      rollback(this.#connection);
    } catch {}
  }
}
