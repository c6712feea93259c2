/**
 * A year of five depths at 15 minutes, 175,200 readings, as daily points: get_moisture_series over stdio, answer and
 * summary included, against the plain SQL group-by over the same rows on a connection that has run it before. The first
 * call of every server, which loads the operations and opens the store, is among the calls, and is also shown by itself.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { Client, childEnvironment } from './client.mjs';
import { figure, median } from './figures.mjs';
import { inFolder, program } from './program.mjs';

const DEPTHS = [10, 20, 30, 45, 60];
const STEP_MS = 900_000;
const DAY_MS = 86_400_000;
const END = Date.UTC(2026, 0, 1);
const START = END - 365 * DAY_MS;
const ROUNDS = 10;
const CALLS = 10;

const FARM = {
  company: { name: 'Mas Rouge', timezone: 'Europe/Paris' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  parcels: [{ name: 'North block', soilProfile: [{ usdaClass: 'Loam', depthTopCm: 0, depthBottomCm: 60 }] }],
  modules: [
    {
      uid: 'A1',
      name: 'North 1',
      category: 'SOIL_PROBE',
      parcel: 'North block',
      commissionedAt: '2015-01-01T00:00:00Z',
      sensors: DEPTHS.map((depth) => ({ type: 'humidity', depth })),
      settings: { rootDepthCm: 60 },
    },
  ],
};

const environment = { stdio: ['pipe', 'ignore', 'inherit'], env: childEnvironment() };

/** A store with the probe and so many years of its readings up to `END`, brought in by the program itself. */
async function newStore(folder, years) {
  const db = join(folder, `years-${years}.db`);
  const farm = join(folder, 'farm.json');
  await writeFile(farm, JSON.stringify(FARM));
  execFileSync(process.execPath, [program, 'import', farm, '--db', db], environment);
  const child = spawn(process.execPath, [program, 'import', '-', '--module', 'North 1', '--db', db], environment);
  const ended = once(child, 'close');
  child.stdin.write(`time,${DEPTHS.map((depth) => `humidity_${depth}`).join(',')}\n`);
  const rows = (years * 365 * DAY_MS) / STEP_MS;
  let block = '';
  for (let row = 0; row < rows; row++) {
    const values = DEPTHS.map((_, sensor) => 10 + ((row * 7919 + sensor * 104_729) % 3000) / 100);
    block += `${new Date(END - (rows - row) * STEP_MS).toISOString()},${values.join(',')}\n`;
    if (block.length < 1 << 16 && row + 1 < rows) continue;
    if (!child.stdin.write(block)) await once(child.stdin, 'drain');
    block = '';
  }
  child.stdin.end();
  const [status] = await ended;
  if (status !== 0) throw new Error(`The import ended with ${status}`);
  return db;
}

const GROUP_BY = `select sensor_id, at / ${DAY_MS} as day, avg(value) from readings
  where company_id = 1 and sensor_id in (1, 2, 3, 4, 5) and at >= ? and at < ? group by sensor_id, day`;

/** Gives a function that runs the plain group-by and says how many ms it took. */
function plainGroupBy(db) {
  const database = new DatabaseSync(db, { readOnly: true });
  const query = database.prepare(GROUP_BY);
  query.setReturnArrays(true);
  return () => {
    const begun = performance.now();
    const rows = query.all(START, END);
    const taken = performance.now() - begun;
    // Naming the database here keeps it alive: a statement alone does not.
    if (!database.isOpen || rows.length !== 365 * DEPTHS.length) throw new Error(`${rows.length} rows`);
    return taken;
  };
}

const ASKED = {
  module: 'North 1',
  start: new Date(START).toISOString(),
  end: new Date(END).toISOString(),
  interval: DAY_MS / 1000,
};

/** How many ms each call of a new server took, the first one first. */
async function calls(db) {
  const client = await new Client([program, '--db', db]).open();
  await client.ask('tools/list');
  const taken = [];
  for (let call = 0; call < CALLS; call++) {
    const begun = performance.now();
    const { structuredContent } = await client.call('get_moisture_series', ASKED);
    taken.push(performance.now() - begun);
    const { data, missingShare } = structuredContent;
    if (data.length !== 365 || missingShare !== 0) throw new Error(`${data.length} points, ${missingShare} missing`);
  }
  await client.kill();
  return taken;
}

await inFolder(async (folder) => {
  for (const years of [1, 10]) {
    const db = await newStore(folder, years);
    const groupBy = plainGroupBy(db);
    groupBy();
    const taken = { baseline: [], measured: [], first: [] };
    for (let round = 0; round < ROUNDS; round++) {
      const [first, ...others] = await calls(db);
      taken.measured.push(first, ...others);
      taken.first.push(first);
      for (let call = 0; call < CALLS; call++) taken.baseline.push(groupBy());
    }
    const stock = years === 1 ? '' : `, ${years} years in the store`;
    const against = 'the plain SQL group-by over the same rows';
    const baseline = median(taken.baseline);
    figure({
      what: `a year of five depths at 15 min as daily points${stock}: p50 of ${CALLS} calls, the first included`,
      against,
      unit: 'ms',
      baseline,
      measured: median(taken.measured),
      reach: 0.3,
    });
    figure({
      what: `the first of these calls, which loads the operations and opens the store${stock}`,
      against,
      unit: 'ms',
      baseline,
      measured: median(taken.first),
      reach: '',
    });
  }
});
