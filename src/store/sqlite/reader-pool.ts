import type { Kysely } from 'kysely';
import type { TransactionObserver } from '../transaction-observer.ts';
import { openSqliteConnection, type SqliteConnection } from './connection.ts';
import { QueuedConnection } from './queued-connection.ts';

/**
 * More than the reads that one key may have in progress, so that long reads do not delay the short
 * ones of others.
 */
const MAX_CONNECTIONS = 8;

/** Connections that read one file. They are opened as needed, the first one excepted. */
export class ReaderPool<T> {
  readonly #file: string;
  readonly #connections: QueuedConnection<T>[];

  constructor(file: string, first: SqliteConnection) {
    this.#file = file;
    this.#connections = [new QueuedConnection(first, 'reader')];
  }

  transaction<R>(body: (db: Kysely<T>) => Promise<R>, observer?: TransactionObserver): Promise<R> {
    const idle = this.#connections.find(({ pendingCount }) => pendingCount === 0);
    return idle ? idle.transaction(body, observer) : this.#runOnAnother(body, observer);
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  async #runOnAnother<R>(
    body: (db: Kysely<T>) => Promise<R>,
    observer?: TransactionObserver,
  ): Promise<R> {
    const connection = (await this.#openAnother()) ?? this.#leastBusy();
    return connection.transaction(body, observer);
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
