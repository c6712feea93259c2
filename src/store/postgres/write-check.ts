import type { Pool } from 'pg';
import { firstOf } from '../../domain/items.ts';
import { isTransactionRetryable, postgresStoreError, readOnlyServerError } from './failures.ts';
import { acquireClient, openWriteCheckPool } from './pool.ts';

/** Reads a table too, so that a database without the tables does not pass. */
const SERVER_STATE = `select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as "readOnly",
  exists (select from companies) as answers`;

/**
 * A pooled connection may lead to a server that is no longer the primary. The second attempt uses a
 * new one.
 */
const MAX_ATTEMPTS = 2;

/**
 * Finds out whether the server accepts writes, on a connection of its own, so that it never waits
 * for transactions. Callers at the same moment share one check.
 */
export class WriteCheck {
  readonly #pool: Pool;
  readonly #location: string;
  #running: Promise<void> | null = null;

  constructor(url: string, location: string) {
    this.#pool = openWriteCheckPool(url, location);
    this.#location = location;
  }

  /** Throws STORE_UNAVAILABLE if the server cannot be reached, is a standby, or is read-only. */
  run(): Promise<void> {
    this.#running ??= this.#check().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  async #check(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        if (await this.#acceptsWrites()) return;
        if (attempt === MAX_ATTEMPTS) throw readOnlyServerError(this.#location);
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isTransactionRetryable(error))
          throw postgresStoreError(error, this.#location);
      }
    }
  }

  /** Keeps the connection only if it leads to a server that accepts writes. */
  async #acceptsWrites(): Promise<boolean> {
    const client = await acquireClient(this.#pool, this.#location);
    let isWritable = false;
    try {
      // Our type parser reads booleans as 1 and 0 (pool.ts).
      const { rows } = await client.query<{ standby: 0 | 1; readOnly: 0 | 1 }>(SERVER_STATE);
      isWritable = firstOf(rows).standby === 0 && firstOf(rows).readOnly === 0;
      return isWritable;
    } finally {
      client.release(!isWritable);
    }
  }
}
