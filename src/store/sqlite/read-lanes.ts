import type { Kysely } from 'kysely';
import type { TransactionObserver } from '../transaction-observer.ts';
import { openConnection, type SqliteConnection } from './connection.ts';
import { Lane } from './lane.ts';

/** Connections that read at once, at most: a long read must not keep short ones waiting. */
const MOST = 4;

interface Place<T> {
  readonly lane: Lane<T>;
  running: number;
}

/** Reads side by side, each in a snapshot of its own. */
export class ReadLanes<T> {
  readonly #file: string;
  readonly #lanes: Place<T>[];

  constructor(file: string, first: SqliteConnection) {
    this.#file = file;
    this.#lanes = [{ lane: new Lane(first, 'reader'), running: 0 }];
  }

  /** Runs `body` where nothing else runs, or where the fewest do. */
  async transaction<R>(body: (db: Kysely<T>) => Promise<R>, observer?: TransactionObserver): Promise<R> {
    const place = this.#free() ?? (await this.#another()) ?? this.#leastBusy();
    place.running++;
    try {
      return await place.lane.transaction(body, observer);
    } finally {
      place.running--;
    }
  }

  close(): void {
    for (const { lane } of this.#lanes) lane.close();
  }

  #free(): Place<T> | undefined {
    return this.#lanes.find(({ running }) => running === 0);
  }

  #leastBusy(): Place<T> {
    return this.#lanes.reduce((least, each) => (each.running < least.running ? each : least));
  }

  /** One more where there may be more; null where none can be opened, as those that there are serve too. */
  async #another(): Promise<Place<T> | null> {
    if (this.#lanes.length >= MOST) return null;
    const connection = await openConnection(this.#file, 'reader').catch(() => null);
    if (connection === null) return null;
    // Calls of the same moment may have opened theirs meanwhile.
    if (this.#lanes.length >= MOST) {
      connection.close();
      return null;
    }
    const place = { lane: new Lane<T>(connection, 'reader'), running: 0 };
    this.#lanes.push(place);
    return place;
  }
}
