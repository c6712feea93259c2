import { describe, expect } from 'vitest';
import {
  advisoriesOf,
  DAY,
  depthAt,
  FARM_NOW,
  HOUR,
  iso,
  it,
  minutesAt,
  type TestFarm,
} from '../../farm.ts';
import { installProbe, instantsEvery } from '../moisture/probe-farm.ts';
import { advise, completeFarm, declareLoam, emptyOak } from './advice-farm.ts';

describe('the days until stress', () => {
  const stressPoint = async (farm: TestFarm): Promise<number> =>
    (await farm.tool<{ stressPoint: number }>('get_agronomic_state', { module: 'Oak' }))
      .stressPoint;

  it('are the distance to the stress point over the loss on a dry day', async ({ farm }) => {
    await completeFarm(farm, 26);
    expect((await advise(farm)).daysToStress).toBeCloseTo(
      (26 - (await stressPoint(farm))) / 0.5,
      1,
    );
  });

  it('are known if every second day has a watering, with a note of the dry days', async ({
    farm,
  }) => {
    const oak = await emptyOak(farm);
    await declareLoam(farm);
    // Every second day at 06:00 UTC a watering replaces the loss of two days, so no calendar day is
    // dry.
    const waterings = [1, 3, 5, 7, 9, 11, 13].map((ago) => FARM_NOW - ago * DAY - 4 * HOUR);
    const valueAt = (at: number) =>
      26 -
      0.8 *
        ((at -
          Math.max(FARM_NOW - 15 * DAY - 4 * HOUR, ...waterings.filter((each) => each <= at))) /
          DAY);
    for (const sensor of oak.sensorIds.keys())
      await oak.record(
        sensor,
        instantsEvery(HOUR, FARM_NOW - 15 * DAY, FARM_NOW).map((at) => [at, valueAt(at)] as const),
      );
    for (const at of waterings) await farm.log('Oak', minutesAt(at, 60));
    const answer = await advise(farm);
    // The newest value is an hour old.
    const expected = (valueAt(FARM_NOW - HOUR) - (await stressPoint(farm))) / 0.8 - 1 / 24;
    expect(answer.daysToStress).toBeCloseTo(expected, 1);
    expect(advisoriesOf(answer, 'drying_rate')).toMatchObject([
      { basis: 'days', pointsPerDay: expect.closeTo(0.8, 2), count: 7 },
    ]);
  });

  it('are exact where a day takes less than the decimal that is served', async ({ farm }) => {
    const oak = await emptyOak(farm);
    await declareLoam(farm);
    const newest = FARM_NOW - HOUR;
    await oak.recordAll([newest], 26);
    // 0.14 points above it; the state is served with one decimal.
    const above = (await stressPoint(farm)) + 0.14;
    for (const sensor of oak.sensorIds.keys())
      await oak.record(
        sensor,
        instantsEvery(HOUR, FARM_NOW - 10 * DAY, FARM_NOW).map(
          (at) => [at, above + (0.02 * (newest - at)) / DAY] as const,
        ),
      );
    expect((await advise(farm)).daysToStress).toBeCloseTo(0.14 / 0.02 - 1 / 24, 0);
  });

  it('are 0 at or below the stress point', async ({ farm }) => {
    await completeFarm(farm, 15);
    expect((await advise(farm)).daysToStress).toBe(0);
  });

  it('are fewer with more demand', async ({ farm }) => {
    await completeFarm(farm, 22);
    const [usual, hot] = [await advise(farm), await advise(farm, { demandPercent: 200 })];
    expect(hot.daysToStress).toBeCloseTo(usual.daysToStress! / 2, 0);
    expect(hot.waterMm).toBe(usual.waterMm);
  });

  it('beyond two weeks leave the plan at two weeks', async ({ farm }) => {
    const oak = await emptyOak(farm);
    await declareLoam(farm);
    // A fiftieth of a point a day.
    for (const sensor of oak.sensorIds.keys())
      await oak.record(
        sensor,
        instantsEvery(HOUR, FARM_NOW - 10 * DAY, FARM_NOW).map((at) => [
          at,
          26 + (0.02 * (FARM_NOW - at)) / DAY,
        ]),
      );
    const { daysToStress, planned } = await advise(farm);
    expect(daysToStress).toBe(14);
    expect(planned.until).toBe(iso(FARM_NOW + 14 * DAY));
  });
});

describe('the planned waterings', () => {
  it('are counted and summed until the day of stress', async ({ farm }) => {
    await completeFarm(farm, 22);
    const days = (await advise(farm)).daysToStress!;
    const [within, beyond] = [FARM_NOW + DAY, FARM_NOW + (days + 0.2) * DAY];
    for (const at of [within, within + HOUR, beyond]) await farm.log('Oak', depthAt(at, 4));
    const { planned } = await advise(farm);
    expect(planned).toMatchObject({ count: 2, waterMm: 8, nextAt: iso(within) });
    expect(Date.parse(planned.until) - FARM_NOW).toBeCloseTo(days * DAY, -7);
  });

  it('include a running one, with its start', async ({ farm }) => {
    await completeFarm(farm);
    const startedAt = iso(FARM_NOW - HOUR);
    await farm.log('Oak', { startedAt, inputMode: 'duration', durationMin: 90, status: 'planned' });
    const { planned } = await advise(farm);
    // An hour and a half at 10 mm/h.
    expect(planned).toMatchObject({ count: 1, waterMm: 15, nextAt: startedAt });
  });

  it('cover a week without a day of stress, and have no sum if a dose is missing', async ({
    farm,
  }) => {
    await installProbe(farm);
    await farm.log('Oak', minutesAt(FARM_NOW + 6 * DAY, 30));
    await farm.log('Oak', minutesAt(FARM_NOW + 8 * DAY, 30));
    const { planned } = await advise(farm);
    expect(planned).toEqual({
      until: iso(FARM_NOW + 7 * DAY),
      count: 1,
      waterMm: null,
      nextAt: iso(FARM_NOW + 6 * DAY),
    });
  });
});
