/** A year of five depths at 15 minutes, 175,200 readings, as daily points. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Client, childEnvironment } from './client.mjs';
import { figure, median } from './figures.mjs';
import { bringIn, program } from './program.mjs';

export const DEPTHS = [10, 20, 30, 45, 60];
const STEP_MS = 900_000;
export const DAY_MS = 86_400_000;
export const END = Date.UTC(2026, 0, 1);
export const START = END - 365 * DAY_MS;
export const CALLS = 10;

const farmOf = (depths) => ({
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
      sensors: depths.map((depth) => ({ type: 'humidity', depth })),
      settings: { rootDepthCm: 60 },
    },
  ],
});

const environment = { stdio: ['pipe', 'ignore', 'inherit'], env: childEnvironment() };

export async function bringYears(db, years, depths = DEPTHS) {
  await bringIn(db, farmOf(depths));
  const child = spawn(process.execPath, [program, 'import', '-', '--module', 'North 1', '--db', db], environment);
  const ended = once(child, 'close');
  child.stdin.write(`time,${depths.map((depth) => `humidity_${depth}`).join(',')}\n`);
  const rows = (years * 365 * DAY_MS) / STEP_MS;
  let block = '';
  for (let row = 0; row < rows; row++) {
    const values = depths.map((_, sensor) => 10 + ((row * 7919 + sensor * 104_729) % 3000) / 100);
    block += `${new Date(END - (rows - row) * STEP_MS).toISOString()},${values.join(',')}\n`;
    if (block.length < 1 << 16 && row + 1 < rows) continue;
    if (!child.stdin.write(block)) await once(child.stdin, 'drain');
    block = '';
  }
  child.stdin.end();
  const [status] = await ended;
  if (status !== 0) throw new Error(`The import ended with ${status}`);
}

const ASKED = {
  module: 'North 1',
  start: new Date(START).toISOString(),
  end: new Date(END).toISOString(),
  interval: DAY_MS / 1000,
  detail: 'full',
};

/** Local days: a year of UTC begins and ends within one. */
const POINTS = 366;

export async function yearCalls(db) {
  const client = await new Client([program, '--db', db]).open();
  await client.ask('tools/list');
  const times = [];
  for (let call = 0; call < CALLS; call++) {
    const begun = performance.now();
    const { structuredContent } = await client.call('get_moisture_series', ASKED);
    times.push(performance.now() - begun);
    const { data, missingShare } = structuredContent;
    if (data.length !== POINTS || missingShare !== 0) throw new Error(`${data.length} points, ${missingShare} missing`);
  }
  await client.kill();
  return times;
}

export function tellYear(times, { title = '', store = '', against }) {
  const baseline = median(times.baseline);
  figure({
    what: `${title}a year of five depths at 15 min as daily points${store}: p50 of ${CALLS} calls, the first included`,
    against,
    unit: 'ms',
    baseline,
    measured: median(times.measured),
    reach: 0.3,
  });
  figure({
    what: `${title}the first of these calls, which loads the operations and opens the store${store}`,
    against,
    unit: 'ms',
    baseline,
    measured: median(times.first),
    reach: '',
  });
}
