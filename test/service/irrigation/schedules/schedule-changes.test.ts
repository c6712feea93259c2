import { describe, expect } from 'vitest';
import type { WateringBody } from '../../../../src/schema/irrigation/watering.ts';
import {
  advisoriesOf,
  bodyOf,
  DAY,
  FARM_NOW,
  HOUR,
  iso,
  it,
  MINUTE,
  minutesAt,
  type TestFarm,
  type ToolResult,
} from '../../../farm.ts';

/** From 2 to 31 July: thirty planned waterings, at 06:00 in Paris, 04:00Z. */
const july = { module: 'North 1', endsOn: '2026-07-31' };
const sprinkler = { system: 'sprinkler', flowMmPerH: 6 };

/** "02T04:00 planned", with a star when corrected. */
const describeRows = (rows: readonly WateringBody[]): string[] =>
  rows.map(
    ({ startedAt, status, isDetached }) =>
      `${startedAt.slice(8, 16)} ${status}${isDetached ? '*' : ''}`,
  );
const onDay = (rows: readonly WateringBody[], day: number): WateringBody =>
  rows.find(({ startedAt }) => new Date(startedAt).getUTCDate() === day)!;
const ids = (rows: readonly { id: number }[]): number[] =>
  rows.map(({ id }) => id).sort((a, b) => a - b);

/** How many of its planned waterings a change moved, updated, added, removed or left. */
const effectOf = (answer: ToolResult<object>) =>
  advisoriesOf(answer, 'planned_waterings_changed')[0];
const NO_EFFECT = { moved: 0, updated: 0, added: 0, removed: 0, keptManual: 0 };

describe('a changed schedule', () => {
  it('is answered as a whole, with only the sent fields changed', async ({ farm }) => {
    const before = bodyOf(await farm.createSchedule({ ...july, label: 'Peaches' }));
    const after = await farm.updateSchedule(before, { startTimes: ['05:30'], durationMin: 45 });
    expect(after).toMatchObject({ ...before, startTimes: ['05:30'], durationMin: 45 });
    const { data } = await farm.tool<{ data: object[] }>('list_schedules');
    expect(data).toMatchObject([{ ...before, startTimes: ['05:30'], durationMin: 45 }]);
  });

  it('moves future occurrences under the same ids, except for corrected ones', async ({ farm }) => {
    const schedule = await farm.createSchedule(july);
    const before = await farm.occurrences(schedule);
    await farm.correct(onDay(before, 10), { status: 'skipped' });
    await farm.correct(onDay(before, 12), { startedAt: '2026-07-12T18:00' });
    const changed = await farm.updateSchedule(schedule, { startTimes: ['05:30'] });
    expect(effectOf(changed)).toMatchObject({
      ...NO_EFFECT,
      moved: 28,
      from: ['06:00'],
      to: ['05:30'],
      keptManual: 2,
    });
    const after = await farm.occurrences(schedule);
    expect(ids(after)).toEqual(ids(before));
    expect(describeRows(after)).toEqual(
      before.map(({ startedAt }) => {
        const day = startedAt.slice(8, 10);
        if (day === '10') return '10T04:00 skipped*';
        return day === '12' ? '12T16:00 planned*' : `${day}T03:30 planned`;
      }),
    );
  });

  it('materializes the time since the last housekeeping as it was before the change', async ({
    farm,
  }) => {
    await farm.declare('North 1', sprinkler);
    const schedule = await farm.createSchedule({ module: 'North 1' });
    // The horizon set at creation ended on 29 September.
    farm.now = FARM_NOW + 100 * DAY;
    await farm.updateSchedule(schedule, { startTimes: ['05:30'], durationMin: 60 });
    const rows = await farm.occurrences(schedule);
    const past = rows.filter(({ startedAt }) => Date.parse(startedAt) <= farm.now);
    // 2 July to 9 October, each 30 min at 6 mm/h: 3 mm.
    expect(past).toHaveLength(100);
    expect(
      new Set(
        past.map(
          ({ status, waterMm, startedAt }) => `${startedAt.slice(11, 16)} ${status} ${waterMm}`,
        ),
      ),
    ).toEqual(new Set(['04:00 done 3']));
    expect(rows[100]).toMatchObject({
      startedAt: '2026-10-10T03:30:00.000Z',
      status: 'planned',
      waterMm: 6,
    });
  });

  it('does not report occurrences added at the horizon', async ({ farm }) => {
    const schedule = await farm.createSchedule({ module: 'North 1' });
    farm.now += 10 * DAY;
    const changed = await farm.updateSchedule(schedule, { label: 'Peaches' });
    expect(effectOf(changed)).toMatchObject(NO_EFFECT);
    expect(changed.materializedUntil).toBe(iso(farm.now + 90 * DAY));
    expect(await farm.occurrences(schedule)).toHaveLength(100);
  });

  it('reports no change if every occurrence was corrected', async ({ farm }) => {
    const schedule = await farm.createSchedule({ ...july, endsOn: '2026-07-02' });
    await farm.correct((await farm.occurrences(schedule))[0]!, { durationMin: 20 });
    const changed = await farm.updateSchedule(schedule, { startTimes: ['07:00'] });
    expect(effectOf(changed)).toMatchObject({ ...NO_EFFECT, keptManual: 1 });
  });

  it('gives future occurrences the new amount and dose', async ({ farm }) => {
    await farm.declare('North 1', sprinkler);
    const schedule = await farm.createSchedule(july);
    const before = await farm.occurrences(schedule);
    const changed = await farm.updateSchedule(schedule, { durationMin: 45 });
    expect(effectOf(changed)).toMatchObject({ ...NO_EFFECT, updated: 30 });
    const after = await farm.occurrences(schedule);
    expect(ids(after)).toEqual(ids(before));
    // 45 min at 6 mm/h.
    expect(new Set(after.map(({ waterMm }) => waterMm))).toEqual(new Set([4.5]));
  });

  it('loses the amount of the old mode, but keeps the run time', async ({ farm }) => {
    const schedule = await farm.createSchedule({
      ...july,
      inputMode: 'depth_mm',
      inputDepthMm: 4,
      durationMin: 50,
    });
    const after = await farm.updateSchedule(schedule, { inputMode: 'volume_m3', inputVolumeM3: 9 });
    const amounts = {
      inputMode: 'volume_m3',
      inputDepthMm: null,
      inputVolumeM3: 9,
      durationMin: 50,
    };
    expect(after).toMatchObject(amounts);
    expect(await farm.occurrences(schedule)).toMatchObject(Array(30).fill(amounts));
  });

  it('loses the interval or weekdays of the old frequency', async ({ farm }) => {
    const schedule = await farm.createSchedule({ ...july, intervalDays: 3 });
    // Sundays of July 2026: 5, 12, 19, 26.
    expect(await farm.updateSchedule(schedule, { freq: 'weekly', weekdays: [7] })).toMatchObject({
      freq: 'weekly',
      intervalDays: null,
      weekdays: [7],
    });
    expect(describeRows(await farm.occurrences(schedule))).toEqual(
      ['05', '12', '19', '26'].map((day) => `${day}T04:00 planned`),
    );
    expect(await farm.updateSchedule(schedule, { freq: 'daily' })).toMatchObject({
      intervalDays: 1,
      weekdays: null,
    });
    expect(await farm.occurrences(schedule)).toHaveLength(30);
  });

  it('reports the number of added and removed occurrences', async ({ farm }) => {
    const schedule = await farm.createSchedule(july);
    // Evenings of today and the next thirty days.
    expect(
      effectOf(await farm.updateSchedule(schedule, { startTimes: ['06:00', '20:00'] })),
    ).toMatchObject({ ...NO_EFFECT, added: 31 });
    // The sixteen days after the 15th lose two waterings each.
    expect(effectOf(await farm.updateSchedule(schedule, { endsOn: '2026-07-15' }))).toMatchObject({
      ...NO_EFFECT,
      removed: 32,
    });
    expect(await farm.occurrences(schedule)).toHaveLength(29);
  });

  it('loses its last date, label and interval by clear', async ({ farm }) => {
    const schedule = await farm.createSchedule({ ...july, label: 'Peaches', intervalDays: 3 });
    const after = await farm.updateSchedule(schedule, {
      clear: ['endsOn', 'label', 'intervalDays'],
    });
    expect(after).toMatchObject({ endsOn: null, label: null, intervalDays: 1 });
    expect(await farm.occurrences(schedule)).toHaveLength(90);
  });

  it('changes no other schedule and no logged watering', async ({ farm }) => {
    const schedule = await farm.createSchedule(july);
    const other = await farm.createSchedule(july);
    await farm.log('North 1', minutesAt(FARM_NOW + DAY, 10));
    const rest = async () =>
      (await farm.waterings()).filter(({ scheduleId }) => scheduleId !== schedule.id);
    const before = await rest();
    await farm.updateSchedule(schedule, { startTimes: ['05:30'], durationMin: 5 });
    await farm.updateSchedule(schedule, { isActive: false });
    expect(await rest()).toEqual(before);
    expect(before.filter(({ scheduleId }) => scheduleId === other.id)).toHaveLength(30);
  });
});

describe('a changed schedule of a parcel', () => {
  it('has the area of its parcel once it is by volume', async ({ farm }) => {
    await farm.declareParcel('North block', { ...sprinkler, irrigatedAreaM2: 1000 });
    await farm.declare('North 2', { ...sprinkler, irrigatedAreaM2: 2000 });
    const schedule = await farm.createSchedule({ parcel: 'North block', endsOn: '2026-07-02' });
    const changed = await farm.updateSchedule(schedule, {
      inputMode: 'volume_m3',
      inputVolumeM3: 5,
      clear: ['durationMin'],
    });
    expect(effectOf(changed)).toMatchObject({ ...NO_EFFECT, updated: 3 });
    expect(advisoriesOf(changed, 'parcel_volume')).toMatchObject([
      { volumeM3: 5, areaM2: 1000, waterMm: 5 },
    ]);
    expect((await farm.occurrences(schedule)).map(({ waterMm }) => waterMm)).toEqual([5, 5, 5]);
  });

  it('keeps the start of the one probe that was corrected', async ({ farm }) => {
    const schedule = await farm.createSchedule({ parcel: 'North block', endsOn: '2026-07-02' });
    const rows = await farm.occurrences(schedule);
    const second = rows.find(({ moduleId }) => moduleId === farm.idOf('North 2'))!;
    await farm.correct(second, { status: 'skipped' });
    const changed = await farm.updateSchedule(schedule, { startTimes: ['05:30'] });
    expect(effectOf(changed)).toMatchObject({ ...NO_EFFECT, moved: 2, keptManual: 1 });
  });
});

describe('isActive', () => {
  it('false removes future occurrences, except for corrected ones', async ({ farm }) => {
    const schedule = await farm.createSchedule({ ...july, endsOn: '2026-07-06' });
    await farm.correct((await farm.occurrences(schedule))[3]!, { durationMin: 10 });
    farm.now = Date.UTC(2026, 6, 3, 10);
    const stopped = await farm.updateSchedule(schedule, { isActive: false });
    expect(stopped).toMatchObject({ isActive: false, materializedUntil: null });
    expect(effectOf(stopped)).toMatchObject({ ...NO_EFFECT, removed: 2, keptManual: 1 });
    expect(describeRows(await farm.occurrences(schedule))).toEqual([
      '02T04:00 done',
      '03T04:00 done',
      '05T04:00 planned*',
    ]);
  });

  it('true adds occurrences from now on, none for the time between', async ({ farm }) => {
    const schedule = await farm.createSchedule(july);
    await farm.updateSchedule(schedule, { isActive: false });
    farm.now = Date.UTC(2026, 6, 28, 10);
    await farm.tick();
    const resumed = await farm.updateSchedule(schedule, { isActive: true });
    expect(resumed).toMatchObject({ isActive: true, materializedUntil: iso(farm.now + 90 * DAY) });
    expect(effectOf(resumed)).toMatchObject({ ...NO_EFFECT, added: 3 });
    expect(describeRows(await farm.occurrences(schedule))).toEqual(
      ['29', '30', '31'].map((day) => `${day}T04:00 planned`),
    );
  });

  it('true includes an occurrence of exactly now, once', async ({ farm }) => {
    const schedule = await farm.createSchedule({
      ...july,
      startTimes: ['12:00'],
      endsOn: '2026-07-03',
    });
    await farm.updateSchedule(schedule, { isActive: false });
    await farm.updateSchedule(schedule, { isActive: true });
    expect(describeRows(await farm.occurrences(schedule))).toEqual([
      '01T10:00 done',
      '02T10:00 planned',
      '03T10:00 planned',
    ]);
    await farm.updateSchedule(schedule, { isActive: false });
    farm.now += DAY;
    await farm.updateSchedule(schedule, { isActive: true });
    expect(describeRows(await farm.occurrences(schedule))).toEqual([
      '01T10:00 done',
      '02T10:00 done',
      '03T10:00 planned',
    ]);
  });

  it('false allows changes, which add nothing', async ({ farm }) => {
    const schedule = await farm.createSchedule({ ...july, isActive: false });
    const changed = await farm.updateSchedule(schedule, { startTimes: ['07:00'] });
    expect(effectOf(changed)).toMatchObject(NO_EFFECT);
    expect(await farm.occurrences(schedule)).toEqual([]);
    await farm.updateSchedule(schedule, { isActive: true, endsOn: '2026-07-02' });
    expect(describeRows(await farm.occurrences(schedule))).toEqual(['02T05:00 planned']);
  });
});

describe('confirmationPolicy, changed', () => {
  const change = async (farm: TestFarm, from: string, to: string): Promise<string[]> => {
    const plan = { ...july, startTimes: ['12:00', '18:00'], endsOn: '2026-07-02' };
    const schedule = await farm.createSchedule({
      ...plan,
      startsOn: '2026-07-01',
      confirmationPolicy: from,
    });
    farm.now = FARM_NOW + 6 * HOUR;
    await farm.updateSchedule(schedule, { confirmationPolicy: to });
    farm.now = FARM_NOW + DAY + MINUTE;
    await farm.tick();
    return describeRows(await farm.occurrences(schedule));
  };

  it.for([
    ['manual', 'auto', ['planned', 'planned', 'done', 'planned']],
    ['auto', 'manual', ['done', 'done', 'planned', 'planned']],
  ] as const)(
    'from %s to %s counts for what comes after now: %j',
    async ([from, to, statuses], { farm }) => {
      const instants = ['01T10:00', '01T16:00', '02T10:00', '02T16:00'];
      expect(await change(farm, from, to)).toEqual(
        instants.map((at, index) => `${at} ${statuses[index]}`),
      );
    },
  );

  it('changed twice leaves planned what was due between', async ({ farm }) => {
    const schedule = await farm.createSchedule({
      ...july,
      confirmationPolicy: 'auto',
      endsOn: '2026-07-04',
    });
    await farm.updateSchedule(schedule, { confirmationPolicy: 'manual' });
    farm.now += DAY;
    await farm.updateSchedule(schedule, { confirmationPolicy: 'auto' });
    farm.now += DAY;
    await farm.tick();
    expect(describeRows(await farm.occurrences(schedule))).toEqual([
      '02T04:00 planned',
      '03T04:00 done',
      '04T04:00 planned',
    ]);
  });
});
