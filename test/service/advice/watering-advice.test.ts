import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { soilHorizonById } from '../../../src/domain/soil/soil-catalog.ts';
import type { AdviceBody } from '../../../src/schema/advice/advice.ts';
import {
  advisoriesOf,
  bodyOf,
  DAY,
  FARM_NOW,
  HOUR,
  it,
  MINUTE,
  minutesAt,
  type TestFarm,
  withFarm,
} from '../../farm.ts';
import { propertyRuns } from '../../property-runs.ts';
import {
  declareSoil,
  installProbe,
  moistureSensorsAt,
  type TestProbe,
} from '../moisture/probe-farm.ts';
import {
  advise,
  CLAY,
  completeFarm,
  DRIP,
  declareLoam,
  drawFieldCapacity,
  emptyOak,
  fieldCapacityOf,
  LOAM,
  SPRINKLER,
} from './advice-farm.ts';

describe('the deficit of a root zone', () => {
  it('is the sum over slices of field capacity less moisture, times thickness', async ({
    farm,
  }) => {
    const oak = await installProbe(farm, {
      sensors: moistureSensorsAt(10, 20, 40),
      parcel: 'North block',
      rootDepthCm: 60,
    });
    for (const [sensor, value] of [20, 18, 24].entries())
      await oak.record(sensor, [[FARM_NOW - HOUR, value]]);
    await declareSoil(farm, 'North block', [
      [LOAM, 0, 20],
      [CLAY, 20, 60],
    ]);
    const [loam, clay] = [await fieldCapacityOf(farm, LOAM), await fieldCapacityOf(farm, CLAY)];
    // Slices 0 to 15, 15 to 30 (a third of it loam) and 30 to 60 cm.
    const mixed = (loam + 2 * clay) / 3;
    const expected = (loam - 0.2) * 150 + (mixed - 0.18) * 150 + (clay - 0.24) * 300;
    expect((await advise(farm)).deficitMm).toBeCloseTo(expected, 3);
  });

  it('counts a slice above field capacity as 0, which offsets no other', async ({ farm }) => {
    const oak = await emptyOak(farm);
    for (const [sensor, value] of [20, 45, 45].entries())
      await oak.record(sensor, [[FARM_NOW - HOUR, value]]);
    await declareLoam(farm);
    expect((await advise(farm)).deficitMm).toBeCloseTo(
      ((await fieldCapacityOf(farm, LOAM)) - 0.2) * 200,
      3,
    );
  });

  it('gives a slice without a fresh value the mean of the others by thickness, and notes it', async ({
    farm,
  }) => {
    const oak = await emptyOak(farm);
    await oak.record(0, [[FARM_NOW - HOUR, 16]]);
    await oak.record(1, [[FARM_NOW - 26 * HOUR, 5]]);
    await oak.record(2, [[FARM_NOW - HOUR, 20]]);
    await declareLoam(farm);
    const loam = await fieldCapacityOf(farm, LOAM);
    const answer = await advise(farm);
    expect(answer.deficitMm).toBeCloseTo((3 * loam - 0.16 - 0.18 - 0.2) * 200, 3);
    expect(advisoriesOf(answer, 'slices_without_value')).toMatchObject([
      { slices: [{ topCm: 20, bottomCm: 40 }] },
    ]);
  });

  it('takes the nearest layer for a slice without one', async ({ farm }) => {
    const oak = await emptyOak(farm);
    await oak.recordAll([FARM_NOW - HOUR], 15);
    await declareSoil(farm, 'North block', [
      [CLAY, 0, 20],
      [LOAM, 20, 40],
    ]);
    const [loam, clay] = [await fieldCapacityOf(farm, LOAM), await fieldCapacityOf(farm, CLAY)];
    expect((await advise(farm)).deficitMm).toBeCloseTo((clay + 2 * loam - 0.45) * 200, 3);
  });

  it('follows a drawn field capacity: 33 % on 600 mm of loam', async ({ farm }) => {
    const oak = await emptyOak(farm);
    await oak.recordAll([FARM_NOW - HOUR], 24);
    await declareLoam(farm);
    expect((await advise(farm)).deficitMm).toBeCloseTo(
      ((await fieldCapacityOf(farm, LOAM)) - 0.24) * 600,
      3,
    );
    await drawFieldCapacity(farm, 33);
    expect((await advise(farm)).deficitMm).toBeCloseTo((0.33 - 0.24) * 600, 3);
  });

  it('shifts all layers by the line less their fieldCapacityOf, weighted as the curve', async ({
    farm,
  }) => {
    const oak = await emptyOak(farm);
    await oak.recordAll([FARM_NOW - HOUR], 26);
    await declareSoil(farm, 'North block', [
      [LOAM, 0, 20],
      [CLAY, 20, 60],
    ]);
    await drawFieldCapacity(farm, 35);
    const [loam, clay] = [await fieldCapacityOf(farm, LOAM), await fieldCapacityOf(farm, CLAY)];
    // Roots to 60 cm take 40 / 30 / 20 / 10 % per 15 cm: 0.5 from 0 to 20 cm, 0.3333 to 40 cm,
    // 0.1667 to 60 cm.
    const shift = 0.35 - (0.5 * loam + 0.5 * clay);
    expect((await advise(farm)).deficitMm).toBeCloseTo(
      (loam + 2 * clay + 3 * shift - 0.78) * 200,
      3,
    );
  });

  it('takes a drawn field capacity for a slice without a layer', async ({ farm }) => {
    const oak = await emptyOak(farm);
    await oak.recordAll([FARM_NOW - HOUR], 15);
    await declareSoil(farm, 'North block', [[CLAY, 0, 20]]);
    await drawFieldCapacity(farm, 35);
    expect((await advise(farm)).deficitMm).toBeCloseTo(3 * (0.35 - 0.15) * 200, 3);
  });
});

describe('the advised water', () => {
  it.for([
    [
      'a sprinkler of 10 mm/h',
      { system: 'sprinkler', flowMmPerH: 10, irrigatedAreaM2: 5000 },
      27.432,
      164.6,
      137.16,
    ],
    [
      'drip of 1.25 mm/h and fw 0.35',
      { system: 'drip', flowMmPerH: 1.25, irrigatedAreaM2: 5000 },
      // 27.432 x 0.35 = 9.6012 mm; / 1.25 x 60 = 460.86 min; x 5,000 / 1,000 = 48.006 m3.
      9.601,
      460.9,
      48.006,
    ],
  ] as const)(
    'converts 27.432 mm with %s to mm, minutes and m3',
    async ([_, equipment, waterMm, durationMin, volumeM3], { farm }) => {
      const oak = await installProbe(farm, {
        sensors: moistureSensorsAt(10, 30, 50),
        parcel: 'North block',
        rootDepthCm: 60,
      });
      await declareLoam(farm);
      // 600 mm of loam at field fieldCapacityOf, less 27.432 mm.
      await oak.recordAll(
        [FARM_NOW - HOUR],
        100 * (await fieldCapacityOf(farm, LOAM)) - 27.432 / 6,
      );
      await farm.declare('Oak', equipment);
      expect(await advise(farm)).toMatchObject({
        deficitMm: 27.432,
        waterMm,
        durationMin,
        volumeM3,
      });
    },
  );

  it('is less by the expected rain', async ({ farm }) => {
    await completeFarm(farm, 22);
    await farm.declare('Oak', DRIP);
    const [dry, rainy] = [await advise(farm), await advise(farm, { expectedRainMm: 10 })];
    expect(rainy.deficitMm).toBe(dry.deficitMm);
    expect(rainy.waterMm).toBeCloseTo(dry.waterMm! - 8 * 0.35, 2);
    expect(rainy.durationMin).toBeCloseTo(dry.durationMin! - ((8 * 0.35) / 1.25) * 60, 0);
    // 8 mm of 600 mm are 1.33 points, and the soil loses 0.5 a day.
    expect(rainy.daysToStress).toBeCloseTo(dry.daysToStress! + 100 * (8 / 600 / 0.5), 0);
    for (const word of ['expected', 'EXPECTED']) expect(JSON.stringify(dry)).not.toContain(word);
  });

  describe('and recorded rain', () => {
    const rain = (farm: TestFarm, mm: number, when: string, more = {}) =>
      farm.tool('log_rain', { mm, when, ...more });

    async function dripOak(farm: TestFarm): Promise<TestProbe> {
      const oak = await completeFarm(farm, 22);
      await farm.declare('Oak', DRIP);
      return oak;
    }

    it('that the sensors cannot show yet is taken from what is missing, by its effective part', async ({
      farm,
    }) => {
      await dripOak(farm);
      const dry = await advise(farm);
      await rain(farm, 10, 'today 11:30');
      const rainy = await advise(farm);
      expect(rainy.deficitMm).toBe(dry.deficitMm);
      expect(rainy.waterMm).toBeCloseTo(dry.waterMm! - 8 * 0.35, 2);
      expect(rainy.daysToStress).toBeCloseTo(dry.daysToStress! + 100 * (8 / 600 / 0.5), 0);
      expect(advisoriesOf(rainy, 'recent_rain')).toMatchObject([
        { mm: 10, isShown: false, isLost: false, effectiveMm: 8 },
      ]);
      expect(advisoriesOf(rainy, 'rain_in_readings')).toEqual([]);
    });

    it('that the sensors show already is not counted again', async ({ farm }) => {
      const oak = await dripOak(farm);
      await oak.record(0, [
        [FARM_NOW - 2 * HOUR, 23],
        [FARM_NOW - HOUR, 25],
      ]);
      const before = await advise(farm);
      await rain(farm, 10, 'today 09:00');
      const after = await advise(farm);
      expect(after).toMatchObject({ waterMm: before.waterMm, daysToStress: before.daysToStress });
      expect(advisoriesOf(after, 'recent_rain')).toMatchObject([{ mm: 10, isShown: true }]);
    });

    it('of an earlier day is in the readings: named with its effective part, and not taken off', async ({
      farm,
    }) => {
      await dripOak(farm);
      await farm.log('Oak', minutesAt(FARM_NOW - 5 * DAY, 60));
      const before = await advise(farm);
      await rain(farm, 20, '2026-06-20');
      await rain(farm, 10, '2026-06-28');
      await rain(farm, 5, '2026-06-29');
      const after = await advise(farm);
      expect(bodyOf(after)).toEqual(bodyOf(before));
      // 15 mm after the watering of 26 June; 80 % are 12 mm.
      expect(advisoriesOf(after, 'rain_in_readings')).toMatchObject([
        { mm: 15, effectiveMm: 12, since: Date.UTC(2026, 5, 26, 11) },
      ]);
    });

    it('of two records of a day is that of the one that counts', async ({ farm }) => {
      await dripOak(farm);
      await rain(farm, 30, '2026-06-28');
      await rain(farm, 10, '2026-06-28');
      expect(advisoriesOf(await advise(farm), 'rain_in_readings')).toMatchObject([
        { mm: 10, since: null },
      ]);
    });

    it('of another parcel is left out', async ({ farm }) => {
      await dripOak(farm);
      const dry = await advise(farm);
      await rain(farm, 20, 'today 11:30', { parcel: 'South block' });
      expect(await advise(farm)).toEqual(dry);
    });
  });

  it('is the gross dose of the settings, in days of the hours a day, with what of it is for the roots', async ({
    farm,
  }) => {
    const oak = await emptyOak(farm);
    await declareLoam(farm);
    await oak.recordAll([FARM_NOW - HOUR], 100 * (await fieldCapacityOf(farm, LOAM)) - 45 / 6);
    await farm.declare('Oak', SPRINKLER);
    const settings = {
      refillPercent: 80,
      efficiencyPercent: 80,
      leachingPercent: 10,
      hoursPerDay: 2.5,
    };
    await farm.tool('set_probe_settings', { module: 'Oak', ...settings });
    const answer = await advise(farm);
    // 80 % of 45 mm are 36 mm; / (0.8 x 0.9) are 50 mm; / 10 x 60 are 300 min, and 100 m3 per cm on
    // a hectare.
    expect(answer).toMatchObject({
      deficitMm: 45,
      netMm: 36,
      waterMm: 50,
      durationMin: 300,
      volumeM3: 500,
      settings,
      daily: { days: 2, minutesPerDay: 150 },
    });
    expect(await advise(farm, { refillPercent: 100 })).toMatchObject({
      settings: { refillPercent: 100 },
      netMm: 45,
      waterMm: 62.5,
    });
  });
});

describe('advice on random farms', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const figures = ({ deficitMm, waterMm, durationMin, volumeM3, daysToStress }: AdviceBody) =>
    [deficitMm, waterMm, durationMin, volumeM3, daysToStress].filter((value) => value !== null);

  it('is finite and not negative, and grows with the refill and with dryness', () =>
    fc.assert(
      fc.asyncProperty(
        fc.record({
          // As shares of what lies between the wilting point and saturation.
          moisture: fc.array(share, { minLength: 3, maxLength: 3 }),
          drier: share,
          flow: fc.double({ min: 0.001, max: 1000, noNaN: true }),
          area: fc.integer({ min: 1, max: 10_000_000 }),
          fraction: fc.double({ min: 0.01, max: 1, noNaN: true }),
          refill: fc.integer({ min: 2, max: 100 }),
          horizon: fc.integer({ min: 1, max: 12 }),
        }),
        async ({ moisture, drier, flow, area, fraction, refill, horizon }) =>
          withFarm(async (farm) => {
            const oak = await emptyOak(farm);
            await declareSoil(farm, 'North block', [[horizon, 0, 60]]);
            const { wiltingPoint, saturation } = soilHorizonById(horizon)!;
            const percent = (part: number) =>
              100 * (wiltingPoint + part * (saturation - wiltingPoint));
            await farm.declareUnasked('Oak', {
              system: 'drip',
              flowMmPerH: flow,
              irrigatedAreaM2: area,
              fractionWetted: fraction,
            });
            for (const [sensor, value] of moisture.entries())
              await oak.record(sensor, [[FARM_NOW - HOUR, percent(value)]]);
            const whole = await advise(farm);
            const part = await advise(farm, { refillPercent: refill });
            for (const value of [...figures(whole), ...figures(part)]) {
              expect(value).toBeGreaterThanOrEqual(0);
              expect(Number.isFinite(value)).toBe(true);
            }
            expect(whole.waterMm).toBeCloseTo(whole.deficitMm! * fraction, 2);
            expect(part.waterMm).toBeCloseTo((whole.waterMm! * refill) / 100, 2);
            expect(whole.reasons.includes('LONGER_THAN_A_DAY')).toBe((whole.daily?.days ?? 0) > 1);
            for (const [sensor, value] of moisture.entries())
              await oak.record(sensor, [[FARM_NOW - 30 * MINUTE, percent(value * drier)]]);
            expect((await advise(farm)).deficitMm).toBeGreaterThanOrEqual(whole.deficitMm!);
          }),
      ),
      { numRuns: propertyRuns(25) },
    ));
});

describe('an invalid request for advice', () => {
  it.for([
    ['expectedRainMm', -1],
    ['expectedRainMm', 301],
    ['expectedRainMm', 'a lot'],
    ['demandPercent', 9],
    ['demandPercent', 301],
  ] as const)(
    'is refused for %s of %s, with what is possible',
    async ([field, value], { farm }) => {
      await installProbe(farm);
      await expect(advise(farm, { [field]: value })).rejects.toMatchObject({
        code: 'invalid_parameter',
        field,
        hint: expect.stringMatching(/ to 300/),
      });
    },
  );

  it.for([0, 101, -5])('is refused for a refill of %i %', async (refillPercent, { farm }) => {
    await installProbe(farm);
    await expect(advise(farm, { refillPercent })).rejects.toMatchObject({
      code: 'invalid_parameter',
    });
  });
});
