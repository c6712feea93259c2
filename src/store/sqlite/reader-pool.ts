import type { Kysely } from 'kysely';
import type { TransactionObserver } from '../transaction-observer.ts';
import { openSqliteConnection, type SqliteConnection } from './connection.ts';
import { QueuedConnection } from './queued-connection.ts';

/** Connections that read at once, at most: a long read must not keep short ones waiting. */
const MAX_CONNECTIONS = 4;

/** Reads side by side, each in a snapshot of its own. */
export class ReaderPool<T> {
  readonly #file: string;
  readonly #connections: QueuedConnection<T>[];

  constructor(file: string, first: SqliteConnection) {
    this.#file = file;
    this.#connections = [new QueuedConnection(first, 'reader')];
  }

  /** Runs `body` where nothing else runs, or where the fewest do. */
  transaction<R>(body: (db: Kysely<T>) => Promise<R>, observer?: TransactionObserver): Promise<R> {
    return this.#idle()?.transaction(body, observer) ?? this.#runOnAnother(body, observer);
  }

  close(): void {
    for (const lane of this.#connections) lane.close();
  }

  #idle(): QueuedConnection<T> | undefined {
    for (const lane of this.#connections) if (lane.pendingCount === 0) return lane;
    return undefined;
  }

  async #runOnAnother<R>(body: (db: Kysely<T>) => Promise<R>, observer?: TransactionObserver): Promise<R> {
    const lane = (await this.#openAnother()) ?? this.#leastBusy();
    return lane.transaction(body, observer);
  }

  #leastBusy(): QueuedConnection<T> {
    return this.#connections.reduce((least, each) => (each.pendingCount < least.pendingCount ? each : least));
  }

  /** One more where there may be more; null where none can be opened, as those that there are serve too. */
  async #openAnother(): Promise<QueuedConnection<T> | null> {
    if (this.#connections.length >= MAX_CONNECTIONS) return null;
    const connection = await openSqliteConnection(this.#file, 'reader').catch(() => null);
    if (connection === null) return null;
    // Calls of the same moment may have opened theirs meanwhile.
    if (this.#connections.length >= MAX_CONNECTIONS) {
      connection.close();
      return null;
    }
    const lane = new QueuedConnection<T>(connection, 'reader');
    this.#connections.push(lane);
    return lane;
  }
}
