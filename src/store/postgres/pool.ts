import type { Pool, PoolClient } from 'pg';
import pg from 'pg';
import { storeUnavailable } from '../../schema/error.ts';
import { Mutex } from '../mutex.ts';
import { postgresConnectError } from './failures.ts';

/** Connections of one process, at most: for reads, and for writes beside them, so that neither keeps the other waiting. */
export const MAX_READERS = 6;
export const MAX_WRITERS = 4;

/** How long a connection may take to be made, in ms. */
const CONNECT_TIMEOUT_MS = 5_000;
/** How long a company's turn or a row is waited for, in ms: as long as for a file that another program holds. */
const LOCK_TIMEOUT_MS = 30_000;
/** How long one statement may take, and how long a transaction may hold its locks while nothing is asked; in ms. */
const STATEMENT_TIMEOUT_MS = 120_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;
/** A server that has not answered by then is gone, whatever the network says; in ms. */
const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 10_000;
/** How long a connection is kept that nobody uses, in ms. */
const IDLE_TIMEOUT_MS = 30_000;

/** OIDs of the built-in types that come as text, or as words of their own, unless told. */
const numericTypes: ReadonlySet<number> = new Set([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);

/** The same values as SQLite gives: every number a number, and what is true or false 1 or 0. */
const typeParsers = {
  getTypeParser(oid: number, format: 'text' | 'binary' = 'text') {
    if (numericTypes.has(oid)) return Number;
    if (oid === pg.types.builtins.BOOL) return (text: string) => (text === 't' ? 1 : 0);
    return pg.types.getTypeParser(oid, format as 'text');
  },
} as pg.CustomTypesConfig;

/** What every session is set to, whatever the server's own defaults. */
const SESSION = { TimeZone: 'UTC', row_security: 'on', extra_float_digits: '1' };

const clientConfig = (url: string, more: Readonly<Record<string, string>> = {}): pg.ClientConfig => ({
  connectionString: url,
  application_name: 'acequia',
  options: Object.entries({ ...SESSION, ...more })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' '),
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  types: typeParsers,
});

/** What is wrong with a URL is told without it: it may hold a password. */
function checkedClientConfig(url: string, place: string, more?: Readonly<Record<string, string>>): pg.ClientConfig {
  try {
    // Reads the URL, and the files of certificates that it names.
    new pg.Client({ connectionString: url });
    return clientConfig(url, more);
  } catch {
    throw storeUnavailable(
      `The address of the database, ${place}, cannot be read.`,
      'Write it as postgres://user:password@host:5432/database, with % signs for what a URL cannot hold.',
    );
  }
}

/**
 * Connections for transactions that only read. What is asked of them comes again and again, with a plan that serves
 * whatever the values: to plan over all months of readings takes longer than to read.
 */
export const openReaders = (url: string, place: string, max = MAX_READERS): pg.Pool =>
  openPool({ ...checkedClientConfig(url, place, { plan_cache_mode: 'force_generic_plan' }), max });

/** Connections for transactions that write. */
export const openWriters = (url: string, place: string): pg.Pool =>
  openPool({ ...checkedClientConfig(url, place), max: MAX_WRITERS });

/**
 * Connections that send their statements without waiting for the answers before. What befalls one that nobody uses is no
 * matter.
 */
function openPool(options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    ...options,
    pipeline: true,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
  });
  // Without a listener the end of a connection would be the end of the process; its next query tells of it.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool;
}

/** A connection of the pool; who asks gives it back. */
export const acquireClient = (pool: pg.Pool, place: string): Promise<pg.PoolClient> =>
  pool.connect().catch((error) => {
    throw postgresConnectError(error, place);
  });

/** One connection without a limit on time, for what changes the tables. Ends it when `body` has. */
export async function withClient<T>(url: string, body: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const client = new pg.Client(clientConfig(url));
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await body(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** A connection for one transaction. */
export interface PooledConnection {
  readonly client: PoolClient;
  /** Closes the connection unless it is reusable. */
  release(isReusable: boolean): void;
}

/**
 * At most `size` connections, given out in the order of the requests. pg's own pool would count the time that a request
 * waits for its turn as time to connect, and end it after CONNECT_TIMEOUT_MS.
 */
export class ConnectionPool {
  readonly #pool: Pool;
  readonly #place: string;
  readonly #slots: Mutex;

  constructor(pool: Pool, place: string, size: number) {
    this.#pool = pool;
    this.#place = place;
    this.#slots = new Mutex(size);
  }

  async acquire(): Promise<PooledConnection> {
    await this.#slots.lock();
    try {
      const client = await acquireClient(this.#pool, this.#place);
      return {
        client,
        release: (isReusable) => {
          client.release(!isReusable);
          this.#slots.unlock();
        },
      };
    } catch (error) {
      this.#slots.unlock();
      throw error;
    }
  }

  /** Waits for the connections in use. */
  close(): Promise<void> {
    return this.#pool.end();
  }
}
