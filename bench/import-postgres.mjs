/**
 * Import of a million rows of CSV into PostgreSQL by the program, from its start to its end,
 * against a plain COPY of the same rows and the two statements that add them up, in one transaction
 * on a table of the same shape.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { from as copyFrom } from 'pg-copy-streams';
import { childEnvironment } from './client.mjs';
import { figure, inTurn } from './figures.mjs';
import { DEPTHS, MODULES, ROWS, reading, writeReadings, ZONE } from './million-readings.mjs';
import { withClient, withServer } from './postgres.mjs';
import { importFarm, inFolder, program } from './program.mjs';
import { inWords, rounds } from './sizes.mjs';

const LINES_AT_ONCE = 20_000;

const FARM = {
  company: { name: 'Bench', timezone: ZONE },
  parcels: [],
  modules: Array.from({ length: MODULES }, (_, module) => ({
    uid: `P${module + 1}`,
    name: `Probe ${module + 1}`,
    category: 'SOIL_PROBE',
    sensors: DEPTHS.map((depth) => ({ type: 'humidity', depth })),
  })),
};

const sumsOf = (from, to, { at, lengthMs, count, sum }) => `
  insert into ${to} select company_id, sensor_id, ${at} - ${at} % ${lengthMs}, ${count}, ${sum} from ${from} group by 1, 2, 3`;

const PLAIN = `
  create schema plain;
  create table plain.readings (like readings including all);
  create table plain.reading_hours (like reading_hours including all);
  create table plain.reading_days (like reading_days including all)`;

const HOURS = sumsOf('plain.readings', 'plain.reading_hours', {
  at: 'at',
  lengthMs: 3_600_000,
  count: 'count(*)',
  sum: 'sum(value)',
});
const DAYS = sumsOf('plain.reading_hours', 'plain.reading_days', {
  at: 'bucket_at',
  lengthMs: 86_400_000,
  count: 'sum(count)',
  sum: 'sum(sum)',
});

const copyOnce = (db, blocks) =>
  withClient(db, async (client) => {
    await client.query(PLAIN);
    const startedMs = performance.now();
    await client.query('begin');
    const stream = client.query(
      copyFrom('copy plain.readings (company_id, sensor_id, at, value) from stdin'),
    );
    for (const block of blocks) if (!stream.write(block)) await once(stream, 'drain');
    stream.end();
    await once(stream, 'finish');
    await client.query(HOURS);
    await client.query(DAYS);
    await client.query('commit');
    const seconds = (performance.now() - startedMs) / 1000;
    await client.query('drop schema plain cascade');
    return seconds;
  });

function copied() {
  const blocks = [];
  for (let row = 0; row < ROWS; row += LINES_AT_ONCE) {
    const lines = Array.from({ length: Math.min(LINES_AT_ONCE, ROWS - row) }, (_, index) => {
      const { sensor, at, value } = reading(row + index, ROWS);
      return `1\t${sensor + 1}\t${at}\t${value}\n`;
    });
    blocks.push(lines.join(''));
  }
  return blocks;
}

async function importOnce({ copy, drop }, farm, csv) {
  const db = await copy(farm);
  const startedMs = performance.now();
  execFileSync(process.execPath, [program, 'import', csv, '--db', db], {
    stdio: 'ignore',
    env: childEnvironment(),
  });
  const seconds = (performance.now() - startedMs) / 1000;
  await withClient(db, async (client) => {
    const { rows } = await client.query('select count(*)::integer as stored from readings');
    if (rows[0].stored !== ROWS) throw new Error(`stored ${rows[0].stored} of ${ROWS}`);
  });
  await drop(db);
  return seconds;
}

await withServer((server) =>
  inFolder(async (folder) => {
    const [farm, plain] = [await server.empty(), await server.empty()];
    await importFarm(farm, FARM);
    await importFarm(plain, FARM);
    const csv = join(folder, 'readings.csv');
    await writeReadings(csv, ROWS);
    const blocks = copied();
    const times = await inTurn(rounds(5), {
      baseline: () => copyOnce(plain, blocks),
      measured: () => importOnce(server, farm, csv),
    });
    figure({
      what: `PostgreSQL: import of ${inWords(ROWS)} CSV rows by the program, its start and the sums included`,
      against:
        'COPY of the same rows and two statements for the sums, in one transaction on the same server',
      unit: 's',
      digits: 2,
      ...times,
      target: 2.5,
    });
  }),
);
