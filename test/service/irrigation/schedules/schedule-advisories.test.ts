import { describe, expect } from 'vitest';
import { DAY, FARM_NOW, HOUR, it, MINUTE } from '../../../farm.ts';

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
