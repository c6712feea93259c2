import type { Pool, PoolClient } from 'pg';
import { Mutex } from '../mutex.ts';
import { acquireClient } from './pool.ts';

/** A connection for one transaction. Once that has ended it is given back; `inOrder` tells whether it may serve again. */
export interface PooledConnection {
  readonly client: PoolClient;
  release(inOrder: Promise<boolean>): void;
}

/** Connections, and the places to wait for one in: who came first is served first, however long that takes. */
export class ConnectionPool {
  readonly #pool: Pool;
  readonly #place: string;
  readonly #slots: Mutex;
  /** The end of the last transaction that gave its connection back. */
  #lastRelease: Promise<void> = Promise.resolve();

  constructor(pool: Pool, place: string, count: number) {
    this.#pool = pool;
    this.#place = place;
    this.#slots = new Mutex(count);
  }

  async acquire(): Promise<PooledConnection> {
    await this.#slots.lock();
    try {
      // One that is about to be free is there sooner than a new one.
      if (this.#pool.idleCount === 0) await this.#lastRelease;
      const client = await acquireClient(this.#pool, this.#place);
      return { client, release: (inOrder) => this.#release(client, inOrder) };
    } catch (error) {
      this.#slots.unlock();
      throw error;
    }
  }

  /** Waits for the connections that are in use. */
  close(): Promise<void> {
    return this.#pool.end();
  }

  #release(client: PoolClient, inOrder: Promise<boolean>): void {
    this.#lastRelease = inOrder.then((isInOrder) => {
      client.release(!isInOrder);
      this.#slots.unlock();
    });
  }
}
