import type { Kysely } from 'kysely';
import { handleThrough } from '../dialect.ts';
import { Mutex } from '../mutex.ts';
import { observedConnection, type TransactionObserver } from '../transaction-observer.ts';
import { begin, checkpoint, rollback, type Side, type SqliteConnection } from './connection.ts';
import { sqliteExecutor } from './executor.ts';
import { isOutOfRoom } from './failures.ts';

/** One connection, on which transactions take turns. */
export class Lane<T> {
  readonly #connection: SqliteConnection;
  readonly #side: Side;
  readonly #turn = new Mutex();

  constructor(connection: SqliteConnection, side: Side) {
    this.#connection = connection;
    this.#side = side;
  }

  /** Runs `body` in a transaction: kept when it returns, undone when it throws. Its handle serves until then. */
  async transaction<R>(body: (db: Kysely<T>) => Promise<R>, observer?: TransactionObserver): Promise<R> {
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
      this.#turn.unlock();
    }
  }

  close(): void {
    if (this.#side === 'writer') checkpoint(this.#connection);
    this.#connection.close();
  }

  async #within<R>(body: (db: Kysely<T>) => Promise<R>, observer: TransactionObserver | undefined): Promise<R> {
    let open = true;
    const connection = observer ? observedConnection(this.#connection, observer) : this.#connection;
    // Unlike Kysely's own transaction this one lets a query run while another is streamed, instead of waiting for ever.
    const executor = sqliteExecutor({
      provideConnection: async (consumer) => {
        if (!open) throw new Error('The transaction has ended; its handle serves no longer');
        return consumer(connection);
      },
    });
    try {
      const result = await body(handleThrough<T>(executor));
      this.#connection.step('commit');
      return result;
    } catch (error) {
      this.#undo();
      throw error;
    } finally {
      open = false;
    }
  }

  /** A rollback that fails is tried again before the next transaction; what led here is what the caller hears. */
  #undo(): void {
    try {
      rollback(this.#connection);
    } catch {}
  }
}
