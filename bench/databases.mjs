/**
 * The databases of a figure that is measured on both stores: files in a temporary folder, or with
 * the argument `postgres` databases of one server. Both sides of a figure use the same kind.
 */
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { inFolder } from './program.mjs';
import { sized } from './sizes.mjs';

export const isPostgres = process.argv[2] === 'postgres';

/** On PostgreSQL every call waits for the server, so fewer calls give an equally stable median. */
export const COUNTS = sized(
  isPostgres ? { warmUp: 300, calls: 500 } : { warmUp: 1500, calls: 1000 },
  { warmUp: 1, calls: 2 },
);

/** Prefix of the description of a figure. */
export const title = isPostgres ? 'PostgreSQL: ' : '';

/**
 * Runs `body` with `empty()`, which creates an empty database, `copy(db)`, `drop(db)`, `rowsOf(db,
 * table)`, and `plainInserts({ stock, filled, tables })`, which returns a function that inserts the
 * rows in one transaction, beside the data of `stock`, and returns the seconds that it took.
 * `analyze(db)` gives a server its statistics.
 */
export async function withDatabases(body) {
  if (!isPostgres) return inFolder((folder) => body(files(folder)));
  const { analyze, plainInserts, rowsOf, withServer } = await import('./postgres.mjs');
  return withServer((server) => body({ ...server, analyze, rowsOf, plainInserts }));
}

function files(folder) {
  let count = 0;
  const empty = async () => join(folder, `${++count}.db`);
  const copy = async (db) => {
    const to = await empty();
    await copyFile(db, to);
    return to;
  };
  const drop = async (db) => {
    for (const file of [db, `${db}-wal`, `${db}-shm`]) await rm(file, { force: true });
  };
  const plainInserts = ({ stock, tables }) => {
    const inserts = Object.entries(tables).map(([table, rows]) => insertOf(table, rows));
    return async () => {
      const db = await copy(stock);
      const seconds = insertAll(db, inserts);
      await drop(db);
      return seconds;
    };
  };
  return { empty, copy, drop, rowsOf, plainInserts, analyze: async () => undefined };
}

/** Without the columns that SQLite computes, which an insert may not name. */
async function rowsOf(db, table) {
  const database = new DatabaseSync(db);
  const columns = database.prepare(`select name from pragma_table_info('${table}')`).all();
  const names = columns.map(({ name }) => name).join(', ');
  const rows = database.prepare(`select ${names} from ${table} order by id`).all();
  database.close();
  return rows;
}

function insertOf(table, rows) {
  const columns = Object.keys(rows[0]);
  return {
    sql: `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    values: rows.map((row) => columns.map((column) => row[column])),
  };
}

/** One row after the other, with prepared statements. */
function insertAll(db, inserts) {
  const database = new DatabaseSync(db);
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
  const startedMs = performance.now();
  database.exec('begin immediate');
  for (const { sql, values } of inserts) {
    const insert = database.prepare(sql);
    for (const row of values) insert.run(...row);
  }
  database.exec('commit');
  const seconds = (performance.now() - startedMs) / 1000;
  database.close();
  return seconds;
}
