import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { openStore } from '../../src/store/store.ts';
import { queryOnce, type TestPostgres } from './postgres-server.ts';

/** About as many as tests that run at the same time. */
const MAX_READY = 4;

export interface TestDatabases {
  emptyStore(): Promise<string>;
  create(what: 'nothing' | 'tables'): Promise<string>;
  copy(url: string): Promise<string>;
  release(url: string): Promise<void>;
  end(): Promise<void>;
}

/**
 * Empties every table that has rows, in place: a tenth of the time that a new database takes.
 * Partitions are kept.
 */
const TRUNCATE_TABLES = `
  do $$ declare filled text; begin
    set lock_timeout = '5s';
    select string_agg(oid::regclass::text, ', ') into filled from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely%'
        and pg_relation_size(oid) > 0;
    if filled is not null then execute 'truncate ' || filled || ' cascade'; end if;
    perform setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false) from pg_sequences
      where schemaname = 'public' and last_value is not null;
  end $$`;

export function testDatabasesOn(server: TestPostgres): TestDatabases {
  const run = `acequia_test_${randomBytes(4).toString('hex')}`;
  const ready: string[] = [];
  const stored = new Set<string>();
  const reusable = new Set<string>();
  let last = 0;
  const pool = new pg.Pool({
    connectionString: server.maintenanceUrl,
    max: 4,
    allowExitOnIdle: true,
  });
  pool.on('error', () => undefined);

  /** Copying files is faster if nothing is flushed to disk. */
  async function create(name: string, from: string): Promise<string> {
    await pool.query(`create database ${name} template ${from} strategy file_copy`);
    stored.add(name);
    return server.url(name);
  }
  async function drop(name: string): Promise<void> {
    const dropping = `drop database if exists ${name}`;
    // Only a superuser may end the server's own vacuuming; without force it yields.
    await pool.query(`${dropping} with (force)`).catch(() => pool.query(dropping));
    stored.delete(name);
  }
  const copy = (from: string): Promise<string> => create(`${run}_${++last}`, from);

  let template: Promise<string> | undefined;
  async function makeTemplate(): Promise<string> {
    const name = `${run}_tables`;
    const store = await openStore({ db: await create(name, 'template0') });
    await store.close();
    return name;
  }
  const withTables = async (): Promise<string> => {
    template ??= makeTemplate();
    return copy(await template);
  };

  return {
    async emptyStore() {
      const url = ready.pop() ?? (await withTables());
      reusable.add(nameIn(url));
      return url;
    },
    create: (what) => (what === 'nothing' ? copy('template0') : withTables()),
    copy: (url) => copy(nameIn(url)),
    async release(url) {
      const name = nameIn(url);
      if (!stored.has(name)) return;
      const isEmptied =
        reusable.delete(name) &&
        ready.length < MAX_READY &&
        (await queryOnce(url, TRUNCATE_TABLES).then(
          () => true,
          () => false,
        ));
      if (isEmptied) ready.push(url);
      else await drop(name);
    },
    async end() {
      for (const name of stored) await drop(name);
      await pool.end();
    },
  };
}

const nameIn = (url: string): string => new URL(url).pathname.slice(1);
