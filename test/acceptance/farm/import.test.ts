import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import { beforeEach, expect, it } from 'vitest';
import { importFarmFile } from '../../imported-data.ts';
import { rowsOf } from '../../stores/stores.ts';
import { newStorePlace } from '../../temporary-places.ts';
import { iso } from '../../time.ts';
import { runCommand, startCommand } from '../program.ts';

const FARM = {
  company: { name: 'Mas Rouge', timezone: 'Europe/Athens' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  modules: [
    {
      uid: 'A1B2C3',
      name: 'North 1',
      category: 'SOIL_PROBE',
      sensors: [10, 20, 30, 40, 50, 60].map((depth) => ({ type: 'humidity', depth })),
    },
  ],
};

let db: string;
beforeEach(async () => {
  db = await newStorePlace();
  await importFarmFile(db, FARM);
});

const startImport = (...args: string[]) => startCommand(['import', '--db', db, '-', ...args]);

/** Of the sensor at 10 cm, oldest first. */
const instants = async (): Promise<string[]> =>
  (await rowsOf<{ at: number }>(db, 'select at from readings where sensor_id = 1 order by at')).map(
    ({ at }) => iso(at),
  );

const rowOf = (minute: number): string =>
  `A1B2C3,humidity,10,${iso(Date.UTC(2024, 0, 1) + minute * 60_000)},5\n`;

it('acequia import that is ended by SIGINT leaves whole batches, and says so', async () => {
  const { child, ended } = startImport();
  child.stdin.write('module,type,depth,time,value\n');
  let minute = 0;
  while (child.exitCode === null && (await instants()).length === 0) {
    const rows = Array.from({ length: 5000 }, () => rowOf(minute++)).join('');
    await new Promise((resolve) => child.stdin.write(rows, resolve));
  }
  child.kill('SIGINT');
  const run = await ended;
  child.stdin.destroy();
  expect(run.code).toBe(1);
  expect(run.stdout).toContain('stopped before the end');
  const stored = (await instants()).length;
  expect(stored).toBeGreaterThan(0);
  expect(stored % 10_000).toBe(0);
});

it('acequia import prints a JSON Schema that accepts a valid farm and refuses an invalid one', async () => {
  const { code, stdout } = await runCommand(['import', '--print-schema']);
  expect(code).toBe(0);
  const accepts = new Ajv({ strict: false }).compile(JSON.parse(stdout));
  expect([FARM, { ...FARM, probes: [] }, { users: [] }].map((each) => accepts(each))).toEqual([
    true,
    false,
    false,
  ]);
});

const openAgri = process.env.ACEQUIA_TEST_OPENAGRI;
it.skipIf(openAgri === undefined)(
  'acequia import takes the whole year of the logger in the file that ACEQUIA_TEST_OPENAGRI names',
  async () => {
    const original = await readFile(openAgri!, 'utf8');
    const depths = FARM.modules.flatMap(({ sensors }) => sensors.map(({ depth }) => depth));
    const columns = depths.map((depth) => `humidity_${depth}`).join();
    const { child, ended } = startImport('--module', 'North 1');
    child.stdin.write(`time,${columns},rain,air_temperature,air_humidity\n`);
    createReadStream(openAgri!, { start: original.indexOf('\n') + 1 }).pipe(child.stdin);
    const run = await ended;
    expect(run).toMatchObject({ code: 0, stderr: '' });
    // 8,548 instants at six depths; five rows are repeated.
    expect(run.stdout).toContain(
      '8,553 rows read, 51,288 readings stored of 6 sensors, 2023-09-26 08:00 to 2024-09-20 03:00',
    );
    expect(run.stdout).toContain('30 readings repeated');
    const all = await instants();
    expect(all).toHaveLength(8548);
    // Local 03:00 of 2023-10-29 is 00:00Z and 01:00Z; on 2024-03-31 it does not exist: 02:00 is
    // 00:00Z, 04:00 is 01:00Z.
    expect(all.filter((at) => /^2023-10-29T0[01]/.test(at))).toHaveLength(2);
    expect(all.filter((at) => /^2024-03-31T0[01]/.test(at))).toHaveLength(2);
  },
);
