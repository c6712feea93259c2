import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { executeStatements, rowsOf } from '../../stores/stores.ts';
import { BINARY, connectStdio, newBaseFarm, newFolder, runProgram } from '../program.ts';
import { waitUntil } from '../schedule-farm.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 6, 1);
/** Instants of the file, of which each sensor has a reading: more than one batch of them. */
const LENGTH = 15_000;
const CLOCK = new Date(START + (LENGTH + 60) * MINUTE).toISOString();
const HEADER = 'module,type,depth,time,value\n';

const row = (depth: number, minute: number, value: number): string =>
  `North 1,humidity,${depth},${new Date(START + minute * MINUTE).toISOString()},${value}\n`;

/** A file sensor by sensor, newest first: at 10 cm 10 %, at 20 and 30 cm 32.5 %. */
const part = (depth: number): string =>
  Array.from({ length: LENGTH }, (_, n) => row(depth, LENGTH - n, depth === 10 ? 10 : 32.5)).join('');

/** A farm whose probe "North 1" is watched below 20 %, quiet at 30 %. */
async function watchedFarm(): Promise<string> {
  const db = await newBaseFarm();
  const file = join(await newFolder(), 'readings.csv');
  await writeFile(file, HEADER + [10, 20, 30].map((depth) => row(depth, 0, 30)).join(''));
  const at = ['--db', db, '--clock', new Date(START + MINUTE).toISOString()];
  await runProgram('import', file, ...at);
  const { call, client } = await connectStdio(db, { clock: new Date(START + MINUTE).toISOString() });
  await call('create_alert', { module: 'North 1', threshold: 20 });
  await client.close();
  return db;
}

/** Imports from standard input, which the test writes. */
function startImport(db: string): ChildProcess {
  const child = spawn(process.execPath, [BINARY, 'import', '-', '--db', db, '--clock', CLOCK], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.stdin!.on('error', () => undefined);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

const tick = async (db: string): Promise<string> => (await runProgram('tick', '--db', db, '--clock', CLOCK)).stdout;

const readingCount = async (db: string): Promise<number> =>
  (await rowsOf<{ found: number }>(db, 'select count(*) as found from readings'))[0]!.found;

const notifiedAlerts = async (db: string): Promise<unknown[]> =>
  (await rowsOf(db, 'select kind from outbox order by seq')).map(({ kind }) => kind);

it('watches the whole of a file, not the half that is in while a tick comes by', async () => {
  const db = await watchedFarm();
  const child = startImport(db);
  child.stdin!.write(HEADER + part(10));
  await waitUntil(async () => (await readingCount(db)) >= 10_000);
  expect(await tick(db)).not.toContain('evaluated');
  child.stdin!.end(part(20) + part(30));
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(await readingCount(db)).toBe(3 * (LENGTH + 1));
  // (10 + 32.5 + 32.5) / 3 = 25 by equal weights.
  expect(await notifiedAlerts(db)).toEqual([]);
  const { call, client } = await connectStdio(db, { clock: CLOCK });
  const { structuredContent } = await call('list_alerts');
  await client.close();
  expect(structuredContent).toMatchObject({ data: [{ state: { status: 'quiet', value_vwc: 25 } }] });
});

it('watches half a file whose import was killed, half a minute of real time later', async () => {
  const db = await watchedFarm();
  const child = startImport(db);
  child.stdin!.write(HEADER + part(10));
  await waitUntil(async () => (await readingCount(db)) >= 10_000);
  child.kill('SIGKILL');
  await once(child, 'close');
  expect(await tick(db)).not.toContain('evaluated');
  const left = await rowsOf(db, 'select held_until from leases');
  expect(left).toHaveLength(1);
  expect(left[0]!.held_until).toBeLessThanOrEqual(Date.now() + 30_000);
  // As if that time went by.
  await executeStatements(db, `update leases set held_until = ${Date.now() - 1}`);
  expect(await tick(db)).toContain('1 alert evaluated, 1 message written.');
  expect(await notifiedAlerts(db)).toEqual(['fired']);
});
