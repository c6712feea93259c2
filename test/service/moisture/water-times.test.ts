import { describe, expect } from 'vitest';
import type { Json } from '../../acceptance/program.ts';
import { DAY, it } from '../../farm.ts';

const set = 'set_water_times';
const module = 'North 1';
const parcel = 'North block';
const turns = { everyHours: 192, turnAt: '2026-07-16 06:00', untilTime: '18:00' };

describe('the water times of a probe', () => {
  it('are answered with what they were and the next starts, and undone', async ({ farm }) => {
    expect(await farm.tool(set, { module, ...turns, noticeHours: 48 })).toMatchObject({
      waterTimes: { everyHours: 192, untilTime: '18:00', noticeHours: 48, weekdays: null },
      before: null,
    });
    farm.now += DAY;
    const changed = await farm.tool(set, { module, clear: ['noticeHours'] });
    expect(changed).toMatchObject({
      waterTimes: { everyHours: 192, noticeHours: null },
      before: { noticeHours: 48 },
    });
    expect(changed.upcoming).toHaveLength(3);
    await farm.tool('undo', {});
    expect((await farm.setup(module)).settings).toMatchObject({ waterTimes: { noticeHours: 48 } });
  });

  it('are those of its parcel until it has some of its own', async ({ farm }) => {
    const timesOfProbe = async () => (await farm.setup(module)).settings.waterTimes;
    await farm.tool(set, { parcel, ...turns, leastMm: 40 });
    expect(await timesOfProbe()).toMatchObject({ everyHours: 192, leastMm: 40 });

    farm.now += DAY;
    const own = await farm.tool(set, { module, weekdays: [2, 5], fromTime: '22:00' });
    expect(own).toMatchObject({ timesOfParcel: 'replaced', before: { everyHours: 192 } });
    expect(await timesOfProbe()).toMatchObject({
      everyHours: null,
      weekdays: [2, 5],
      leastMm: null,
    });
  });

  it('are those of its parcel again once it has none of its own', async ({ farm }) => {
    await farm.tool(set, { parcel, ...turns });
    farm.now += DAY;
    await farm.tool(set, { module, leastMm: 40 });
    farm.now += DAY;
    const clear = ['everyHours', 'turnAt', 'untilTime', 'leastMm'];
    expect(await farm.tool(set, { module, clear })).toMatchObject({
      timesOfParcel: 'in_force',
      waterTimes: { everyHours: 192, leastMm: null },
      summary: expect.stringContaining('These are the times of its parcel.'),
    });
  });

  it('are none once all of them are cleared', async ({ farm }) => {
    await farm.tool(set, { module, ...turns });
    expect(await farm.tool(set, { module, clear: ['everyHours'] })).toMatchObject({
      waterTimes: null,
      upcoming: [],
    });
  });

  it('change from turns to weekdays and back without the hours of the other', async ({ farm }) => {
    await farm.tool(set, { module, ...turns });
    const days = await farm.tool(set, { module, weekdays: [1] });
    expect(days.waterTimes).toMatchObject({ everyHours: null, turnAt: null, untilTime: null });
    await farm.tool(set, { module, fromTime: '22:00', untilTime: '06:00' });
    const { untilTime, ...again } = turns;
    expect((await farm.tool(set, { module, ...again })).waterTimes).toMatchObject({
      weekdays: null,
      fromTime: null,
      untilTime: null,
    });
  });

  it('keep a turn that moves, and forget it once it is back', async ({ farm }) => {
    await farm.tool(set, { module, ...turns });
    const move = async (movedTo?: string) => {
      const entry = { module, movedFrom: '2026-07-24 09:00', movedTo };
      return (await farm.tool(set, entry)).waterTimes;
    };
    expect(await move('2026-07-25 06:00')).toMatchObject({ moved: [{ from: expect.any(String) }] });
    expect(await move()).toMatchObject({ moved: [{ to: null }] });
    expect(await move('2026-07-24 06:00')).toMatchObject({ moved: null });
  });

  it('find the turn that moves by its day, whatever hour is said', async ({ farm }) => {
    await farm.tool(set, { module, ...turns, turnAt: '2026-07-16 20:00', untilTime: '23:00' });
    const moved = await farm.tool(set, { module, movedFrom: '2026-07-24 06:00' });
    expect(moved.waterTimes).toMatchObject({ moved: [{ from: '2026-07-24T18:00:00.000Z' }] });
  });

  it('find a turn by a weekday, which is the next one', async ({ farm }) => {
    // A Wednesday at noon; the turns are on Thursdays.
    await farm.tool(set, { module, ...turns, everyHours: 168, turnAt: '2026-07-02 06:00' });
    const moved = await farm.tool(set, {
      module,
      movedFrom: 'Thursday',
      movedTo: 'Saturday 18:00',
    });
    expect(moved.waterTimes).toMatchObject({
      moved: [{ from: '2026-07-02T04:00:00.000Z', to: '2026-07-04T16:00:00.000Z' }],
    });
  });

  it('forget the moves of turns that other ones replace', async ({ farm }) => {
    await farm.tool(set, { module, ...turns, movedFrom: '2026-07-24 06:00' });
    const { waterTimes } = await farm.tool(set, { module, turnAt: '2026-07-17 06:00' });
    expect(waterTimes).toMatchObject({ everyHours: 192, moved: null });
  });

  it.for<[string, Json, string]>([
    ['a turn that is over', { ...turns, movedFrom: '2026-06-22 06:00' }, 'movedFrom'],
    [
      'a new start that is past',
      { ...turns, movedFrom: '2026-07-24 06:00', movedTo: '2026-06-20 06:00' },
      'movedTo',
    ],
    ['turns without a start', { everyHours: 192 }, 'turnAt'],
    ['one turn alone', { turnAt: '2026-07-16 06:00' }, 'everyHours'],
    ['turns on weekdays', { ...turns, weekdays: [1] }, 'weekdays'],
    ['turns every few hours', { ...turns, everyHours: 3 }, 'everyHours'],
    ['half a season', { weekdays: [1], seasonUntil: '09-30' }, 'seasonFrom'],
    ['a pause without a longest run', { pauseMin: 30 }, 'longestRunMin'],
    ['a least dose above the largest', { leastMm: 50, largestMm: 40 }, 'leastMm'],
    ['the move of no turn', { ...turns, movedFrom: '2026-07-20 06:00' }, 'movedFrom'],
    ['a move from nowhere', { ...turns, movedTo: '2026-07-20 06:00' }, 'movedFrom'],
    ['an eighth weekday', { weekdays: [8] }, 'weekdays'],
    ['hour 25', { weekdays: [1], fromTime: '25:00' }, 'fromTime'],
  ])('refuse %s', async ([, entry, field], { farm }) => {
    await expect(farm.tool(set, { module, ...entry })).rejects.toMatchObject({
      code: 'invalid_body',
      field,
    });
  });
});

describe('a source of water', () => {
  const source = 'North canal';

  it('says when water comes to each parcel that draws from it', async ({ farm }) => {
    const added = await farm.tool(set, { source, parcels: [parcel], ...turns });
    expect(added).toMatchObject({ isNew: true, parcelIds: [1], withOwnTimes: [] });
    expect(added.summary).toContain('North block draws from it.');
    expect((await farm.setup(module)).settings).toMatchObject({
      waterSource: source,
      waterTimes: { everyHours: 192 },
    });

    farm.now += DAY;
    await farm.tool(set, { source: 'NORTH CANAL', leastMm: 40 });
    expect((await farm.setup(module)).settings.waterTimes).toMatchObject({
      everyHours: 192,
      leastMm: 40,
    });
    await farm.tool('undo', {});
    expect((await farm.setup(module)).settings.waterTimes).toMatchObject({ leastMm: null });
  });

  it('gives way to times of the parcel, and rules again once these are cleared', async ({
    farm,
  }) => {
    await farm.tool(set, { source, parcels: [parcel], ...turns });
    farm.now += DAY;
    expect(await farm.tool(set, { parcel, weekdays: [2], fromTime: '22:00' })).toMatchObject({
      timesOfSource: 'replaced',
    });
    farm.now += DAY;
    expect(await farm.tool(set, { source, hoursPerDay: 10 })).toMatchObject({ withOwnTimes: [1] });
    expect((await farm.setup(module)).settings.waterTimes).toMatchObject({ weekdays: [2] });
    expect(await farm.tool(set, { parcel, clear: ['weekdays', 'fromTime'] })).toMatchObject({
      timesOfSource: 'in_force',
      waterTimes: { everyHours: 192, hoursPerDay: 10 },
    });
  });

  it('is left by a parcel, which has water at any time then', async ({ farm }) => {
    await farm.tool(set, { parcel, source });
    await farm.tool(set, { source, ...turns });
    farm.now += DAY;
    const left = await farm.tool(set, { parcel, clear: ['source'] });
    expect(left).toMatchObject({ source: null, sourceBefore: source, waterTimes: null });
    expect(left.summary).toContain('no longer draws from North canal');
  });

  it('is refused by a name that no source has, with those that there are', async ({ farm }) => {
    await farm.tool(set, { parcel, source });
    await expect(farm.tool(set, { source: 'Nort cana', ...turns })).rejects.toMatchObject({
      code: 'not_found',
      hint: expect.stringContaining('"North canal"'),
    });
  });
});
