import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { executeStatements, rowsOf } from '../../stores/stores.ts';
import { copyOfStore, newFolder } from '../../temporary-places.ts';
import { DAY, iso, MINUTE } from '../../time.ts';
import { connectStdio } from '../mcp-session.ts';
import { CLEAN_EXIT, startCommand, waitUntil } from '../program.ts';
import {
  createDailySchedule,
  figuresOf,
  leases,
  occurrenceRows,
  SCHEDULE_NOW,
  scheduleFarmWith,
  tick,
} from './schedule-farm.ts';

const dailyFarm = scheduleFarmWith((session) => createDailySchedule(session));

const TOMORROW = SCHEDULE_NOW + DAY;
const SIX = Date.UTC(2026, 2, 11, 5);

const occurrencesAtSix = (db: string): Promise<unknown[]> =>
  rowsOf(
    db,
    `select schedule_id, status, verified_at from waterings where started_at = ${SIX} and schedule_id is not null order by schedule_id`,
  );
const SIX_DONE = [{ schedule_id: 1, status: 'done', verified_at: null }];
const SIX_PLANNED = [{ schedule_id: 1, status: 'planned', verified_at: null }];

const holdLease = (db: string, heldUntil: number): Promise<void> =>
  executeStatements(
    db,
    `insert into leases (name, holder, held_until) values ('housekeeping', 'another', ${heldUntil})`,
  );

it('a stdio server confirms past occurrences of automatic schedules by itself, and not of manual ones', async () => {
  const db = await newBaseFarm();
  const session = await connectStdio(db, { clock: iso(SCHEDULE_NOW) });
  await createDailySchedule(session);
  await createDailySchedule(session, { module: 'North 2', confirmationPolicy: 'manual' });
  await session.client.close();
  startCommand(['mcp', '--db', db, '--clock', iso(TOMORROW)]);
  await waitUntil(async () => JSON.stringify((await occurrencesAtSix(db))[0]).includes('"done"'));
  expect(await occurrencesAtSix(db)).toEqual([...SIX_DONE, { schedule_id: 2, status: 'planned', verified_at: null }]);
});

describe('acequia tick', () => {
  it('extends the horizon, confirms past occurrences, and changes nothing the second time', async () => {
    const db = await dailyFarm();
    const before = await occurrenceRows(db);
    const first = await tick(db, TOMORROW);
    expect(first).toMatchObject(CLEAN_EXIT);
    // One more day at the end of the horizon, and one occurrence done.
    expect(figuresOf(first)).toEqual([1, 1, 0]);
    expect(await occurrencesAtSix(db)).toEqual(SIX_DONE);
    const after = await occurrenceRows(db);
    expect(after).toHaveLength(before.length + 1);
    expect(figuresOf(await tick(db, TOMORROW))).toEqual([0, 0, 0]);
    expect(await occurrenceRows(db)).toEqual(after);
  });

  it('ends with --until and --every at the same rows as in one step', async () => {
    const stepped = await dailyFarm();
    const inOneStep = await copyOfStore(stepped);
    const end = SCHEDULE_NOW + 40 * DAY;
    const steps = await tick(stepped, SCHEDULE_NOW, '--until', iso(end), '--every', '1d');
    expect(steps).toMatchObject(CLEAN_EXIT);
    expect(figuresOf(steps)).toEqual([40, 40, 0]);
    expect(await tick(inOneStep, end)).toMatchObject(CLEAN_EXIT);
    expect(await occurrenceRows(stepped)).toEqual(await occurrenceRows(inOneStep));
  });

  it('waits for a lease that another process holds, until it is released', async () => {
    const db = await dailyFarm();
    await holdLease(db, Date.now() + 5 * MINUTE);
    const ticking = tick(db, TOMORROW);
    await pause(500);
    expect(await occurrencesAtSix(db)).toEqual(SIX_PLANNED);
    await executeStatements(db, 'delete from leases');
    expect(figuresOf(await ticking)).toEqual([1, 1, 0]);
    expect(await leases(db)).toEqual([]);
  });

  it('stops waiting for a lease at SIGTERM, with exit code 1', async () => {
    const db = await dailyFarm();
    await holdLease(db, Date.now() + 5 * MINUTE);
    const args = ['tick', '--db', db, '--clock', iso(TOMORROW), '--log-level', 'trace'];
    const { stderr, stop } = startCommand(args);
    await waitUntil(() => stderr().includes('leases'));
    expect(await stop()).toMatchObject({ code: 1, signal: null });
    expect(await occurrencesAtSix(db)).toEqual(SIX_PLANNED);
  });

  it('ends with 1 without a store, which it does not create, and for a file that is not one', async () => {
    const folder = await newFolder();
    const missing = join(folder, 'nowhere.db');
    expect(await tick(missing, SCHEDULE_NOW)).toMatchObject({ code: 1, stdout: '' });
    expect(existsSync(missing)).toBe(false);
    const letter = join(folder, 'letter.db');
    await writeFile(letter, 'Dear Ana, the pump is repaired.');
    const stderr = expect.stringContaining('not an Acequia store');
    expect(await tick(letter, SCHEDULE_NOW)).toMatchObject({ code: 1, stdout: '', stderr });
  });

  it.each([
    ['--until', 'next week'],
    ['--every', '0h'],
    ['--every', 'often'],
    ['--often', '1h'],
    ['--every', '1h'],
    ['--until', '2020-01-01T00:00:00Z'],
    ['--until', '2027-02-30T00:00:00Z'],
  ])('ends with 2 for %s %s', async (option, value) => {
    const db = await dailyFarm();
    expect(await tick(db, TOMORROW, option, value)).toMatchObject({ code: 2, stdout: '' });
    expect(await occurrencesAtSix(db)).toEqual(SIX_PLANNED);
  });
});
