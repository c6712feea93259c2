/**
 * The server named by ACEQUIA_BENCH_PG, or a temporary one with the defaults of PostgreSQL except
 * `max_wal_size`. Both sides of a figure use the same one.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import pg from 'pg';

const ROLE = 'acequia';
const SETTINGS = {
  max_wal_size: '4GB',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
};

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** Starts the server of the tests. If called by root, it runs as an existing unprivileged user. */
async function startPostgres(options) {
  const outfile = fileURLToPath(new URL('../dist/embedded-postgres.tmp.mjs', import.meta.url));
  await build({
    entryPoints: [fileURLToPath(new URL('../test/stores/embedded-postgres.ts', import.meta.url))],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  });
  try {
    return await (await import(outfile)).startPostgres(options);
  } finally {
    await rm(outfile);
  }
}

/**
 * An ordinary role creates the databases, because row-level security does not apply to a superuser.
 */
async function ownServer() {
  const port = await freePort();
  const password = randomBytes(12).toString('hex');
  const server = await startPostgres({ parent: tmpdir(), port, password, settings: SETTINGS });
  const at = (user) => `postgres://${user}:${password}@127.0.0.1:${port}/postgres`;
  try {
    await withClient(at('postgres'), (client) =>
      client.query(`create role ${ROLE} login createdb password '${password}'`),
    );
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { home: at(ROLE), stop: () => server.stop() };
}

export async function withClient(url, body) {
  const client = new pg.Client({ connectionString: url, options: '-c acequia.company=all' });
  await client.connect();
  try {
    return await body(client);
  } finally {
    await client.end();
  }
}

/** Deletes the databases afterwards. */
export async function withServer(body) {
  const chosenServer = process.env.ACEQUIA_BENCH_PG;
  const { home, stop } = chosenServer
    ? { home: chosenServer, stop: async () => undefined }
    : await ownServer();
  const run = `acequia_bench_${randomBytes(4).toString('hex')}`;
  const urlOf = (name) => Object.assign(new URL(home), { pathname: `/${name}` }).href;
  const ask = (query) => withClient(home, (client) => client.query(query));

  const databases = new Set();
  const nameIn = (url) => new URL(url).pathname.slice(1);
  const drop = async (url) => {
    // With `force` an autovacuum makes the statement fail; without it the server ends the
    // autovacuum.
    await ask(`drop database if exists ${nameIn(url)} with (force)`).catch(() =>
      ask(`drop database if exists ${nameIn(url)}`),
    );
    databases.delete(url);
  };

  const create = async (template = 'template0') => {
    const url = urlOf(`${run}_${databases.size + 1}_${randomBytes(2).toString('hex')}`);
    await ask(`create database ${nameIn(url)} template ${template}`);
    databases.add(url);
    return url;
  };

  try {
    return await body({ empty: () => create(), copy: (url) => create(nameIn(url)), drop });
  } finally {
    for (const url of databases) await drop(url);
    await stop();
  }
}

/**
 * As autovacuum does within a minute. Without statistics the server chooses plans for tables of any
 * size.
 */
export const analyze = (db) => withClient(db, (client) => client.query('analyze'));

const ROWS_AT_ONCE = 1_000;

/** Without the columns that the server computes, which an insert may not name. */
export const rowsOf = (db, table) =>
  withClient(db, async (client) => {
    const generated = `select coalesce(array_agg(attname::text), '{}') from pg_attribute
      where attrelid = '${table}'::regclass and attgenerated <> ''`;
    const { rows } = await client.query(
      `select to_jsonb(${table}) - (${generated}) as row from ${table} order by id`,
    );
    return rows.map(({ row }) => row);
  });

/** A thousand rows per statement. The server infers the type of each value from its column. */
function insertsOf(table, rows) {
  const columns = Object.keys(rows[0]);
  const literal = (value) => (value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`);
  const statements = [];
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const values = rows
      .slice(at, at + ROWS_AT_ONCE)
      .map((row) => `(${columns.map((column) => literal(row[column])).join()})`);
    statements.push(
      `insert into plain.${table} (${columns.join()}) overriding system value values ${values.join()}`,
    );
  }
  return statements;
}

/** Inserts into tables of the same shape beside those of the store. */
export function plainInserts({ filled, tables }) {
  const statements = Object.entries(tables).flatMap(([table, rows]) => insertsOf(table, rows));
  return () =>
    withClient(filled, async (client) => {
      await client.query('create schema plain');
      for (const table of Object.keys(tables))
        await client.query(`create table plain.${table} (like ${table} including all)`);
      const startedMs = performance.now();
      await client.query('begin');
      for (const statement of statements) await client.query(statement);
      await client.query('commit');
      const seconds = (performance.now() - startedMs) / 1000;
      await client.query('drop schema plain cascade');
      return seconds;
    });
}
