import { describe, expect } from 'vitest';
import { DAY, FARM_NOW, HOUR, it, MINUTE } from '../../farm.ts';

const july = { module: 'North 1', endsOn: '2026-07-31' };
const sprinkler = { system: 'sprinkler', flowMmPerH: 6 };

describe('what a person should hear of a schedule', () => {
  it('is that planned waterings have no dose yet', async ({ farm }) => {
    expect((await farm.createSchedule(july)).summary).toContain('30 of them have no dose yet');
    await farm.declare('North 2', sprinkler);
    expect((await farm.createSchedule({ ...july, module: 'North 2' })).summary).not.toContain('no dose');
  });

  it('is that another schedule waters the same target at the same time', async ({ farm }) => {
    const first = await farm.createSchedule(july);
    expect(first.summary).not.toContain('same target');
    expect((await farm.createSchedule(july)).summary).toContain(
      `Schedule ${first.id} waters the same target at the same time`,
    );
    expect((await farm.createSchedule({ ...july, startTimes: ['18:00'] })).summary).not.toContain('same target');
  });

  it('is that a start time moved to later today waters today once more', async ({ farm }) => {
    await farm.declare('North 1', sprinkler);
    const schedule = await farm.createSchedule(july);
    farm.now = FARM_NOW + DAY;
    expect((await farm.updateSchedule(schedule, { startTimes: ['13:00'] })).summary).toContain(
      'It will still water today at 13:00',
    );
  });

  it('is that a start time moved to one that is over leaves today without water', async ({ farm }) => {
    await farm.declare('North 1', sprinkler);
    const schedule = await farm.createSchedule(july);
    // 05:45 in Paris on 2 July.
    farm.now = FARM_NOW + DAY - 6 * HOUR - 15 * MINUTE;
    const { summary } = await farm.updateSchedule(schedule, { startTimes: ['05:30'] });
    expect(summary).toContain('Today’s watering at 06:00 was removed by the change');
  });

  it('is that an occurrence changed by hand waits to be confirmed, where the others confirm themselves', async ({
    farm,
  }) => {
    const [first] = await farm.occurrences(await farm.createSchedule(july));
    expect((await farm.correct(first!, { note: 'short' })).summary).toContain('confirm it with status done');
    const manual = await farm.createSchedule({ ...july, module: 'North 2', confirmationPolicy: 'manual' });
    const [other] = await farm.occurrences(manual);
    expect((await farm.correct(other!, { note: 'short' })).summary).not.toContain('confirm it');
  });

  it('is that a watering moved onto another starts at its minute', async ({ farm }) => {
    const [first, second] = await farm.occurrences(await farm.createSchedule(july));
    const { summary } = await farm.correct(second!, { startedAt: first!.startedAt });
    expect(summary).toContain(`Watering ${first!.id} of the same probe starts at the same minute`);
  });
});
