import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { executeStatements, expectNoFaults, rowsOf } from '../../stores/stores.ts';
import { newFolder } from '../../temporary-places.ts';
import { DAY, iso, MINUTE } from '../../time.ts';
import { bodyOf, connectStdio } from '../mcp-session.ts';
import { CLEAN_EXIT, type RunningCommand, startCommand, waitUntil } from '../program.ts';
import {
  createDailySchedule,
  firstOccurrences,
  leases,
  occurrenceRows,
  SCHEDULE_NOW,
  scheduleFarmWith,
  tick,
} from './schedule-farm.ts';

it('housekeeping creates no store', async () => {
  const db = join(await newFolder(), 'none.db');
  const { child, ended } = startCommand(['mcp', '--db', db]);
  // Housekeeping starts two seconds after the server.
  await pause(5_000);
  child.stdin.end();
  expect(await ended).toMatchObject(CLEAN_EXIT);
  expect(existsSync(db)).toBe(false);
});

describe('a server in the middle of housekeeping', () => {
  /** 120 occurrences a day, as many as a company may add in a day; none on a full hour. */
  const busyFarm = scheduleFarmWith(async (session) => {
    for (let minute = 30; minute < 35; minute++)
      await createDailySchedule(session, {
        module: undefined,
        parcel: 'North block',
        startTimes: Array.from(
          { length: 12 },
          (_, index) => `${String(2 * index).padStart(2, '0')}:${minute}`,
        ),
        durationMin: 5,
      });
  });

  /** Eighty days later, 9,600 waterings are due. */
  const LATER = SCHEDULE_NOW + 80 * DAY;
  const horizons = async (db: string): Promise<number[]> =>
    (await rowsOf<{ at: number }>(db, 'select materialized_until as at from schedules')).map(
      ({ at }) => at,
    );
  const hasStarted = async (db: string): Promise<boolean> =>
    (await horizons(db)).some((at) => at > SCHEDULE_NOW + 91 * DAY);
  const isComplete = async (db: string): Promise<boolean> =>
    (await horizons(db)).every((at) => at >= LATER + 90 * DAY) &&
    (
      await rowsOf(
        db,
        `select id from waterings where status = 'planned' and started_at <= ${LATER} limit 1`,
      )
    ).length === 0;

  let rowsOfOneTick: Promise<string[]> | undefined;

  function expectedRows(): Promise<string[]> {
    rowsOfOneTick ??= busyFarm().then(async (db) => {
      expect(await tick(db, LATER)).toMatchObject(CLEAN_EXIT);
      return occurrenceRows(db);
    });
    return rowsOfOneTick;
  }

  it('answers a burst of calls', async () => {
    const db = await busyFarm();
    const { call, client } = await connectStdio(db, { clock: iso(LATER) });
    let logged = 0;
    let roundsInTheMiddle = 0;
    while (!(await isComplete(db))) {
      const results = await Promise.all([
        ...Array.from({ length: 4 }, () =>
          call('log_watering', {
            module: 'South 1',
            startedAt: iso(SCHEDULE_NOW + ++logged * MINUTE),
            inputMode: 'depth_mm',
            inputDepthMm: 2,
          }),
        ),
        call('list_schedules', { limit: 200 }),
        call('get_company'),
      ]);
      for (const result of results) bodyOf(result);
      if ((await hasStarted(db)) && !(await isComplete(db))) roundsInTheMiddle += 1;
    }
    expect(roundsInTheMiddle).toBeGreaterThan(0);
    expect(await rowsOf(db, 'select id from waterings where schedule_id is null')).toHaveLength(
      logged,
    );
    await client.close();
    expect(await occurrenceRows(db)).toEqual(await expectedRows());
  });

  it.each(['end of input', 'SIGTERM'] as const)(
    'ends cleanly at %s, and the next process finishes the work',
    async (ending) => {
      const db = await busyFarm();
      const { child, ended } = startCommand(['mcp', '--db', db, '--clock', iso(LATER)]);
      await waitUntil(() => hasStarted(db));
      if (ending === 'end of input') child.stdin.end();
      else child.kill(ending);
      expect(await ended).toEqual({ ...CLEAN_EXIT, stdout: '' });
      expect(await leases(db)).toEqual([]);
      expect(await tick(db, LATER)).toMatchObject(CLEAN_EXIT);
      expect(await occurrenceRows(db)).toEqual(await expectedRows());
    },
  );
});

describe('five processes that do the housekeeping of one store for a simulated year', () => {
  const DAYS = 365;
  const END = SCHEDULE_NOW + DAYS * DAY;
  const INTERVALS = ['8h', '11h', '13h', '1d', '30h'];

  const begin = (db: string, every: string): RunningCommand =>
    startCommand([
      ...['tick', '--db', db, '--clock', iso(SCHEDULE_NOW), '--until', iso(END)],
      ...['--every', every],
    ]);

  /** One start time does not exist on one day; two occurrences are changed by hand. */
  const yearsFarm = scheduleFarmWith(async (session) => {
    const startTimes = ['02:30', '06:00', '20:15'];
    const parcel = { module: undefined, parcel: 'North block' };
    await createDailySchedule(session, { ...parcel, startTimes, startsOn: '2026-03-10' });
    await createDailySchedule(session, {
      freq: 'weekly',
      weekdays: [1, 4],
      startTimes: ['12:00'],
      timezone: 'America/New_York',
      confirmationPolicy: 'manual',
    });
    const [, , moved, , skipped] = await firstOccurrences(session, 1);
    const correct = async (args: object) =>
      bodyOf(await session.call('correct_watering', { inputMode: 'duration', ...args }));
    await correct({ eventId: moved!.id, startedAt: '2026-03-12 07:00' });
    await correct({ eventId: skipped!.id, startedAt: skipped!.startedAt, status: 'skipped' });
  });

  it('end with the rows of a single one, although they are killed at random moments and replaced', async () => {
    const db = await yearsFarm();
    const alone = await yearsFarm();
    expect(await begin(alone, '1d').ended).toMatchObject(CLEAN_EXIT);
    const running = INTERVALS.map((every) => begin(db, every));
    for (let kill = 0; kill < 8; kill++) {
      await pause(100 + Math.random() * 400);
      const place = Math.floor(Math.random() * INTERVALS.length);
      const { child, ended } = running[place]!;
      child.kill('SIGKILL');
      await ended;
      await executeStatements(db, 'update leases set expires_at = 0');
      running[place] = begin(db, INTERVALS[place]!);
    }
    for (const { ended } of running) expect(await ended).toMatchObject(CLEAN_EXIT);
    expect(await occurrenceRows(db)).toEqual(await occurrenceRows(alone));
    expect(await leases(db)).toEqual([]);
    await expectNoFaults(db);
  });
});
