/**
 * Creation of a schedule with 12 daily start times on a parcel of 50 probes: 54,000 waterings of 90 days with their
 * doses, by create_schedule of the built server, against prepared inserts of the same rows in one transaction on a
 * file of the same kind.
 */
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { figure, inTurn, rounds } from './figures.mjs';
import { bringIn, inFolder } from './program.mjs';
import { EVENTS, farm, secondsToCreate } from './schedule-of-parcel.mjs';

const ROUNDS = rounds(10);

const filesOf = (db) => [db, `${db}-wal`, `${db}-shm`];

async function createOnce(empty, db) {
  await copyFile(empty, db);
  return secondsToCreate(db);
}

function contentsOf(db, table) {
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

async function insertOnce(empty, db, schedules, waterings) {
  await copyFile(empty, db);
  const database = new DatabaseSync(db);
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
  const begun = performance.now();
  database.exec('begin immediate');
  insertAll(database, schedules);
  insertAll(database, waterings);
  database.exec('commit');
  const seconds = (performance.now() - begun) / 1000;
  database.close();
  for (const file of filesOf(db)) await rm(file, { force: true });
  return seconds;
}

await inFolder(async (folder) => {
  const empty = join(folder, 'farm.db');
  await bringIn(empty, farm);
  const made = join(folder, 'made.db');
  await createOnce(empty, made);
  const schedules = contentsOf(made, 'schedules');
  const waterings = contentsOf(made, 'waterings');
  const doses = waterings.rows.filter((row) => row[waterings.columns.indexOf('water_mm')] !== null).length;
  if (waterings.rows.length !== EVENTS || doses !== EVENTS)
    throw new Error(`${waterings.rows.length} waterings, of which ${doses} have a dose, are not ${EVENTS}`);

  const durations = await inTurn(ROUNDS, {
    baseline: () => insertOnce(empty, join(folder, 'baseline.db'), schedules, waterings),
    measured: async () => {
      const db = join(folder, 'measured.db');
      const seconds = await createOnce(empty, db);
      for (const each of filesOf(db)) await rm(each, { force: true });
      return seconds;
    },
  });
  figure({
    what: '12 daily start times on a parcel of 50 probes, 90 days (54,000 events), doses included',
    against: 'inserts of the same rows in one transaction',
    unit: 's',
    digits: 2,
    ...durations,
    reach: 3,
  });
});
