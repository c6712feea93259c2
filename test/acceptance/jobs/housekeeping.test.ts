import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ScheduleBody } from '../../../src/schema/schedule.ts';
import { executeStatements, expectSound, isOnPostgres, rowsOf } from '../../stores/stores.ts';
import { copyOfStore } from '../program.ts';
import {
  CLEAN_EXIT,
  type CommandResult,
  createDailySchedule,
  DAY,
  HOUR,
  iso,
  MINUTE,
  newScheduleFarm,
  newScheduleFolder,
  occurrenceRows,
  type RunningCommand,
  runCommand,
  SCHEDULE_NOW,
  scheduleFarmWith,
  scheduleOccurrences,
  startProgram,
  startScheduleServer,
  waitUntil,
} from '../schedule-farm.ts';

const tick = (db: string, now: number, ...more: string[]): Promise<CommandResult> =>
  runCommand('tick', '--db', db, '--clock', iso(now), ...more);

/** The three figures that `acequia tick` ends with. */
const figuresOf = ({ stdout }: CommandResult): number[] => [...stdout.matchAll(/\d+/g)].map(Number);

const statuses = (db: string, from: number, to: number): Promise<unknown[]> =>
  rowsOf(
    db,
    `select schedule_id, status, verified_at from waterings where started_at >= ${from} and started_at < ${to} order by schedule_id`,
  );

const horizons = async (db: string): Promise<number[]> =>
  (await rowsOf<{ at: number }>(db, 'select materialized_until as at from schedules order by id')).map(({ at }) => at);

const leases = (db: string): Promise<unknown[]> => rowsOf(db, 'select * from leases');

const holdLease = (db: string, heldUntil: number): Promise<void> =>
  executeStatements(
    db,
    `insert into leases (name, holder, held_until) values ('housekeeping', 'another', ${heldUntil})`,
  );

/** A farm with half an hour on North 1 at six every day, made on the 10th of March. */
const dailyFarm = scheduleFarmWith((server) => createDailySchedule(server));

/** A day later: the occurrence of six in the morning is over. */
const TOMORROW = SCHEDULE_NOW + DAY;
const SIX = Date.UTC(2026, 2, 11, 5);
const sixIsDone = [{ schedule_id: 1, status: 'done', verified_at: null }];
const sixIsPlanned = [{ schedule_id: 1, status: 'planned', verified_at: null }];

/** Ten schedules of twelve start times on two probes, 240 occurrences a day; none begins on a full hour. */
const busyFarm = scheduleFarmWith(async (server) => {
  for (let minute = 30; minute < 40; minute++)
    await createDailySchedule(server, {
      module: undefined,
      parcel: 'North block',
      startTimes: Array.from({ length: 12 }, (_, index) => `${String(2 * index).padStart(2, '0')}:${minute}`),
      durationMin: 5,
    });
});

const LONG_TIMEOUT_MS = 120_000;

/** Eighty days on, that much of the horizon is still to be produced: 19,200 waterings. */
const LATER = SCHEDULE_NOW + 80 * DAY;
const LATER_HORIZON = LATER + 90 * DAY;
const hasStarted = async (db: string): Promise<boolean> =>
  (await horizons(db)).some((at) => at > SCHEDULE_NOW + 91 * DAY);
const isComplete = async (db: string): Promise<boolean> =>
  (await horizons(db)).every((at) => at >= LATER_HORIZON) &&
  (await rowsOf(db, `select id from waterings where status = 'planned' and started_at <= ${LATER} limit 1`)).length ===
    0;

let busyBook: Promise<string[]> | undefined;

/** The book that housekeeping alone makes of the busy farm by then. */
function rowsOfSingleServer(): Promise<string[]> {
  busyBook ??= busyFarm().then(async (db) => {
    expect(await tick(db, LATER)).toMatchObject(CLEAN_EXIT);
    return occurrenceRows(db);
  });
  return busyBook;
}

describe('a server that nobody asks anything', () => {
  it('counts a past occurrence as done by itself, unwitnessed, where the schedule says so; others wait', async () => {
    const db = await newScheduleFarm();
    const server = await startScheduleServer(db);
    await createDailySchedule(server);
    await createDailySchedule(server, { module: 'North 2', confirmationPolicy: 'manual' });
    const doses = (await scheduleOccurrences(server, 1)).map(({ waterMm }) => waterMm);
    await server.close();
    startProgram('mcp', '--db', db, '--clock', iso(TOMORROW));
    await waitUntil(async () => ((await statuses(db, SIX, SIX + 1))[0] as { status: string }).status === 'done');
    expect(await statuses(db, SIX, SIX + 1)).toEqual([
      { schedule_id: 1, status: 'done', verified_at: null },
      { schedule_id: 2, status: 'planned', verified_at: null },
    ]);
    const frozen = await rowsOf<{ mm: number }>(
      db,
      'select water_mm as mm from waterings where schedule_id = 1 order by started_at',
    );
    expect(frozen.slice(0, doses.length).map(({ mm }) => mm)).toEqual(doses);
  });

  it('makes no store where there is none', async () => {
    const db = join(await newScheduleFolder(), 'none.db');
    const { child, ended } = startProgram('mcp', '--db', db);
    // Housekeeping begins two seconds after the start.
    await pause(3_500);
    expect(existsSync(db)).toBe(false);
    child.stdin.end();
    expect(await ended).toMatchObject(CLEAN_EXIT);
    expect(existsSync(db)).toBe(false);
  });
});

describe('a server in the middle of housekeeping', () => {
  it('answers a burst of calls, and goes on with both', async () => {
    const db = await busyFarm();
    const server = await startScheduleServer(db, LATER);
    let asked = 0;
    let inTheMiddle = 0;
    while (!(await isComplete(db))) {
      const answers = await Promise.all([
        ...Array.from({ length: 4 }, () =>
          server.call('log_watering', {
            module: 'South 1',
            startedAt: iso(SCHEDULE_NOW + ++asked * MINUTE),
            inputMode: 'depth_mm',
            inputDepthMm: 2,
          }),
        ),
        server.call<{ data: ScheduleBody[] }>('list_schedules', { limit: 200 }),
        server.call<{ name: string }>('get_company'),
      ]);
      expect(answers).toHaveLength(6);
      if ((await hasStarted(db)) && !(await isComplete(db))) inTheMiddle += 1;
    }
    expect(inTheMiddle).toBeGreaterThan(1);
    expect(await rowsOf(db, 'select id from waterings where schedule_id is null')).toHaveLength(asked);
    await server.close();

    const planned = (await occurrenceRows(db)).filter((line) => !line.includes('"schedule_id":null'));
    expect(planned).toEqual(await rowsOfSingleServer());
  });

  it.each(['end of input', 'SIGTERM'] as const)(
    'ends soon and cleanly at %s, and leaves the rest to the next',
    { timeout: LONG_TIMEOUT_MS },
    async (how) => {
      const db = await busyFarm();
      const { child, ended } = startProgram('mcp', '--db', db, '--clock', iso(LATER));
      await waitUntil(() => hasStarted(db));
      if (how === 'end of input') child.stdin.end();
      else child.kill(how);
      expect(await ended).toEqual({ ...CLEAN_EXIT, stdout: '' });
      expect(await isComplete(db)).toBe(false);
      expect(await leases(db)).toEqual([]);
      expect(await tick(db, LATER)).toMatchObject(CLEAN_EXIT);
      expect(await occurrenceRows(db)).toEqual(await rowsOfSingleServer());
    },
  );
});

describe('acequia tick', () => {
  it('produces what the horizon has come to reach, counts past ones as done, and changes nothing twice', async () => {
    const db = await dailyFarm();
    const before = await occurrenceRows(db);
    const first = await tick(db, TOMORROW);
    expect(first).toMatchObject(CLEAN_EXIT);
    // One day on: one more at the end of the horizon, one less to come.
    expect(figuresOf(first)).toEqual([1, 1, 0]);
    expect(await occurrenceRows(db)).toHaveLength(before.length + 1);
    expect(await statuses(db, SIX, SIX + 1)).toEqual(sixIsDone);
    const kept = await occurrenceRows(db);
    expect(figuresOf(await tick(db, TOMORROW))).toEqual([0, 0, 0]);
    expect(await occurrenceRows(db)).toEqual(kept);
  });

  it('steps the clock with --until and --every, and ends with the book of one step', async () => {
    const stepped = await dailyFarm();
    const once = await copyOfStore(stepped);
    const end = SCHEDULE_NOW + 40 * DAY;
    const steps = await tick(stepped, SCHEDULE_NOW, '--until', iso(end), '--every', '1d');
    expect(steps).toMatchObject(CLEAN_EXIT);
    expect(figuresOf(steps)).toEqual([40, 40, 0]);
    expect(await tick(once, end)).toMatchObject(CLEAN_EXIT);
    expect(await occurrenceRows(stepped)).toEqual(await occurrenceRows(once));
  });

  it('forgets idempotency records a day after their call', async () => {
    const db = await newScheduleFarm();
    const server = await startScheduleServer(db);
    await createDailySchedule(server, { idempotencyKey: 'six' });
    await server.close();
    expect(figuresOf(await tick(db, SCHEDULE_NOW + 23 * HOUR))[2]).toBe(0);
    expect(figuresOf(await tick(db, SCHEDULE_NOW + 25 * HOUR))[2]).toBe(1);
  });

  it('waits for a lease that another holds, until it has run out', async () => {
    const db = await dailyFarm();
    const heldUntil = Date.now() + 2_000;
    await holdLease(db, heldUntil);
    const ticking = tick(db, TOMORROW);
    while (Date.now() < heldUntil - 200) {
      const seen = await statuses(db, SIX, SIX + 1);
      if (Date.now() < heldUntil) expect(seen).toEqual(sixIsPlanned);
      await pause(50);
    }
    expect(figuresOf(await ticking)).toEqual([1, 1, 0]);
    expect(Date.now()).toBeGreaterThanOrEqual(heldUntil);
    expect(await statuses(db, SIX, SIX + 1)).toEqual(sixIsDone);
    expect(await leases(db)).toEqual([]);
  });

  it('goes on as soon as the other gives its lease back', async () => {
    const db = await dailyFarm();
    const heldUntil = Date.now() + 10 * MINUTE;
    await holdLease(db, heldUntil);
    const ticking = tick(db, TOMORROW);
    await pause(1_000);
    expect(await statuses(db, SIX, SIX + 1)).toEqual(sixIsPlanned);
    await executeStatements(db, 'delete from leases');
    expect(figuresOf(await ticking)).toEqual([1, 1, 0]);
    expect(Date.now()).toBeLessThan(heldUntil);
  });

  it('takes over at once from a holder whose lease has run out', async () => {
    const db = await dailyFarm();
    await holdLease(db, Date.now() - 1);
    expect(figuresOf(await tick(db, TOMORROW))).toEqual([1, 1, 0]);
  });

  it('stops waiting when it is told to, and says by its exit code that it is not done', async () => {
    const db = await dailyFarm();
    await holdLease(db, Date.now() + 10 * MINUTE);
    const { child, ended } = startProgram('tick', '--db', db, '--clock', iso(TOMORROW));
    await pause(1_500);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 1, signal: null });
    expect(await statuses(db, SIX, SIX + 1)).toEqual(sixIsPlanned);
  });

  it('ends with 1 where there is no store, and makes none', async () => {
    const db = join(await newScheduleFolder(), 'nowhere.db');
    expect(await tick(db, SCHEDULE_NOW)).toMatchObject({ code: 1, stdout: '' });
    expect(existsSync(db)).toBe(false);
  });

  it('ends with 1 where the file is no store, and says so', async () => {
    const file = join(await newScheduleFolder(), 'letter.db');
    await writeFile(file, 'Dear Ana, the pump is mended.');
    const { code, stdout, stderr } = await tick(file, SCHEDULE_NOW);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('not an Acequia store');
  });

  it.each([
    ['--until', 'next week'],
    ['--every', '0h'],
    ['--every', 'often'],
    ['--often', '1h'],
    ['--every', '1h'],
    ['--until', '2020-01-01T00:00:00Z'],
    ['--until', '2027-02-30T00:00:00Z'],
  ])('ends with 2 on wrong usage: %s %s', async (option, value) => {
    const db = await dailyFarm();
    const before = await occurrenceRows(db);
    const { code, stdout } = await tick(db, TOMORROW, option, value);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(await occurrenceRows(db)).toEqual(before);
  });
});

describe('five processes that keep one store for a simulated time', { timeout: LONG_TIMEOUT_MS }, () => {
  /** A year; a quarter of one where each statement takes its way to a server. With the 90 days beyond it whole weeks. */
  const DAYS = isOnPostgres ? 92 : 365;
  const PRODUCED = DAYS + 90;
  const END = SCHEDULE_NOW + DAYS * DAY;
  /** Each at its own pace. */
  const PACES = ['8h', '11h', '13h', '1d', '30h'];

  const begin = (db: string, every: string): RunningCommand =>
    startProgram('tick', '--db', db, '--clock', iso(SCHEDULE_NOW), '--until', iso(END), '--every', every);

  /** One that confirms by itself, with an hour that one day skips; one that waits, in another zone; two touched by hand. */
  const yearsFarm = scheduleFarmWith(async (server) => {
    const startTimes = ['02:30', '06:00', '20:15'];
    await createDailySchedule(server, { module: undefined, parcel: 'North block', startTimes, startsOn: '2026-03-10' });
    await createDailySchedule(server, {
      freq: 'weekly',
      weekdays: [1, 4],
      startTimes: ['12:00'],
      timezone: 'America/New_York',
      confirmationPolicy: 'manual',
    });
    const [, , moved, , skipped] = await scheduleOccurrences(server, 1);
    const correct = { inputMode: 'duration' };
    await server.call('correct_watering', { ...correct, eventId: moved!.id, startedAt: '2026-03-12 07:00' });
    await server.call('correct_watering', {
      ...correct,
      eventId: skipped!.id,
      startedAt: skipped!.startedAt,
      status: 'skipped',
    });
  });

  let alone: Promise<{ kept: string[]; figures: number[] }> | undefined;

  /** What one process makes of the same time. */
  function ofOneAlone(): Promise<{ kept: string[]; figures: number[] }> {
    alone ??= yearsFarm().then(async (db) => {
      const done = await begin(db, '1d').ended;
      expect(done).toMatchObject(CLEAN_EXIT);
      return { kept: await occurrenceRows(db), figures: figuresOf(done) };
    });
    return alone;
  }

  it('produce each occurrence once and let it count as done once, and none is told of the others', async () => {
    const db = await yearsFarm();
    const { kept, figures } = await ofOneAlone();
    const ended = await Promise.all(PACES.map((every) => begin(db, every).ended));
    for (const each of ended) expect(each).toMatchObject(CLEAN_EXIT);
    const sums = ended.map(figuresOf).reduce((sum, some) => sum.map((one, index) => one + some[index]!));
    expect(sums).toEqual(figures);
    expect(await occurrenceRows(db)).toEqual(kept);
    await expectSound(db);

    const slots = await rowsOf<{ schedule_id: number; many: number }>(
      db,
      `select schedule_id, count(*) as many, count(distinct module_id || ' ' || slot) as slots,
         count(*) filter (where status = 'done' and verified_at is null) as done from waterings group by schedule_id order by schedule_id`,
    );
    // The days of production: the first less its morning, the last less its evening. Three times on two probes; Mondays and
    // Thursdays. What is over of the first is done, less the two that a person touched.
    expect(slots).toEqual([
      { schedule_id: 1, many: PRODUCED * 3 * 2, slots: PRODUCED * 3 * 2, done: DAYS * 3 * 2 - 2 },
      { schedule_id: 2, many: (PRODUCED / 7) * 2, slots: (PRODUCED / 7) * 2, done: 0 },
    ]);
  });

  it('make the same book when they are killed at random moments and others take their place', async () => {
    const db = await yearsFarm();
    const { kept } = await ofOneAlone();
    let seed = 20260310;
    const random = (below: number): number => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % below;
    };
    const running = PACES.map((every) => begin(db, every));
    for (let kill = 0; kill < 8; kill++) {
      await pause(100 + random(400));
      const place = random(PACES.length);
      const { child, ended } = running[place]!;
      child.kill('SIGKILL');
      await ended;
      // As if the time of its lease had gone by.
      await executeStatements(db, 'update leases set held_until = 0');
      running[place] = begin(db, PACES[place]!);
    }
    for (const { ended } of running) expect(await ended).toMatchObject(CLEAN_EXIT);
    expect(await occurrenceRows(db)).toEqual(kept);
    expect(await leases(db)).toEqual([]);
    await expectSound(db);
  });
});
