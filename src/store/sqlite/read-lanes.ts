import type { Kysely } from 'kysely';
import type { TransactionObserver } from '../transaction-observer.ts';
import { openConnection, type SqliteConnection } from './connection.ts';
import { Lane } from './lane.ts';

/** Connections that read at once, at most: a long read must not keep short ones waiting. */
const MOST = 4;

/** Reads side by side, each in a snapshot of its own. */
export class ReadLanes<T> {
  readonly #file: string;
  readonly #lanes: Lane<T>[];

  constructor(file: string, first: SqliteConnection) {
    this.#file = file;
    this.#lanes = [new Lane(first, 'reader')];
  }

  /** Runs `body` where nothing else runs, or where the fewest do. */
  transaction<R>(body: (db: Kysely<T>) => Promise<R>, observer?: TransactionObserver): Promise<R> {
    return this.#free()?.transaction(body, observer) ?? this.#beside(body, observer);
  }

  close(): void {
    for (const lane of this.#lanes) lane.close();
  }

  #free(): Lane<T> | undefined {
    for (const lane of this.#lanes) if (lane.asked === 0) return lane;
    return undefined;
  }

  async #beside<R>(body: (db: Kysely<T>) => Promise<R>, observer?: TransactionObserver): Promise<R> {
    const lane = (await this.#another()) ?? this.#leastBusy();
    return lane.transaction(body, observer);
  }

  #leastBusy(): Lane<T> {
    return this.#lanes.reduce((least, each) => (each.asked < least.asked ? each : least));
  }

  /** One more where there may be more; null where none can be opened, as those that there are serve too. */
  async #another(): Promise<Lane<T> | null> {
    if (this.#lanes.length >= MOST) return null;
    const connection = await openConnection(this.#file, 'reader').catch(() => null);
    if (connection === null) return null;
    // Calls of the same moment may have opened theirs meanwhile.
    if (this.#lanes.length >= MOST) {
      connection.close();
      return null;
    }
    const lane = new Lane<T>(connection, 'reader');
    this.#lanes.push(lane);
    return lane;
  }
}
