import type { Pool, PoolClient } from 'pg';
import pg from 'pg';
import { BOUNDED_THINGS } from '../../domain/shares/bounded-things.ts';
import { type ShareLimits, Shares, type Taker } from '../../domain/shares/shares.ts';
import { say, verbatim } from '../../domain/text/say.ts';
import { storeBusyError, storeUnavailableError } from '../../schema/error.ts';
import { burstSocket } from './burst-socket.ts';
import { postgresConnectError } from './failures.ts';
import { Session, STATEMENT_TIMEOUT_MS } from './session.ts';

/**
 * Maximum connections of one process. Reads and writes have separate pools, so that neither waits
 * for the other.
 */
export const MAX_READERS = 6;
export const MAX_WRITERS = BOUNDED_THINGS.storeWriters.size;

/** A connection without an answer by then is given up, even if the network reports no error. */
const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 10_000;
const IDLE_TIMEOUT_MS = 30_000;

/**
 * Prepared queries of reads keep one plan for all values, since planning over all partitions takes
 * longer than reading.
 */
export const openReaders = (url: string, location: string, max = MAX_READERS): pg.Pool =>
  openPool(sessionAt(url, location, { plan_cache_mode: 'force_generic_plan' }), { max });

export const openWriters = (url: string, location: string): pg.Pool =>
  openPool(sessionAt(url, location), { max: MAX_WRITERS });

/** Shorter than for other statements, because a check of readiness must not wait for minutes. */
const WRITE_CHECK_TIMEOUT_MS = 5_000;

export const openWriteCheckPool = (url: string, location: string): pg.Pool =>
  openPool(sessionAt(url, location, { statement_timeout: String(WRITE_CHECK_TIMEOUT_MS) }), {
    max: 1,
    query_timeout: WRITE_CHECK_TIMEOUT_MS,
  });

function sessionAt(
  url: string,
  location: string,
  settings?: Readonly<Record<string, string>>,
): Session {
  try {
    // Throws if it cannot read the URL.
    new pg.Client({ connectionString: url });
    return new Session(url, settings);
  } catch {
    throw storeUnavailableError(
      say`The address of the database, ${verbatim(location)}, is not valid.`,
      say`Write it as postgres://user:password@host:5432/database, with special characters percent-encoded.`,
    );
  }
}

/**
 * pg leaves the socket of a client open that could not log in, such as one without a password, until
 * the server closes it after a minute.
 */
class EndedClient extends pg.Client {
  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error | null) => void): void;
  override connect(callback?: (error: Error | null) => void): Promise<pg.Client> | undefined {
    if (callback === undefined) return super.connect();
    super.connect((error: Error | null) => {
      if (error) void this.end().catch(() => undefined);
      callback(error);
    });
    return undefined;
  }
}

function openPool(session: Session, options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    ...session.config,
    Client: EndedClient,
    pipeline: true,
    stream: burstSocket,
    query_timeout: QUERY_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    onConnect: (client) => session.setUp(client),
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

/** Clients of two pools, which connect at the same time. */
export async function withClients<T>(
  [one, other]: readonly [Pool, Pool],
  location: string,
  body: (clients: readonly [PoolClient, PoolClient]) => Promise<T>,
): Promise<T> {
  const acquired = await Promise.allSettled([
    acquireClient(one, location),
    acquireClient(other, location),
  ]);
  try {
    const [first, second] = acquired;
    if (first.status === 'rejected') throw first.reason;
    if (second.status === 'rejected') throw second.reason;
    return await body([first.value, second.value]);
  } finally {
    for (const client of acquired) if (client.status === 'fulfilled') client.value.release();
  }
}

export async function withClient<T>(
  url: string,
  body: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const session = new Session(url);
  const client = new pg.Client(session.config);
  client.on('error', () => undefined);
  try {
    await session.connect(client);
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
 * Gives the connections in turn by company and by key, and waits for a free one itself, because
 * pg's own pool would count that wait as connection time.
 */
export class ConnectionPool {
  readonly #pool: Pool;
  readonly #location: string;
  readonly #turns: Shares;

  constructor(pool: Pool, location: string, limits: ShareLimits) {
    this.#pool = pool;
    this.#location = location;
    this.#turns = new Shares(limits, storeBusyError);
  }

  async acquire(taker: Taker): Promise<PooledConnection> {
    const turn = await this.#turns.take(taker);
    try {
      const client = await acquireClient(this.#pool, this.#location);
      return {
        client,
        release: (isReusable) => {
          client.release(!isReusable);
          turn.release();
        },
      };
    } catch (error) {
      turn.release();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}
