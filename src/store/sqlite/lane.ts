import type { Kysely } from 'kysely';
import { handleThrough } from '../dialect.ts';
import { Mutex } from '../mutex.ts';
import { observedConnection, type TransactionObserver } from '../transaction-observer.ts';
import { begin, checkpoint, rollback, type Side, type SqliteConnection } from './connection.ts';
import { SqliteExecutor } from './executor.ts';
import { isOutOfRoom } from './failures.ts';

/** One connection, on which transactions take turns. */
export class Lane<T> {
  readonly #connection: SqliteConnection;
  readonly #side: Side;
  readonly #turn = new Mutex();
  #asked = 0;

  constructor(connection: SqliteConnection, side: Side) {
    this.#connection = connection;
    this.#side = side;
  }

  /** How many transactions run here or wait for their turn. */
  get asked(): number {
    return this.#asked;
  }

  /** Runs `body` in a transaction: kept when it returns, undone when it throws. Its handle serves until then. */
  async transaction<R>(body: (db: Kysely<T>) => Promise<R>, observer?: TransactionObserver): Promise<R> {
    this.#asked++;
    await this.#turn.lock();
    try {
      observer?.onTurn();
      await begin(this.#connection, this.#side);
      observer?.onBegun();
      return await this.#within(body, observer);
    } catch (error) {
      // Where the log alone has reached a limit, the next write finds room.
      if (this.#side === 'writer' && isOutOfRoom(error)) checkpoint(this.#connection);
      throw error;
    } finally {
      this.#asked--;
      this.#turn.unlock();
    }
  }

  close(): void {
    if (this.#side === 'writer') checkpoint(this.#connection);
    this.#connection.close();
  }

  async #within<R>(body: (db: Kysely<T>) => Promise<R>, observer: TransactionObserver | undefined): Promise<R> {
    const executor = new SqliteExecutor(observer ? observedConnection(this.#connection, observer) : this.#connection);
    try {
      const result = await body(handleThrough<T>(executor));
      this.#connection.step('commit');
      return result;
    } catch (error) {
      this.#undo();
      throw error;
    } finally {
      executor.end();
    }
  }

  /** A rollback that fails is tried again before the next transaction; what led here is what the caller hears. */
  #undo(): void {
    try {
      rollback(this.#connection);
    } catch {}
  }
}
