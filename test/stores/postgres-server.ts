import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import pg from 'pg';
import { type PostgresProcess, startPostgres } from './embedded-postgres.ts';

export interface TestPostgres {
  /**
   * The URL of a database for the role of the tests, which is not a superuser if the server is our
   * own.
   */
  url(database: string): string;
  /**
   * The URL of the database `postgres`, for the role of the tests and for a superuser (for
   * ACEQUIA_TEST_PG the same).
   */
  readonly maintenanceUrl: string;
  readonly adminUrl: string;
  stop(): Promise<void>;
}

export type EmbeddedPostgresServer = TestPostgres & PostgresProcess;

const ROLE = 'acequia';

/**
 * A server that lives for one run need not survive a power cut, and gathers no statistics: the rows
 * of one test say nothing about the next.
 */
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '300',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  jit: 'off',
  max_wal_size: '256MB',
  autovacuum: 'off',
  // Each connection checks a password.
  scram_iterations: '1',
};

export async function startServer(): Promise<TestPostgres> {
  const configured = process.env.ACEQUIA_TEST_PG;
  if (!configured) return startEmbeddedServer();
  const url = (database: string): string =>
    Object.assign(new URL(configured), { pathname: `/${database}` }).href;
  await queryOnce(configured, 'select 1');
  return { url, maintenanceUrl: configured, adminUrl: configured, stop: async () => undefined };
}

export async function startEmbeddedServer(
  moreSettings: Readonly<Record<string, string>> = {},
  parent = tmpdir(),
): Promise<EmbeddedPostgresServer> {
  const port = await freePort();
  const password = randomBytes(12).toString('hex');
  const at = (user: string) => (database: string) =>
    `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
  const settings = { ...SETTINGS, ...moreSettings };
  const server = await startPostgres({ parent, port, password, settings });
  try {
    await queryOnce(
      at('postgres')('postgres'),
      `create role ${ROLE} login createdb password '${password}'`,
    );
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    ...server,
    url: at(ROLE),
    maintenanceUrl: at(ROLE)('postgres'),
    adminUrl: at('postgres')('postgres'),
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export async function queryOnce(url: string, query: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  // The query itself rejects.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(query)).rows;
  } finally {
    await client.end();
  }
}
