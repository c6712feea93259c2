import { describe, expect } from 'vitest';
import {
  advisoriesOf,
  DAY,
  FARM_NOW,
  HOUR,
  it,
  MINUTE,
  type TestFarm,
  type ToolResult,
} from '../../../farm.ts';

const july = { module: 'North 1', endsOn: '2026-07-31' };
const sprinkler = { system: 'sprinkler', flowMmPerH: 6 };

describe('the advisories of a schedule', () => {
  const plannedIn = (answer: ToolResult<object>) => advisoriesOf(answer, 'waterings_planned')[0];

  it('count the planned waterings that have no dose yet', async ({ farm }) => {
    await farm.declare('North 1', { system: 'sprinkler' });
    expect(plannedIn(await farm.createSchedule(july))).toMatchObject({
      count: 30,
      withoutDose: 30,
      withoutEquipment: 0,
    });
    await farm.declare('North 2', sprinkler);
    expect(plannedIn(await farm.createSchedule({ ...july, module: 'North 2' }))).toMatchObject({
      withoutDose: 0,
    });
  });

  it('count those that no equipment covers', async ({ farm }) => {
    expect(plannedIn(await farm.createSchedule(july))).toMatchObject({
      probes: 1,
      withoutDose: 30,
      withoutEquipment: 30,
    });
  });

  it('count those of the probes of a parcel that have no equipment', async ({ farm }) => {
    await farm.declare('North 1', sprinkler);
    const ofParcel = await farm.createSchedule({ parcel: 'North block', endsOn: '2026-07-31' });
    expect(plannedIn(ofParcel)).toMatchObject({
      probes: 3,
      count: 90,
      withoutDose: 60,
      withoutEquipment: 60,
    });
  });

  it('name another schedule of the same target and time', async ({ farm }) => {
    const first = await farm.createSchedule(july);
    expect(advisoriesOf(first, 'duplicate_schedule')).toEqual([]);
    expect(advisoriesOf(await farm.createSchedule(july), 'duplicate_schedule')).toMatchObject([
      { id: first.id },
    ]);
    const evening = await farm.createSchedule({ ...july, startTimes: ['18:00'] });
    expect(advisoriesOf(evening, 'duplicate_schedule')).toEqual([]);
  });

  it('know that a start time moved to later today waters once more', async ({ farm }) => {
    await farm.declare('North 1', sprinkler);
    const schedule = await farm.createSchedule(july);
    farm.now = FARM_NOW + DAY;
    const moved = await farm.updateSchedule(schedule, { startTimes: ['13:00'] });
    expect(advisoriesOf(moved, 'still_waters_today')).toMatchObject([{ times: ['13:00'] }]);
  });

  it('know that a start time moved to earlier today removes today’s watering', async ({ farm }) => {
    await farm.declare('North 1', sprinkler);
    const schedule = await farm.createSchedule(july);
    // 05:45 in Paris on 2 July.
    farm.now = FARM_NOW + DAY - 6 * HOUR - 15 * MINUTE;
    const moved = await farm.updateSchedule(schedule, { startTimes: ['05:30'] });
    expect(advisoriesOf(moved, 'removed_today')).toMatchObject([{ times: ['06:00'] }]);
  });

  it('know that a corrected occurrence of an automatic schedule needs confirmation', async ({
    farm,
  }) => {
    const isToConfirm = async (schedule: { readonly id: number }) => {
      const [first] = await farm.occurrences(schedule);
      const corrected = await farm.correct(first!, { note: 'short' });
      return advisoriesOf(corrected, 'needs_confirmation').length === 1;
    };
    expect(await isToConfirm(await farm.createSchedule(july))).toBe(true);
    const manual = { ...july, module: 'North 2', confirmationPolicy: 'manual' };
    expect(await isToConfirm(await farm.createSchedule(manual))).toBe(false);
  });

  it('name another watering of the same minute after a correction', async ({ farm }) => {
    const [first, second] = await farm.occurrences(await farm.createSchedule(july));
    const corrected = await farm.correct(second!, { startedAt: first!.startedAt });
    expect(advisoriesOf(corrected, 'overlapping_watering')).toMatchObject([
      { id: second!.id, other: { id: first!.id } },
    ]);
  });
});

describe('waterings of schedules that overlap', () => {
  const create = (farm: TestFarm, fields: object) =>
    farm.createSchedule({ durationMin: 60, inputMode: 'duration', ...fields });
  const overlapsIn = (answer: ToolResult<object>) => advisoriesOf(answer, 'schedules_overlap');

  it.for([
    ['on one probe', { module: 'North 1', startTimes: ['06:30'] }],
    ['on a parcel', { parcel: 'North block', startTimes: ['06:30'] }],
    ['that begin before', { module: 'North 1', startTimes: ['05:30'] }],
  ] as const)('are named: %s', async ([_, fields], { farm }) => {
    const { id } = await create(farm, { module: 'North 1', startTimes: ['06:00'] });
    expect(overlapsIn(await create(farm, fields))).toMatchObject([{ id }]);
  });

  it('are named where the equipment tells how long an amount takes', async ({ farm }) => {
    const earlier = { module: 'North 1', startTimes: ['05:00'], inputMode: 'depth_mm' };
    const amount = { ...earlier, durationMin: null, inputDepthMm: 50 };
    const { id } = await create(farm, { module: 'North 1', startTimes: ['06:00'] });
    expect(overlapsIn(await create(farm, amount))).toEqual([]);
    await farm.declare('North 1', sprinkler);
    expect(overlapsIn(await create(farm, amount))).toMatchObject([{ id }]);
  });

  it('are named across midnight, and within one schedule', async ({ farm }) => {
    const { id } = await create(farm, { module: 'North 1', startTimes: ['23:30'] });
    const next = await create(farm, { module: 'North 1', startTimes: ['00:15'] });
    expect(overlapsIn(next)).toMatchObject([{ id }]);
    const own = await create(farm, { module: 'North 2', startTimes: ['06:00', '06:30'] });
    expect(overlapsIn(own)).toMatchObject([{ id: null }]);
  });

  it('are named after a change too', async ({ farm }) => {
    const { id } = await create(farm, { module: 'North 1', startTimes: ['06:00'] });
    const later = await farm.createSchedule({ module: 'North 1', startTimes: ['08:00'] });
    expect(overlapsIn(later)).toEqual([]);
    const moved = await farm.updateSchedule(later, { startTimes: ['06:20'] });
    expect(overlapsIn(moved)).toMatchObject([{ id }]);
  });

  it('are none one after the other, on other probes, or an hour apart in another zone', async ({
    farm,
  }) => {
    const { id } = await create(farm, { module: 'North 1', startTimes: ['06:00'] });
    for (const fields of [
      { module: 'North 1', startTimes: ['07:00'] },
      { module: 'North 2', startTimes: ['06:30'] },
      { module: 'North 1', startTimes: ['04:00'], timezone: 'Atlantic/Canary' },
    ]) {
      const created = await create(farm, fields);
      expect(overlapsIn(created)).toEqual([]);
      expect(advisoriesOf(created, 'duplicate_schedule')).toEqual([]);
    }
    // 05:00 in Canary is 06:00 in Paris.
    const sameInstant = { module: 'North 1', startTimes: ['05:00'], timezone: 'Atlantic/Canary' };
    expect(advisoriesOf(await create(farm, sameInstant), 'duplicate_schedule')).toMatchObject([
      { id },
    ]);
  });
});

it('names the start that falls away where clocks go forward', async ({ farm }) => {
  const fallingAway = async (fields: Record<string, unknown>) =>
    advisoriesOf(await farm.createSchedule(fields), 'start_falls_away');
  // 02:30 and 03:30 in Paris are 01:30 UTC on 29 March 2026, and on 28 March 2027.
  farm.now = Date.UTC(2026, 2, 27, 12);
  const startTimes = ['02:30', '03:30'];
  expect(await fallingAway({ module: 'North 1', startTimes, endsOn: '2026-03-30' })).toMatchObject([
    { at: Date.UTC(2026, 2, 29, 1, 30), time: '03:30', plannedTime: '02:30' },
  ]);
  farm.now = Date.UTC(2026, 5, 27, 12);
  const summer = { module: 'North 2', startTimes };
  expect(await fallingAway(summer)).toMatchObject([{ at: Date.UTC(2027, 2, 28, 1, 30) }]);
  expect(await fallingAway({ ...summer, endsOn: '2026-09-30' })).toEqual([]);
});
