import { describe, expect } from 'vitest';
import { DAY, FARM_NOW, HOUR, it, MINUTE, type TestFarm } from '../../../farm.ts';

const july = { module: 'North 1', endsOn: '2026-07-31' };
const sprinkler = { system: 'sprinkler', flowMmPerH: 6 };

describe('the advisories of a schedule', () => {
  it('say that planned waterings have no dose yet', async ({ farm }) => {
    await farm.declare('North 1', { system: 'sprinkler' });
    const { summary, next } = await farm.createSchedule(july);
    expect(summary).toContain(
      'None of them has a dose yet, because the equipment lacks something.',
    );
    expect(next).toContain('get_irrigation_setup');
    await farm.declare('North 2', sprinkler);
    expect((await farm.createSchedule({ ...july, module: 'North 2' })).summary).not.toContain(
      'no dose',
    );
  });

  it('say that no equipment is declared, and which call declares it', async ({ farm }) => {
    const ofProbe = await farm.createSchedule(july);
    expect(ofProbe.summary).toContain(
      'None of them has a dose yet, because no equipment is declared.',
    );
    expect(ofProbe.next).toContain('set_module_installation');
    const ofParcel = await farm.createSchedule({ parcel: 'North block', endsOn: '2026-07-31' });
    expect(ofParcel.next).toContain('set_parcel_installation');
  });

  it('say that some probes of a parcel have no equipment', async ({ farm }) => {
    await farm.declare('North 1', sprinkler);
    const { summary, next } = await farm.createSchedule({
      parcel: 'North block',
      endsOn: '2026-07-31',
    });
    expect(summary).toContain(
      'of these waterings have no dose yet, because no equipment is declared for them.',
    );
    expect(next).toContain('get_irrigation_setup');
  });

  it('name another schedule of the same target and time', async ({ farm }) => {
    const first = await farm.createSchedule(july);
    expect(first.summary).not.toContain('same target');
    const second = await farm.createSchedule(july);
    expect(second.summary).toContain('Another schedule plans the same target at the same time');
    expect(second.next).toContain(`update_schedule(scheduleId: ${first.id}, isActive: false)`);
    expect((await farm.createSchedule({ ...july, startTimes: ['18:00'] })).summary).not.toContain(
      'same target',
    );
  });

  it('say that a start time moved to later today waters once more', async ({ farm }) => {
    await farm.declare('North 1', sprinkler);
    const schedule = await farm.createSchedule(july);
    farm.now = FARM_NOW + DAY;
    expect((await farm.updateSchedule(schedule, { startTimes: ['13:00'] })).summary).toContain(
      'It is still planned for today at 13:00',
    );
  });

  it('say that a start time moved to earlier today removes today’s watering', async ({ farm }) => {
    await farm.declare('North 1', sprinkler);
    const schedule = await farm.createSchedule(july);
    // 05:45 in Paris on 2 July.
    farm.now = FARM_NOW + DAY - 6 * HOUR - 15 * MINUTE;
    const { summary } = await farm.updateSchedule(schedule, { startTimes: ['05:30'] });
    expect(summary).toContain('Today’s watering at 06:00 was removed by the change');
  });

  it('say that a corrected occurrence of an automatic schedule needs confirmation', async ({
    farm,
  }) => {
    const [first] = await farm.occurrences(await farm.createSchedule(july));
    expect((await farm.correct(first!, { note: 'short' })).summary).toContain(
      'confirm it once it has run',
    );
    const manual = await farm.createSchedule({
      ...july,
      module: 'North 2',
      confirmationPolicy: 'manual',
    });
    const [other] = await farm.occurrences(manual);
    expect((await farm.correct(other!, { note: 'short' })).summary).not.toContain('confirm it');
  });

  it('name another watering of the same minute after a correction', async ({ farm }) => {
    const [first, second] = await farm.occurrences(await farm.createSchedule(july));
    const { next } = await farm.correct(second!, { startedAt: first!.startedAt });
    expect(next).toContain(` or ${first!.id}, status: skipped`);
  });
});

describe('waterings of schedules that overlap', () => {
  const overlapOf = async (farm: TestFarm, fields: object) =>
    (await farm.createSchedule({ durationMin: 60, inputMode: 'duration', ...fields })).summary;

  it.for([
    ['on one probe', { module: 'North 1', startTimes: ['06:30'] }],
    ['on a parcel', { parcel: 'North block', startTimes: ['06:30'] }],
    ['that begin before', { module: 'North 1', startTimes: ['05:30'] }],
  ] as const)('are named: %s', async ([_, fields], { farm }) => {
    await overlapOf(farm, { module: 'North 1', startTimes: ['06:00'] });
    expect(await overlapOf(farm, fields)).toMatch(
      /^(?!.*\bwaters\b).*overlaps that which another schedule plans on the same probes/,
    );
  });

  it('are named where the equipment tells how long an amount takes', async ({ farm }) => {
    const earlier = { module: 'North 1', startTimes: ['05:00'], inputMode: 'depth_mm' };
    const amount = { ...earlier, durationMin: null, inputDepthMm: 50 };
    await overlapOf(farm, { module: 'North 1', startTimes: ['06:00'] });
    expect(await overlapOf(farm, amount)).not.toContain('overlaps');
    await farm.declare('North 1', sprinkler);
    expect(await overlapOf(farm, amount)).toContain('overlaps that which another schedule plans');
  });

  it('are named across midnight, and within one schedule', async ({ farm }) => {
    await overlapOf(farm, { module: 'North 1', startTimes: ['23:30'] });
    expect(await overlapOf(farm, { module: 'North 1', startTimes: ['00:15'] })).toMatch(
      /overlaps that which another schedule plans/,
    );
    expect(await overlapOf(farm, { module: 'North 2', startTimes: ['06:00', '06:30'] })).toMatch(
      /begins before that of .* ends/,
    );
  });

  it('are named after a change too', async ({ farm }) => {
    await overlapOf(farm, { module: 'North 1', startTimes: ['06:00'] });
    const later = await farm.createSchedule({ module: 'North 1', startTimes: ['08:00'] });
    expect(later.summary).not.toContain('same probes');
    expect((await farm.updateSchedule(later, { startTimes: ['06:20'] })).summary).toContain(
      'plans on the same probes',
    );
  });

  it('are none one after the other, on other probes, or an hour apart in another zone', async ({
    farm,
  }) => {
    await overlapOf(farm, { module: 'North 1', startTimes: ['06:00'] });
    for (const fields of [
      { module: 'North 1', startTimes: ['07:00'] },
      { module: 'North 2', startTimes: ['06:30'] },
      { module: 'North 1', startTimes: ['04:00'], timezone: 'Atlantic/Canary' },
    ])
      expect(await overlapOf(farm, fields)).not.toMatch(/same probes|same time/);
    // 05:00 in Canary is 06:00 in Paris.
    expect(
      await overlapOf(farm, {
        module: 'North 1',
        startTimes: ['05:00'],
        timezone: 'Atlantic/Canary',
      }),
    ).toContain('at the same time');
  });
});

it('names the start that falls away where clocks go forward', async ({ farm }) => {
  farm.now = Date.UTC(2026, 2, 27, 12);
  const { summary } = await farm.createSchedule({
    module: 'North 1',
    startTimes: ['02:30', '03:30'],
    endsOn: '2026-03-30',
  });
  expect(summary).toContain('that of 03:30 falls away');
  farm.now = Date.UTC(2026, 5, 27, 12);
  const summer = { module: 'North 2', startTimes: ['02:30', '03:30'] };
  expect((await farm.createSchedule(summer)).summary).toMatch(/28 Mar 2027 .*falls away/);
  const ending = await farm.createSchedule({ ...summer, endsOn: '2026-09-30' });
  expect(ending.summary).not.toContain('falls away');
});
