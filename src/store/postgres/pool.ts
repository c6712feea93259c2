import type { Pool, PoolClient } from 'pg';
import pg from 'pg';
import { MINUTE_MS } from '../../domain/periods.ts';
import { storeUnavailableError } from '../../schema/error.ts';
import { Mutex } from '../mutex.ts';
import { postgresConnectError } from './failures.ts';

/**
 * Maximum connections of one process. Reads and writes have separate pools, so that neither waits
 * for the other.
 */
export const MAX_READERS = 6;
export const MAX_WRITERS = 4;

const CONNECT_TIMEOUT_MS = 5_000;
const LOCK_TIMEOUT_MS = 30_000;
const STATEMENT_TIMEOUT_MS = 120_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = MINUTE_MS;
/** A connection without an answer by then is given up, even if the network reports no error. */
const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 10_000;
const IDLE_TIMEOUT_MS = 30_000;

const numericTypes: ReadonlySet<number> = new Set([
  pg.types.builtins.INT8,
  pg.types.builtins.NUMERIC,
]);

/** Returns the same values as SQLite: numbers for all numeric types, 1 and 0 for booleans. */
const typeParsers = {
  getTypeParser(oid: number, format: 'text' | 'binary' = 'text') {
    if (numericTypes.has(oid)) return Number;
    if (oid === pg.types.builtins.BOOL) return (text: string) => (text === 't' ? 1 : 0);
    return pg.types.getTypeParser(oid, format as 'text');
  },
} as pg.CustomTypesConfig;

const SESSION = { TimeZone: 'UTC', row_security: 'on', extra_float_digits: '1' };

export const clientConfig = (
  url: string,
  settings: Readonly<Record<string, string>> = {},
): pg.ClientConfig => ({
  connectionString: url,
  application_name: 'acequia',
  options: Object.entries({ ...SESSION, ...settings })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' '),
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  types: typeParsers,
});

function checkedClientConfig(
  url: string,
  location: string,
  settings?: Readonly<Record<string, string>>,
): pg.ClientConfig {
  try {
    // Throws if it cannot read the URL.
    new pg.Client({ connectionString: url });
    return clientConfig(url, settings);
  } catch {
    throw storeUnavailableError(
      `The address of the database, ${location}, is not valid.`,
      'Write it as postgres://user:password@host:5432/database, with special characters percent-encoded.',
    );
  }
}

/**
 * Prepared queries of reads keep one plan for all values, since planning over all partitions takes
 * longer than reading.
 */
export const openReaders = (url: string, location: string, max = MAX_READERS): pg.Pool =>
  openPool({
    ...checkedClientConfig(url, location, { plan_cache_mode: 'force_generic_plan' }),
    max,
  });

export const openWriters = (url: string, location: string): pg.Pool =>
  openPool({ ...checkedClientConfig(url, location), max: MAX_WRITERS });

/** Shorter than for other statements, because a check of readiness must not wait for minutes. */
const WRITE_CHECK_TIMEOUT_MS = 5_000;

export const openWriteCheckPool = (url: string, location: string): pg.Pool =>
  openPool({
    ...checkedClientConfig(url, location),
    max: 1,
    statement_timeout: WRITE_CHECK_TIMEOUT_MS,
    query_timeout: WRITE_CHECK_TIMEOUT_MS,
  });

function openPool(options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    pipeline: true,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    ...options,
  });
  // Without listeners a lost connection would end the process. Its next query fails anyway.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));

  return pool;
}

export const acquireClient = (pool: pg.Pool, location: string): Promise<pg.PoolClient> =>
  pool.connect().catch((error) => {
    throw postgresConnectError(error, location);
  });

export async function withClient<T>(
  url: string,
  body: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(clientConfig(url));
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await body(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

export interface PooledConnection {
  readonly client: PoolClient;
  release(isReusable: boolean): void;
}

/**
 * Waits for a free connection itself, because pg's own pool would count that wait as connection
 * time.
 */
export class ConnectionPool {
  readonly #pool: Pool;
  readonly #location: string;
  readonly #permits: Mutex;

  constructor(pool: Pool, location: string, size: number) {
    this.#pool = pool;
    this.#location = location;
    this.#permits = new Mutex(size);
  }

  async acquire(): Promise<PooledConnection> {
    await this.#permits.lock();
    try {
      const client = await acquireClient(this.#pool, this.#location);
      return {
        client,
        release: (isReusable) => {
          client.release(!isReusable);
          this.#permits.unlock();
        },
      };
    } catch (error) {
      this.#permits.unlock();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}
