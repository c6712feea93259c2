import type { Pool, PoolClient } from 'pg';
import { Mutex } from '../mutex.ts';
import { connected } from './pool.ts';

/** A connection for one transaction. Once that has ended it is given back; `inOrder` tells whether it may serve again. */
export interface Lane {
  readonly client: PoolClient;
  giveBack(inOrder: Promise<boolean>): void;
}

/** Connections, and the places to wait for one in: who came first is served first, however long that takes. */
export class Lanes {
  readonly #pool: Pool;
  readonly #place: string;
  readonly #places: Mutex;
  /** The end of the last transaction that gave its connection back. */
  #ending: Promise<void> = Promise.resolve();

  constructor(pool: Pool, place: string, count: number) {
    this.#pool = pool;
    this.#place = place;
    this.#places = new Mutex(count);
  }

  async take(): Promise<Lane> {
    await this.#places.lock();
    try {
      // One that is about to be free is there sooner than a new one.
      if (this.#pool.idleCount === 0) await this.#ending;
      const client = await connected(this.#pool, this.#place);
      return { client, giveBack: (inOrder) => this.#giveBack(client, inOrder) };
    } catch (error) {
      this.#places.unlock();
      throw error;
    }
  }

  /** Waits for the connections that are in use. */
  close(): Promise<void> {
    return this.#pool.end();
  }

  #giveBack(client: PoolClient, inOrder: Promise<boolean>): void {
    this.#ending = inOrder.then((isInOrder) => {
      client.release(!isInOrder);
      this.#places.unlock();
    });
  }
}
