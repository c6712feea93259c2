/**
 * Creation of a schedule of 54,000 waterings with their doses on PostgreSQL, by create_schedule of the built server,
 * against inserts of the same rows, a thousand per statement, in one transaction on tables of the same shape.
 */
import { figure, inTurn, rounds } from '../figures.mjs';
import { bringIn } from '../program.mjs';
import { EVENTS, farm, secondsToCreate } from '../schedule-of-parcel.mjs';
import { withClient, withServer } from './server.mjs';

const ROWS_AT_ONCE = 1_000;
const TABLES = ['schedules', 'waterings'];

async function rowsOf(client, table) {
  const { rows } = await client.query(`select to_jsonb(${table}) as row from ${table} order by id`);
  const parts = [];
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    parts.push(rows.slice(at, at + ROWS_AT_ONCE).map(({ row }) => row));
  return { table, count: rows.length, parts };
}

/** The server infers the type of each value from its column. */
function inserting(table, rows) {
  const columns = Object.keys(rows[0]);
  const literal = (value) => (value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`);
  const values = rows.map((row) => `(${columns.map((column) => literal(row[column])).join()})`);
  return `insert into plain.${table} (${columns.join()}) overriding system value values ${values.join()}`;
}

const insertOnce = (db, statements) =>
  withClient(db, async (client) => {
    await client.query('create schema plain');
    for (const table of TABLES) await client.query(`create table plain.${table} (like ${table} including all)`);
    const begun = performance.now();
    await client.query('begin');
    for (const statement of statements) await client.query(statement);
    await client.query('commit');
    const seconds = (performance.now() - begun) / 1000;
    await client.query('drop schema plain cascade');
    return seconds;
  });

await withServer(async ({ empty, copy, drop }) => {
  const stock = await empty();
  await bringIn(stock, farm);
  const database = await copy(stock);
  await secondsToCreate(database);
  const statements = await withClient(database, async (client) => {
    const all = [];
    for (const table of TABLES) all.push(await rowsOf(client, table));
    if (all[1].count !== EVENTS) throw new Error(`${all[1].count} waterings are not ${EVENTS}`);
    return all.flatMap(({ table, parts }) => parts.map((rows) => inserting(table, rows)));
  });
  const durations = await inTurn(rounds(10), {
    baseline: () => insertOnce(database, statements),
    measured: async () => {
      const db = await copy(stock);
      const seconds = await secondsToCreate(db);
      await drop(db);
      return seconds;
    },
  });
  figure({
    what: 'PostgreSQL: 12 daily start times on a parcel of 50 probes, 90 days (54,000 events), doses included',
    against: 'inserts of the same rows, 1,000 a statement, in one transaction on the same server',
    unit: 's',
    digits: 2,
    ...durations,
    reach: 3,
  });
});
