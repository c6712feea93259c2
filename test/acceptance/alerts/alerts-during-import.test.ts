import { once } from 'node:events';
import { expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { importReadingsCsv } from '../../imported-data.ts';
import { executeStatements, rowsOf } from '../../stores/stores.ts';
import { iso, MINUTE } from '../../time.ts';
import { bodyOf, connectStdio } from '../mcp-session.ts';
import { type RunningCommand, runProgram, startCommand, waitUntil } from '../program.ts';

const START = Date.UTC(2026, 6, 1);
const atMinute = (minute: number): string => iso(START + minute * MINUTE);
/** Per sensor; more than one batch of the import. */
const LENGTH = 15_000;
const CLOCK = atMinute(LENGTH + 60);
const HEADER = 'module,type,depth,time,value\n';

const row = (depth: number, minute: number, value: number): string =>
  `North 1,humidity,${depth},${atMinute(minute)},${value}\n`;

const part = (depth: number): string =>
  Array.from({ length: LENGTH }, (_, n) => row(depth, LENGTH - n, depth === 10 ? 10 : 32.5)).join('');

/** The alert fires below 20 %; it is quiet at 30 %. */
async function watchedFarm(): Promise<string> {
  const db = await newBaseFarm();
  await importReadingsCsv(db, HEADER + [10, 20, 30].map((depth) => row(depth, 0, 30)).join(''), { clock: atMinute(1) });
  const { call, client } = await connectStdio(db, { clock: atMinute(1) });
  await call('create_alert', { module: 'North 1', threshold: 20 });
  await client.close();
  return db;
}

async function startImport(db: string): Promise<RunningCommand['child']> {
  const { child } = startCommand(['import', '-', '--db', db, '--clock', CLOCK]);
  child.stdin.write(HEADER + part(10));
  await waitUntil(async () => (await readingCount(db)) >= 10_000);
  return child;
}

const tick = async (db: string): Promise<string> => (await runProgram('tick', '--db', db, '--clock', CLOCK)).stdout;

const readingCount = async (db: string): Promise<number> =>
  (await rowsOf<{ count: number }>(db, 'select count(*) as count from readings'))[0]!.count;

const messageKinds = async (db: string): Promise<unknown[]> =>
  (await rowsOf(db, 'select kind from outbox order by seq')).map(({ kind }) => kind);

it('evaluates alerts on a whole file, not on the half that is stored while a tick runs', async () => {
  const db = await watchedFarm();
  const child = await startImport(db);
  expect(await tick(db)).not.toContain('evaluated');
  child.stdin.end(part(20) + part(30));
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(await readingCount(db)).toBe(3 * (LENGTH + 1));
  // (10 + 32.5 + 32.5) / 3 = 25 by equal weights.
  expect(await messageKinds(db)).toEqual([]);
  const { call } = await connectStdio(db, { clock: CLOCK });
  expect(bodyOf(await call('list_alerts'))).toMatchObject({ data: [{ state: { status: 'quiet', value_vwc: 25 } }] });
});

it('evaluates alerts on half a file whose import was killed, half a minute of real time later', async () => {
  const db = await watchedFarm();
  const child = await startImport(db);
  child.kill('SIGKILL');
  await once(child, 'close');
  expect(await tick(db)).not.toContain('evaluated');
  const leases = await rowsOf(db, 'select held_until from leases');
  expect(leases).toHaveLength(1);
  expect(leases[0]!.held_until).toBeLessThanOrEqual(Date.now() + 30_000);
  await executeStatements(db, `update leases set held_until = ${Date.now() - 1}`);
  expect(await tick(db)).toContain('1 alert evaluated, 1 message written.');
  expect(await messageKinds(db)).toEqual(['fired']);
});
