import { once } from 'node:events';
import { expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { importReadingsCsv } from '../../imported-data.ts';
import { runInProcess } from '../../in-process-command.ts';
import { rowsOf } from '../../stores/stores.ts';
import { iso, MINUTE } from '../../time.ts';
import { startCommand, waitUntil } from '../program.ts';

const START = Date.UTC(2026, 6, 1);
const atMinute = (minute: number): string => iso(START + minute * MINUTE);
/** Per sensor; more than one batch of the import. */
const LENGTH = 10_500;
const CLOCK = atMinute(LENGTH + 60);
const HEADER = 'module,type,depth,time,value\n';

const row = (depth: number, minute: number, value: number): string =>
  `North 1,humidity,${depth},${atMinute(minute)},${value}\n`;

const part = (depth: number): string =>
  Array.from({ length: LENGTH }, (_, n) => row(depth, LENGTH - n, depth === 10 ? 10 : 32.5)).join(
    '',
  );

/** An import that is killed: see test/service/alerts/evaluation-pause. */
it('evaluates alerts on a whole file, not on the half that is stored while a tick runs', async () => {
  const db = await newBaseFarm();
  const acequia = async (clock: string, ...words: string[]) =>
    (await runInProcess([...words, '--db', db, '--clock', clock])).stdout;
  const readingCount = async () =>
    (await rowsOf(db, 'select count(*) as count from readings'))[0]!.count as number;
  await importReadingsCsv(db, HEADER + [10, 20, 30].map((depth) => row(depth, 0, 30)).join(''), {
    clock: atMinute(1),
  });
  // It fires below 20 %, and is quiet at 30 %.
  await acequia(atMinute(1), 'call', 'create_alert', 'module=North 1', 'threshold=20');

  const { child } = startCommand(['import', '-', '--db', db, '--clock', CLOCK]);
  child.stdin.write(HEADER + part(10));
  await waitUntil(async () => (await readingCount()) >= 10_000);
  expect(await acequia(CLOCK, 'tick')).not.toContain('evaluated');
  child.stdin.end(part(20) + part(30));
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(await readingCount()).toBe(3 * (LENGTH + 1));
  expect(await rowsOf(db, 'select kind from outbox')).toEqual([]);
  const { data } = JSON.parse(await acequia(CLOCK, 'call', 'list_alerts', '--json'));
  // (10 + 32.5 + 32.5) / 3 = 25 by equal weights.
  expect(data).toMatchObject([{ state: { status: 'quiet', value_vwc: 25 } }]);
});
