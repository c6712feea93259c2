import { beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../demo/farm/random.ts';
import { type Course, simulatedSoil } from './simulated-soil.ts';
import { type SituationFarm, situationFarm } from './situation-farm.ts';

const depthsCm = [10, 30, 50];
const soil = (seed: number) => simulatedSoil({ depthsCm, seed });
const SPRINKLER = { system: 'sprinkler', fractionWetted: 1 };

/** Changes what one depth reads. */
const changed =
  (course: Course, atDepthCm: number, change: (value: number, daysBefore: number) => number) =>
  (depthCm: number, daysBefore: number): number => {
    const value = course(depthCm, daysBefore)!;
    return depthCm === atDepthCm ? change(value, daysBefore) : value;
  };

/** Watered every three days, down to 40 cm; at 60 cm it flickered between 24 and 25 % and rests. */
const calmDepthsCm = [20, 40, 60];
const everyThreeDays = Array.from({ length: 10 }, (_, index) => 3 * index + 2);
const watered = simulatedSoil({
  depthsCm: calmDepthsCm,
  dryingDays: 2,
  wetted: everyThreeDays.map((daysBefore) => ({ daysBefore, points: 8 })),
});
const calm: Course = (depthCm, daysBefore) =>
  Math.round(
    depthCm === 60
      ? 24.5 + (daysBefore - 21) / 100 + 0.15 * Math.sin(2 * Math.PI * daysBefore)
      : watered(depthCm, daysBefore)!,
  );
const lastWholePoint = calm(40, 6)!;

const drySand: Course = (depthCm, daysBefore) =>
  (depthCm === 50 ? 1 : 5) + daysBefore / 20 + 0.02 * Math.sin(depthCm * daysBefore);

describe('sensors that cannot be right', () => {
  const random = seededRandom(7);
  let farm: SituationFarm;

  beforeAll(async () => {
    farm = await situationFarm([
      { name: 'Healthy', moisture: soil(1) },
      { name: 'Units', moisture: (depthCm, days) => soil(2)(depthCm, days)! / 100 },
      { name: 'Air gap', moisture: changed(soil(3), 30, (value) => value / 10) },
      {
        name: 'Stuck',
        moisture: changed(soil(4), 30, (value, days) =>
          days < 8 ? 15.24 : Math.max(15.24, value),
        ),
      },
      { name: 'Fallen', moisture: changed(soil(5), 30, (v, days) => (days < 2 ? v - 10 : v)) },
      {
        name: 'Falling',
        installation: SPRINKLER,
        moisture: (_, days) => 8 + 5 * Math.min(days, 5),
      },
      { name: 'Noisy', moisture: changed(soil(6), 10, (v) => v + 4 * random.normal()) },
      { name: 'Drifting', moisture: changed(soil(7), 30, (v, days) => v + 0.8 * (14 - days)) },
      { name: 'Dry sand', usdaClass: 'Sand', moisture: drySand },
      { name: 'Calm in whole points', depthsCm: calmDepthsCm, moisture: calm },
      {
        name: 'Stuck in whole points',
        depthsCm: calmDepthsCm,
        moisture: changed(calm, 40, (value, days) => (days < 6 ? lastWholePoint : value)),
      },
    ]);
  });

  const adviceOf = async (name: string) => {
    const { deficitMm, durationMin, daysToStress, reasons, doubts, summary } =
      await farm.advise(name);
    return { deficitMm, durationMin, daysToStress, reasons, doubts, summary };
  };

  it('get an amount, and no doubt, where they are healthy', async () => {
    for (const name of ['Healthy', 'Dry sand']) {
      const { doubts, durationMin } = await adviceOf(name);
      expect([name, doubts]).toEqual([name, []]);
      expect(durationMin).toBeGreaterThan(60);
    }
  });

  it.each([
    ['Units', 'TOO_DRY_FOR_SOIL'],
    ['Falling', 'SENSOR_FELL'],
  ])('%s: get no amount where half the curve is in doubt', async (name, reason) => {
    const { reasons, durationMin, deficitMm, daysToStress } = await adviceOf(name);
    expect(reasons).toEqual(expect.arrayContaining(['MOSTLY_IN_DOUBT', reason]));
    expect([durationMin, deficitMm, daysToStress]).toEqual([null, null, null]);
  });

  it.each([
    ['Air gap', 'TOO_DRY_FOR_SOIL', 30],
    ['Stuck', 'SENSOR_STUCK', 30],
    ['Fallen', 'SENSOR_FELL', 30],
    ['Drifting', 'SENSOR_DRIFTS', 30],
  ])('%s: count as a depth without a value', async (name, reason, depth) => {
    const { doubts, deficitMm, summary } = await adviceOf(name);
    expect(doubts).toMatchObject([{ reason, depth }]);
    const healthy = await farm.advise('Healthy');
    // The slice is as wet as the others, and so within a few millimetres.
    expect(Math.abs(deficitMm! - healthy.deficitMm!)).toBeLessThan(12);
    expect(summary).toContain('Left out because its readings are in doubt');
  });

  it('rest for weeks on a whole percent at a calm depth, and are stuck where it moved before', async () => {
    expect((await adviceOf('Calm in whole points')).doubts).toEqual([]);
    expect((await adviceOf('Stuck in whole points')).doubts).toMatchObject([
      { reason: 'SENSOR_STUCK', depth: 40 },
    ]);
  });

  it('are noisy where their values stray by points from hour to hour', async () => {
    const { doubts, reasons } = await adviceOf('Noisy');
    expect(doubts).toMatchObject([{ reason: 'SENSOR_NOISY', depth: 10 }]);
    expect(reasons).toContain('MOSTLY_IN_DOUBT');
  });

  it('are all listed to be checked in the brief, and none is to be watered', async () => {
    const { checkFirst, needsWater } = await farm.body('morning_brief');
    const named = (checkFirst as { name: string }[]).map(({ name }) => name);
    expect(new Set(named)).toEqual(
      new Set([
        'Units',
        'Air gap',
        'Stuck',
        'Fallen',
        'Falling',
        'Noisy',
        'Drifting',
        'Stuck in whole points',
      ]),
    );
    const watered = (needsWater as { name: string }[]).map(({ name }) => name);
    expect(named.filter((name) => watered.includes(name))).toEqual([]);
  });
});

describe('a fall by six points in a day', () => {
  const NOW = '2026-06-30T08:00:00Z';
  const weatherOf = (min: number, max: number): string => {
    const rows = Array.from({ length: 14 }, (_, index) => `2026-06-${16 + index},${min},${max}\n`);
    return `day,tmin,tmax\n${rows.join('')}`;
  };
  const falling = changed(
    soil(8),
    10,
    (value, days) => value - 6 * Math.min(1, Math.max(0, 2 - days)),
  );
  const doubtsIn = async (weather: string) => {
    const location = { lat: 43.6, lon: 3.9, source: 'manual' };
    const farm = await situationFarm(
      [{ name: 'Drip', moisture: falling, days: 14, module: { location } }],
      { now: NOW, weather },
    );
    return (await farm.advise('Drip')).doubts;
  };

  it('is a fault in cool weather, when no crop takes as much, and none in the heat', async () => {
    // By Hargreaves some 1.5 and 7.5 mm a day.
    expect(await doubtsIn(weatherOf(8, 10))).toMatchObject([{ reason: 'SENSOR_FELL', depth: 10 }]);
    expect(await doubtsIn(weatherOf(15, 35))).toEqual([]);
  });
});
