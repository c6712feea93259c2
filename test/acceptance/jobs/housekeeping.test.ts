import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runInProcess } from '../../in-process-command.ts';
import { executeStatements, rowsOf } from '../../stores/stores.ts';
import { copyOfStore, newFolder } from '../../temporary-places.ts';
import { DAY, iso, MINUTE } from '../../time.ts';
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

/** Schedule 1 confirms its occurrences by itself, schedule 2 does not. */
const dailyFarm = scheduleFarmWith(async (session) => {
  await createDailySchedule(session);
  await createDailySchedule(session, { module: 'North 2', confirmationPolicy: 'manual' });
});

const TOMORROW = SCHEDULE_NOW + DAY;
const SIX = Date.UTC(2026, 2, 11, 5);

const occurrencesAtSix = (db: string): Promise<unknown[]> =>
  rowsOf(
    db,
    `select schedule_id, status, verified_at from waterings where started_at = ${SIX} and schedule_id is not null order by schedule_id`,
  );
const MANUAL = { schedule_id: 2, status: 'planned', verified_at: null };
const SIX_DONE = [{ schedule_id: 1, status: 'done', verified_at: null }, MANUAL];
const SIX_PLANNED = [{ schedule_id: 1, status: 'planned', verified_at: null }, MANUAL];

const tickInProcess = (db: string, now: number, ...options: string[]) =>
  runInProcess(['tick', '--db', db, '--clock', iso(now), ...options]);

const holdLease = (db: string, heldUntil: number): Promise<void> =>
  executeStatements(
    db,
    `insert into leases (name, holder, expires_at) values ('housekeeping', 'another', ${heldUntil})`,
  );

it('a stdio server confirms past occurrences of automatic schedules by itself, and not of manual ones', async () => {
  const db = await dailyFarm();
  startCommand(['mcp', '--db', db, '--clock', iso(TOMORROW)]);
  await expect.poll(() => occurrencesAtSix(db), { interval: 100 }).toEqual(SIX_DONE);
});

it('a command confirms past occurrences before it lists them, though no job has run', async () => {
  const db = await dailyFarm();
  const call = () => runInProcess(['call', 'list_waterings', '--db', db, '--clock', iso(TOMORROW)]);
  const first = await call();
  expect(first).toMatchObject(CLEAN_EXIT);
  expect(await occurrencesAtSix(db)).toEqual(SIX_DONE);
  expect(await call()).toEqual(first);
});

describe('acequia tick', () => {
  /** Its log shows the queries, also those of the lease. */
  const startTick = (db: string) =>
    startCommand(['tick', '--db', db, '--clock', iso(TOMORROW), '--log-level', 'trace']);

  it('extends the horizon, confirms past occurrences, and changes nothing the second time', async () => {
    const db = await dailyFarm();
    const before = await occurrenceRows(db);
    const first = await tick(db, TOMORROW);
    expect(first).toMatchObject(CLEAN_EXIT);
    // One more day of each at the end of the horizon, and one occurrence done.
    expect(figuresOf(first)).toEqual([2, 1, 0]);
    expect(await occurrencesAtSix(db)).toEqual(SIX_DONE);
    const after = await occurrenceRows(db);
    expect(after).toHaveLength(before.length + 2);
    expect(figuresOf(await tickInProcess(db, TOMORROW))).toEqual([0, 0, 0]);
    expect(await occurrenceRows(db)).toEqual(after);
  });

  it('ends with --until and --every at the same rows as in one step', async () => {
    const stepped = await dailyFarm();
    const inOneStep = await copyOfStore(stepped);
    const end = SCHEDULE_NOW + 40 * DAY;
    const steps = await tickInProcess(stepped, SCHEDULE_NOW, '--until', iso(end), '--every', '1d');
    expect(steps).toMatchObject(CLEAN_EXIT);
    expect(figuresOf(steps)).toEqual([80, 40, 0]);
    expect(await tickInProcess(inOneStep, end)).toMatchObject(CLEAN_EXIT);
    expect(await occurrenceRows(stepped)).toEqual(await occurrenceRows(inOneStep));
  });

  it('waits for a lease that another process holds, until it is released', async () => {
    const db = await dailyFarm();
    await holdLease(db, Date.now() + 5 * MINUTE);
    const { stderr, ended } = startTick(db);
    await waitUntil(() => stderr().includes('leases'));
    expect(await occurrencesAtSix(db)).toEqual(SIX_PLANNED);
    await executeStatements(db, 'delete from leases');
    expect(figuresOf(await ended)).toEqual([2, 1, 0]);
    expect(await leases(db)).toEqual([]);
  });

  it('stops waiting for a lease at SIGTERM, with exit code 1', async () => {
    const db = await dailyFarm();
    await holdLease(db, Date.now() + 5 * MINUTE);
    const { stderr, stop } = startTick(db);
    await waitUntil(() => stderr().includes('leases'));
    expect(await stop()).toMatchObject({ code: 1, signal: null });
    expect(await occurrencesAtSix(db)).toEqual(SIX_PLANNED);
  });

  it('ends with 1 without a store, which it does not create, and for a file that is not one', async () => {
    const folder = await newFolder();
    const missing = join(folder, 'nowhere.db');
    expect(await tickInProcess(missing, SCHEDULE_NOW)).toMatchObject({ code: 1, stdout: '' });
    expect(existsSync(missing)).toBe(false);
    const letter = join(folder, 'letter.db');
    await writeFile(letter, 'Dear Ana, the pump is repaired.');
    const stderr = expect.stringContaining('not an Acequia store');
    expect(await tickInProcess(letter, SCHEDULE_NOW)).toMatchObject({
      code: 1,
      stdout: '',
      stderr,
    });
  });

  it('ends with 2 for invalid options', async () => {
    const db = await dailyFarm();
    for (const [option, value] of [
      ['--until', 'next week'],
      ['--every', '0h'],
      ['--every', 'often'],
      ['--often', '1h'],
      ['--every', '1h'],
      ['--until', '2020-01-01T00:00:00Z'],
      ['--until', '2027-02-30T00:00:00Z'],
    ] as const)
      expect(await tickInProcess(db, TOMORROW, option, value), value).toMatchObject({
        code: 2,
        stdout: '',
      });
    expect(await occurrencesAtSix(db)).toEqual(SIX_PLANNED);
  });
});
