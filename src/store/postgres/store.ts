import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { storeUnavailable } from '../../schema/error.ts';
import { shownPlace } from '../address.ts';
import { confined } from '../confined.ts';
import { isUnfinished } from '../copy/unfinished.ts';
import { Mutex } from '../mutex.ts';
import type { Store } from '../store-interface.ts';
import type { CompanyDb, Tables } from '../tables.ts';
import type { TransactionObserver } from '../transaction-observer.ts';
import { databaseFailure, isRepeatable } from './failures.ts';
import { Lanes } from './lanes.ts';
import { Months, monthAfter } from './months.ts';
import { connected, openReaders, openWriters, READERS, WRITERS } from './pool.ts';
import { databaseState } from './state.ts';
import { type Body, inTransaction, type Purpose } from './transaction.ts';

/** How often a transaction is run that had to give way or lost its connection. */
const TRIES = 6;
/** The longest pause before the second, in ms; it doubles from one to the next. */
const FIRST_PAUSE_MS = 50;
/** Months whose readings have a place before the first of them comes, from the one before this. */
const MONTHS_AHEAD = [-1, 0, 1, 2];

/**
 * Opens the store in a database, and brings its tables up to date. A copy that is not whole is opened only to go on with
 * it, for which `isTarget` asks. Throws STORE_UNAVAILABLE, with the way out as the hint.
 */
export async function openDatabase(url: string, isTarget = false): Promise<Store> {
  const place = shownPlace(url);
  const readers = openReaders(url, place);
  try {
    const client = await connected(readers, place);
    const state = await databaseState(client, place).finally(() => client.release());
    if (state === 'unfinished' && !isTarget) throw isUnfinished(place);
    if (state !== 'current') {
      // Loaded for this alone: most starts find nothing to do.
      const { migrate } = await import('./migrate.ts');
      await migrate(url, place);
    }
    const writers = openWriters(url, place);
    return new PostgresStore(place, new Lanes(readers, place, READERS), new Lanes(writers, place, WRITERS));
  } catch (error) {
    await readers.end();
    throw databaseFailure(error, place);
  }
}

class PostgresStore implements Store {
  readonly #place: string;
  readonly #readers: Lanes;
  readonly #writers: Lanes;
  readonly #turns = new Map<number, Mutex>();
  readonly #months = new Months();
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(place: string, readers: Lanes, writers: Lanes) {
    this.#place = place;
    this.#readers = readers;
    this.#writers = writers;
  }

  read<T>(companyId: number, body: (db: CompanyDb) => Promise<T>, observer?: TransactionObserver): Promise<T> {
    return this.#run({ turn: 'none', owner: companyId, observer }, (db) => body(this.confine(db, companyId)));
  }

  write<T>(companyId: number, body: (db: CompanyDb) => Promise<T>, observer?: TransactionObserver): Promise<T> {
    return this.#inTurn({ turn: companyId, owner: companyId, observer }, (db) => body(this.confine(db, companyId)));
  }

  writeFor<T>(companyId: number, body: (db: Kysely<Tables>) => Promise<T>, observer?: TransactionObserver): Promise<T> {
    return this.#inTurn({ turn: companyId, owner: 'all', observer }, body);
  }

  readAll<T>(body: (db: Kysely<Tables>) => Promise<T>, observer?: TransactionObserver): Promise<T> {
    return this.#run({ turn: 'none', owner: 'all', observer }, body);
  }

  writeAll<T>(body: (db: Kysely<Tables>) => Promise<T>, observer?: TransactionObserver): Promise<T> {
    return this.#run({ turn: 'all', owner: 'all', observer }, body);
  }

  writeBeside<T>(body: (db: Kysely<Tables>) => Promise<T>, observer?: TransactionObserver): Promise<T> {
    return this.#run({ turn: 'beside', owner: 'all', observer }, body);
  }

  confine(db: Kysely<Tables>, companyId: number): CompanyDb {
    return confined(db, companyId);
  }

  keepAhead(now: number): Promise<void> {
    const starts = MONTHS_AHEAD.map((months) => monthAfter(now, months));
    if (this.#months.standAt(starts)) return Promise.resolve();
    return this.#run({ turn: 'beside', owner: 'all' }, (_, connection) => this.#months.make(connection, starts));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** The writes of a company queue up in their own process first, so that they hold one connection and not all. */
  async #inTurn<T>(purpose: Purpose & { readonly turn: number }, body: Body<T>): Promise<T> {
    const turn = this.#turns.get(purpose.turn) ?? new Mutex();
    this.#turns.set(purpose.turn, turn);
    return this.#counted(async () => {
      await turn.lock();
      try {
        return await this.#transaction(this.#writers, purpose, body);
      } finally {
        turn.unlock();
      }
    });
  }

  #run<T>(purpose: Purpose, body: Body<T>): Promise<T> {
    const lanes = purpose.turn === 'none' ? this.#readers : this.#writers;
    return this.#counted(() => this.#transaction(lanes, purpose, body));
  }

  /** What `close` waits for. */
  async #counted<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing) throw storeUnavailable(`The store ${this.#place} is closed.`, 'Start Acequia again.');
    const call = work();
    this.#running.add(call);
    try {
      return await call;
    } finally {
      this.#running.delete(call);
    }
  }

  /** Run again where it had to give way or the connection was lost, as long as nothing can have been kept of it. */
  async #transaction<T>(lanes: Lanes, purpose: Purpose, body: Body<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await inTransaction(await lanes.take(), purpose, this.#months, body);
      } catch (error) {
        // A snapshot makes none.
        if (purpose.turn !== 'none') this.#months.forget();
        if (tries >= TRIES || !isRepeatable(error)) throw databaseFailure(error, this.#place);
      }
      await pause(Math.random() * FIRST_PAUSE_MS * 2 ** tries);
    }
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#running);
    await Promise.all([this.#readers.close(), this.#writers.close()]);
  }
}
