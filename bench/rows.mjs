/** The rows of a store in a file, and plain inserts of them. */
import { copyFile, rm } from 'node:fs/promises';
import { DatabaseSync } from '@photostructure/sqlite';

export const filesOf = (db) => [db, `${db}-wal`, `${db}-shm`];

/** The rows of a table, with their columns. */
export function contentsOf(db, table) {
  const database = new DatabaseSync(db);
  const columns = database
    .prepare(`select name from pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => name);
  const rows = database
    .prepare(`select * from ${table} order by id`)
    .all()
    .map((row) => columns.map((name) => row[name]));
  database.close();
  return { table, columns, rows };
}

function insertAll(database, { table, columns, rows }) {
  const insert = database.prepare(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  );
  for (const row of rows) insert.run(...row);
}

/** Seconds of prepared inserts of the same rows, one by one, in one transaction, into a copy of the same farm. */
export async function insertOnce(empty, db, tables) {
  await copyFile(empty, db);
  const database = new DatabaseSync(db);
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
  const begun = performance.now();
  database.exec('begin immediate');
  for (const table of tables) insertAll(database, table);
  database.exec('commit');
  const seconds = (performance.now() - begun) / 1000;
  database.close();
  for (const file of filesOf(db)) await rm(file, { force: true });
  return seconds;
}
