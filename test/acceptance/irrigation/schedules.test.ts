import { describe, expect, it } from 'vitest';
import type { ScheduleBody } from '../../../src/schema/schedule.ts';
import type { WateringAnswer, WateringBody } from '../../../src/schema/watering.ts';
import { rowsOf } from '../../stores/stores.ts';
import {
  createDailySchedule,
  DAILY_SCHEDULE,
  DAY,
  HOUR,
  iso,
  newScheduleFarm,
  occurrenceRows,
  runCommand,
  SCHEDULE_NOW,
  scheduleOccurrences,
  startScheduleServer,
} from '../schedule-farm.ts';

/** The last instant at which something is planned. */
const HORIZON = SCHEDULE_NOW + 90 * DAY;
/** When the clocks of Paris go forward: from here on six in the morning is an hour earlier in UTC. */
const FORWARD = Date.UTC(2026, 2, 29, 1);

/** The instants of six in the morning in Paris, from the 11th on, on the days that are chosen by their number. */
const sixInTheMorning = (isChosen: (day: number, weekday: number) => boolean): string[] =>
  Array.from({ length: 91 }, (_, day) => ({ day, midnight: Date.UTC(2026, 2, 11) + day * DAY }))
    .filter(({ day, midnight }) => isChosen(day, new Date(midnight).getUTCDay()))
    .map(({ midnight }) => midnight + (midnight + 6 * HOUR > FORWARD ? 4 : 5) * HOUR)
    .filter((at) => at <= HORIZON)
    .map(iso);

const starts = (events: readonly WateringBody[]): string[] => events.map(({ startedAt }) => startedAt);

const scheduleOf = ({ summary: _, isReplay: __, ...schedule }: ScheduleBody & { summary: string; isReplay: boolean }) =>
  schedule;

describe('create_schedule through the built program', () => {
  it('takes a probe by its name, and what comes as JSON text', async () => {
    const server = await startScheduleServer(await newScheduleFarm());
    const created = await createDailySchedule(server, {
      module: 'north 1',
      freq: 'weekly',
      weekdays: '[4,1]',
      startTimes: '["06:00"]',
      durationMin: '30',
    });
    expect(scheduleOf(created)).toEqual({
      id: 1,
      targetModuleId: 1,
      targetParcelId: null,
      label: null,
      freq: 'weekly',
      intervalDays: null,
      weekdays: [1, 4],
      startTimes: ['06:00'],
      timezone: 'Europe/Paris',
      inputMode: 'duration',
      durationMin: 30,
      inputDepthMm: null,
      inputVolumeM3: null,
      startsOn: '2026-03-11',
      endsOn: null,
      confirmationPolicy: 'auto',
      isActive: true,
      materializedUntil: expect.stringMatching(/^2026-06-08T09:00:/),
    });
    const mondaysAndThursdays = sixInTheMorning((_, weekday) => weekday === 1 || weekday === 4);
    expect(starts(await scheduleOccurrences(server, 1))).toEqual(mondaysAndThursdays);
  });

  it('takes weekdays that are texts, alone or in an array', async () => {
    const server = await startScheduleServer(await newScheduleFarm());
    const weekly = { freq: 'weekly', isActive: false };
    expect((await createDailySchedule(server, { ...weekly, weekdays: ['4', '1'] })).weekdays).toEqual([1, 4]);
    expect((await createDailySchedule(server, { ...weekly, weekdays: '["4","1"]' })).weekdays).toEqual([1, 4]);
    expect((await createDailySchedule(server, { ...weekly, weekdays: '7', startTimes: '06:00' })).weekdays).toEqual([
      7,
    ]);
  });

  it('keeps the local hour of every other day when the clocks change', async () => {
    const server = await startScheduleServer(await newScheduleFarm());
    const { id, summary } = await createDailySchedule(server, { intervalDays: 2 });
    const everyOtherDay = sixInTheMorning((day) => day % 2 === 0);
    expect(starts(await scheduleOccurrences(server, id))).toEqual(everyOtherDay);
    expect(everyOtherDay).toContain('2026-03-27T05:00:00.000Z');
    expect(everyOtherDay).toContain('2026-03-29T04:00:00.000Z');
    expect(summary).toContain(`${everyOtherDay.length} waterings planned`);
  });

  it('plans one watering for each probe of a parcel, with the dose of its own equipment', async () => {
    const server = await startScheduleServer(await newScheduleFarm());
    const { id } = await createDailySchedule(server, {
      module: undefined,
      parcel: 'North block',
      endsOn: '2026-03-12',
    });
    const [first, second, ...later] = await scheduleOccurrences(server, id);
    // North 1: 1.6 L/h x 2 per m2 = 3.2 mm/h for half an hour. North 2: the parcel's 6 mm/h. The mast is no probe.
    expect([first, second].map((event) => [event!.moduleId, event!.waterMm]).sort()).toEqual([
      [1, 1.6],
      [2, 3],
    ]);
    expect(first).toMatchObject({ scheduleId: id, isDetached: false, status: 'planned', source: 'schedule' });
    expect(first).toMatchObject({ verifiedAt: null, startedAt: '2026-03-11T05:00:00.000Z', durationMin: 30 });
    expect(starts(later)).toEqual(['2026-03-12T05:00:00.000Z', '2026-03-12T05:00:00.000Z']);
  });

  it('answers a repeated call with the schedule it made, and plans nothing twice, in another process too', async () => {
    const db = await newScheduleFarm();
    const server = await startScheduleServer(db);
    const created = await createDailySchedule(server, { idempotencyKey: 'six every day' });
    const before = await occurrenceRows(db);
    const again = await createDailySchedule(server, { idempotencyKey: 'six every day' });
    const elsewhere = await createDailySchedule(await startScheduleServer(db), { idempotencyKey: 'six every day' });
    expect([created.isReplay, again.isReplay, elsewhere.isReplay]).toEqual([false, true, true]);
    expect([again.summary, scheduleOf(again)]).toEqual([created.summary, scheduleOf(created)]);
    expect(scheduleOf(elsewhere)).toEqual(scheduleOf(created));
    expect(await occurrenceRows(db)).toEqual(before);
    expect(await rowsOf(db, 'select id from schedules')).toHaveLength(1);
  });

  it('makes one schedule of the same call in two processes at once', async () => {
    const db = await newScheduleFarm();
    const servers = await Promise.all([startScheduleServer(db), startScheduleServer(db)]);
    const [one, other] = await Promise.all(
      servers.map((each) => createDailySchedule(each, { idempotencyKey: 'at once' })),
    );
    expect(scheduleOf(other!)).toEqual(scheduleOf(one!));
    expect(await rowsOf(db, 'select id from schedules')).toHaveLength(1);
    expect(await occurrenceRows(db)).toHaveLength(sixInTheMorning(() => true).length);
  });
});

describe('the occurrences of a schedule', () => {
  it('are detached when one is corrected, and its dose follows', async () => {
    const db = await newScheduleFarm();
    const server = await startScheduleServer(db);
    const { id } = await createDailySchedule(server);
    const [first, second] = await scheduleOccurrences(server, id);
    const { event } = await server.call<WateringAnswer>('correct_watering', {
      eventId: first!.id,
      startedAt: '2026-03-11 07:30',
      inputMode: 'duration',
      durationMin: 60,
    });
    expect(event).toMatchObject({ isDetached: true, scheduleId: id, status: 'planned', source: 'schedule' });
    expect(event).toMatchObject({ startedAt: '2026-03-11T06:30:00.000Z', waterMm: 3.2 });
    // Its slot stays taken: housekeeping at seven o'clock of that day plans no other in its place.
    await runCommand('tick', '--db', db, '--clock', '2026-03-11T06:00:00Z');
    expect((await scheduleOccurrences(server, id)).slice(0, 2)).toEqual([event, second]);
  });

  it('are confirmed by done, once their time has come', async () => {
    const db = await newScheduleFarm();
    const before = await startScheduleServer(db);
    const { id } = await createDailySchedule(before, { confirmationPolicy: 'manual' });
    const [first] = await scheduleOccurrences(before, id);
    const confirm = { eventId: first!.id, startedAt: first!.startedAt, inputMode: 'duration', status: 'done' };
    expect((await before.refusal('correct_watering', confirm)).code).toBe('INVALID_STATUS');
    await before.close();
    const after = await startScheduleServer(db, SCHEDULE_NOW + DAY);
    const { event } = await after.call<WateringAnswer>('correct_watering', confirm);
    expect(event).toMatchObject({ status: 'done', isDetached: true, waterMm: 1.6 });
    expect(event.verifiedAt).toMatch(/^2026-03-11T09:00:/);
  });

  it('can be skipped one by one, and are found by their status', async () => {
    const server = await startScheduleServer(await newScheduleFarm());
    const { id } = await createDailySchedule(server, { endsOn: '2026-03-13' });
    const [, second] = await scheduleOccurrences(server, id);
    const skip = { eventId: second!.id, startedAt: second!.startedAt, inputMode: 'duration', status: 'skipped' };
    const { event } = await server.call<WateringAnswer>('correct_watering', skip);
    expect(event).toMatchObject({ status: 'skipped', isDetached: true });
    const listed = await server.call<{ data: WateringBody[] }>('list_waterings', { scheduleId: id, status: 'skipped' });
    expect(listed.data).toEqual([event]);
    expect(listed.summary).toContain('1 in all: 1 skipped');
  });
});

describe('update_schedule through the built program', () => {
  it('moves what is ahead, leaves what was corrected by hand, and says how many of each', async () => {
    const db = await newScheduleFarm();
    const server = await startScheduleServer(db);
    const { id } = await createDailySchedule(server, { endsOn: '2026-03-20' });
    const before = await scheduleOccurrences(server, id);
    for (const [event, fields] of [
      [before[1]!, { durationMin: 45 }],
      [before[2]!, { status: 'skipped' }],
    ] as const)
      await server.call('correct_watering', {
        eventId: event.id,
        startedAt: event.startedAt,
        inputMode: 'duration',
        ...fields,
      });
    const changed = await server.call<ScheduleBody>('update_schedule', { scheduleId: id, startTimes: '["05:30"]' });
    expect(scheduleOf(changed)).toMatchObject({ id, startTimes: ['05:30'], targetModuleId: 1 });
    // Ten days from the 11th to the 20th, less the two that a person touched.
    expect(changed.summary).toContain('8 future waterings moved from 06:00 to 05:30, 2 corrected by hand were left.');
    const after = await scheduleOccurrences(server, id);
    expect(after.map(({ id: each }) => each)).toEqual(before.map(({ id: each }) => each));
    const isTouched = (index: number) => index === 1 || index === 2;
    expect(starts(after)).toEqual(
      before.map(({ startedAt }, index) => iso(Date.parse(startedAt) - (isTouched(index) ? 0 : HOUR / 2))),
    );
  });

  it('removes what is planned when a schedule is stopped, and plans from now when it goes on', async () => {
    const db = await newScheduleFarm();
    const first = await startScheduleServer(db);
    const { id } = await createDailySchedule(first);
    const all = await scheduleOccurrences(first, id);
    await first.close();
    const server = await startScheduleServer(db, SCHEDULE_NOW + 3 * DAY);
    const stopped = await server.call<ScheduleBody>('update_schedule', { scheduleId: id, isActive: 'false' });
    expect(stopped).toMatchObject({ isActive: false, materializedUntil: null });
    // The 11th, 12th and 13th are over; they count as done, unwitnessed.
    const past = await scheduleOccurrences(server, id);
    expect(past).toEqual(all.slice(0, 3).map((event) => ({ ...event, status: 'done', verifiedAt: null })));
    await server.call('update_schedule', { scheduleId: id, isActive: true });
    const again = await scheduleOccurrences(server, id);
    expect(starts(again).slice(0, 5)).toEqual(starts(all).slice(0, 5));
    expect(new Set(starts(again)).size).toBe(again.length);
  });

  it('clears what is named in clear', async () => {
    const server = await startScheduleServer(await newScheduleFarm());
    const { id } = await createDailySchedule(server, { endsOn: '2026-03-20', label: 'Spring' });
    const changed = await server.call<ScheduleBody>('update_schedule', { scheduleId: id, clear: '["endsOn","label"]' });
    expect(changed).toMatchObject({ endsOn: null, label: null });
    expect(starts(await scheduleOccurrences(server, id))).toEqual(sixInTheMorning(() => true));
  });
});

describe('list_schedules and the resource of it', () => {
  it('tells those that reach a probe: its own and its parcel’s', async () => {
    const server = await startScheduleServer(await newScheduleFarm());
    const own = scheduleOf(await createDailySchedule(server, { module: 'North 2' }));
    const parcels = scheduleOf(await createDailySchedule(server, { module: undefined, parcel: 'North block' }));
    await createDailySchedule(server, { module: 'South 1' });
    const { data } = await server.call<{ data: ScheduleBody[] }>('list_schedules', { module: 'North 2' });
    expect(data).toEqual([own, parcels]);
  });

  it('is at acequia://schedules what the tool answers', async () => {
    const server = await startScheduleServer(await newScheduleFarm());
    await createDailySchedule(server);
    await createDailySchedule(server, { module: 'South 1', isActive: false });
    const { resources } = await server.client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain('acequia://schedules');
    const { contents } = await server.client.readResource({ uri: 'acequia://schedules' });
    const { summary: _, isReplay: __, ...body } = await server.call<{ data: ScheduleBody[] }>('list_schedules');
    expect(body.data).toHaveLength(2);
    expect(JSON.parse((contents[0] as { text: string }).text)).toEqual(body);
  });
});

describe('bad input', () => {
  const BAD: [string, Record<string, unknown>, string, RegExp][] = [
    ['no target', { module: undefined }, 'INVALID_TARGET', /module or a parcel/],
    ['two targets', { parcel: 'North block' }, 'INVALID_TARGET', /one of the two/],
    ['an unknown probe', { module: 'West 9' }, 'MODULE_NOT_OWNED', /North 1/],
    ['an unknown parcel', { module: undefined, parcel: 'West block' }, 'PARCEL_NOT_FOUND', /North block/],
    ['an unknown frequency', { freq: 'monthly' }, 'INVALID_FREQ', /daily or weekly/],
    ['interval 366', { intervalDays: 366 }, 'INVALID_INTERVAL', /365/],
    ['interval 0', { intervalDays: 0 }, 'INVALID_INTERVAL', /365/],
    ['weekday 0', { freq: 'weekly', weekdays: '[0]' }, 'INVALID_WEEKDAYS', /1 \(Monday\) to 7 \(Sunday\)/],
    ['weekly without weekdays', { freq: 'weekly' }, 'INVALID_WEEKDAYS', /1 \(Monday\) to 7 \(Sunday\)/],
    ['24:00', { startTimes: ['24:00'] }, 'INVALID_START_TIMES', /HH:MM/],
    ['6:5', { startTimes: ['6:5'] }, 'INVALID_START_TIMES', /HH:MM/],
    ['no start time', { startTimes: [] }, 'INVALID_START_TIMES', /1 to 12/],
    [
      'thirteen start times',
      { startTimes: Array.from({ length: 13 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`) },
      'INVALID_START_TIMES',
      /1 to 12/,
    ],
    ['UTC', { timezone: 'UTC' }, 'INVALID_TIMEZONE', /Europe\/Paris/],
    ['UTC by alias', { timezone: 'Zulu' }, 'INVALID_TIMEZONE', /Europe\/Paris/],
    ['UTC by another alias', { timezone: 'Etc/GMT+2' }, 'INVALID_TIMEZONE', /Europe\/Paris/],
    ['an unknown zone', { timezone: 'Europe/Montpellier' }, 'INVALID_TIMEZONE', /Europe\/Paris/],
    ['a first day that does not exist', { startsOn: '2026-02-30' }, 'INVALID_STARTS_ON', /YYYY-MM-DD/],
    ['a last day in words', { endsOn: 'end of August' }, 'INVALID_ENDS_ON', /YYYY-MM-DD/],
    ['an end before the start', { endsOn: '2026-03-10' }, 'INVALID_ENDS_ON', /on or after/],
    ['an unknown policy', { confirmationPolicy: 'ask' }, 'INVALID_CONFIRMATION_POLICY', /auto or manual/],
    ['an unknown mode', { inputMode: 'litres' }, 'INVALID_INPUT_MODE', /depth_mm/],
    ['a duration of 0', { durationMin: 0 }, 'INVALID_DURATION', /minutes/],
    ['no duration', { durationMin: undefined }, 'MISSING_DURATION', /durationMin/],
    ['no depth', { inputMode: 'depth_mm' }, 'MISSING_DEPTH', /inputDepthMm/],
    ['no volume', { inputMode: 'volume_m3' }, 'MISSING_VOLUME', /inputVolumeM3/],
    ['a depth for a duration', { inputDepthMm: 4 }, 'INVALID_DEPTH', /inputDepthMm/],
    ['a volume for a depth', { inputMode: 'depth_mm', inputDepthMm: 4, inputVolumeM3: 2 }, 'INVALID_VOLUME', /./],
  ];

  it('is refused with the code of the spec and a hint, and nothing is written', async () => {
    const db = await newScheduleFarm();
    const server = await startScheduleServer(db);
    for (const [what, fields, code, hint] of BAD) {
      const refusal = await server.refusal('create_schedule', { ...DAILY_SCHEDULE, ...fields });
      expect({ what, code: refusal.code }).toEqual({ what, code });
      expect(refusal.hint, what).toMatch(hint);
    }
    expect(await rowsOf(db, 'select id from schedules union all select id from waterings')).toEqual([]);
  });

  it('is refused in a change, and the schedule with what it planned stays as it was', async () => {
    const db = await newScheduleFarm();
    const server = await startScheduleServer(db);
    const created = await createDailySchedule(server);
    const scheduleId = created.id;
    const before = await occurrenceRows(db);
    for (const [fields, code] of [
      [{ startTimes: ['6:5'] }, 'INVALID_START_TIMES'],
      [{ timezone: 'GMT' }, 'INVALID_TIMEZONE'],
      [{ freq: 'weekly' }, 'INVALID_WEEKDAYS'],
      [{ endsOn: '2026-03-01' }, 'INVALID_ENDS_ON'],
      [{ inputMode: 'depth_mm' }, 'MISSING_DEPTH'],
      [{ module: 'North 2' }, 'invalid_body'],
    ] as const)
      expect((await server.refusal('update_schedule', { scheduleId, ...fields })).code).toBe(code);
    const { data } = await server.call<{ data: ScheduleBody[] }>('list_schedules');
    expect(data).toEqual([scheduleOf(created)]);
    expect(await occurrenceRows(db)).toEqual(before);
    expect((await server.refusal('update_schedule', { scheduleId: 99, isActive: false })).code).toBe('not_found');
  });
});
