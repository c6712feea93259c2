/** The rows of a store in a database as inserts, a thousand rows per statement, and the time that they take. */
import { withClient } from './server.mjs';

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

/** Seconds, on tables of the same shape. */
export const insertOnce = (db, statements) =>
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

/** Inserts of all schedules and waterings of a store, which has `count` waterings. */
export const insertsOf = (url, count) =>
  withClient(url, async (client) => {
    const all = [];
    for (const table of TABLES) all.push(await rowsOf(client, table));
    if (all[1].count !== count) throw new Error(`${all[1].count} waterings are not ${count}`);
    return all.flatMap(({ table, parts }) => parts.map((part) => inserting(table, part)));
  });
