import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../demo/farm/random.ts';
import { dryFallsOf } from '../../../../src/domain/advice/balance/dry-falls.ts';
import { balanceSince } from '../../../../src/domain/advice/balance/probe-balance.ts';
import { learnWaterUse } from '../../../../src/domain/balance/water-use.ts';
import { dayMeansOf } from '../../../../src/domain/facts/day-means.ts';
import { LocalDay } from '../../../../src/domain/local-day.ts';
import { median } from '../../../../src/domain/statistics.ts';
import { FARM_NOW } from '../../../farm.ts';
import { HOUR } from '../../../time.ts';
import { wateringOf } from '../farm/farm-probes.ts';
import { COMPLETE_PROBE, farmWith } from '../probe/probe-facts.ts';

const TODAY = LocalDay.at(FARM_NOW, 'UTC');
const DAYS = 42;
const dayBefore = (days: number): string => TODAY.plus(-days).iso;
const DEPTHS_CM = [10, 30, 50];
/** FC 27 % and roots of 60 cm. */
const percentAt = (lackMm: number): number => 27 - lackMm / 6;
/** The share of the day's use that the mean of a day has seen: by 7 to 19 h, as the sun shines. */
const MEAN_SHARE = 0.458;

interface Field {
  readonly share: number;
  readonly everyDays: number;
  /** In points, of a daily mean. */
  readonly noise: number;
  readonly seed: number;
  /** In points a day, since a day. */
  readonly drift?: { readonly sinceDays: number; readonly perDay: number };
  /** One that nobody logged, so many days ago. */
  readonly unlogged?: number;
}

function balanced({ share, everyDays, noise, seed, drift, unlogged }: Field) {
  const random = seededRandom(seed);
  const weather = {
    data: Array.from({ length: 60 }, (_, index) => ({
      day: dayBefore(60 - index),
      temperatureMin: 14,
      temperatureMax: 28,
      et0Mm: 4 + 2 * random.uniform(),
      method: 'hargreaves' as const,
      missing: [],
    })),
    pace: null,
    forecast: null,
  };
  const farm = farmWith({ weather });
  const cropSeason = {
    crop: 'tomato' as const,
    plantedOn: dayBefore(90),
    harvestedOn: null,
    stage: null,
    stageOn: null,
    earlierStages: null,
  };
  const water = Array.from({ length: DAYS }, (_, index) => DAYS - index)
    .filter((days) => days % everyDays === 0)
    .map((days) =>
      wateringOf({
        startedAt: TODAY.plus(-days).startIn('UTC') + 6 * HOUR,
        waterMm: 60,
        status: 'done',
      }),
    );
  const facts = {
    ...COMPLETE_PROBE,
    setup: { ...COMPLETE_PROBE.setup, cropSeason },
    earlierWaterings: water,
  };
  const probe = { facts, depths: facts.recent.depths };
  const start = { day: dayBefore(DAYS + 1), moistures: [] };
  const waterUse = [{ day: '2020-01-01', share }];
  const truth = balanceSince({ ...probe, facts: { ...facts, waterUse } }, 0, start, farm);
  if (!truth.ok) throw new Error(truth.failure.join());

  const evenings = truth.value.deficitsMm;
  const points = evenings.slice(0, -1).map((evening, index) => {
    const before = evenings[index - 1] ?? 0;
    const isFilled = evening < before;
    const meanMm = isFilled ? evening : before + MEAN_SHARE * (evening - before);
    const days = DAYS - index;
    const drifted = drift ? Math.max(0, drift.sinceDays - days) * drift.perDay : 0;
    const wetted = days === unlogged ? 4 : 0;
    return {
      at: TODAY.plus(-days).startIn('UTC'),
      value: percentAt(meanMm) + drifted + wetted + noise * random.normal(),
    };
  });
  const dayMeans = dayMeansOf(
    DEPTHS_CM.map((depthCm) => ({ depthCm, points })),
    'UTC',
  );
  const moistures = DEPTHS_CM.map((depthCm) => ({ depthCm, value: points.at(-1)!.value }));
  const dayEnds = [{ day: dayBefore(1), moistures }];
  return { probe: { ...probe, facts: { ...facts, dayMeans, dayEnds } }, farm };
}

const shares = (field: Field): number[] => {
  const { probe, farm } = balanced(field);
  return dryFallsOf(probe, farm).map(({ usedMm, expectedMm }) => usedMm / expectedMm);
};

const EXACT = { share: 1, everyDays: 7, noise: 0, seed: 1 };

describe('the falls of a root zone between waterings', () => {
  it('show the use of the tables within 3 % where that is the use', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.constantFrom(5, 7, 9),
        (seed, everyDays) => {
          const shown = shares({ ...EXACT, everyDays, seed });
          expect(shown.length).toBeGreaterThanOrEqual(3);
          expect(Math.abs(median(shown) - 1)).toBeLessThan(0.03);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('show another use within a tenth, with noise', () => {
    for (const share of [0.5, 0.7, 1.2])
      for (const seed of [1, 2, 3]) {
        const shown = shares({ share, everyDays: 7, noise: 0.05, seed });
        expect(Math.abs(median(shown) / share - 1)).toBeLessThan(0.1);
      }
  });

  it('are none where it is watered each day', () => {
    expect(shares({ ...EXACT, everyDays: 1 })).toEqual([]);
    expect(shares({ ...EXACT, everyDays: 3 })).toEqual([]);
  });

  it('are none around a rise that nobody logged', () => {
    const clean = balanced(EXACT);
    const wetted = balanced({ ...EXACT, unlogged: 17 });
    const daysOf = ({ probe, farm }: typeof clean) =>
      dryFallsOf(probe, farm).map(({ endsOn }) => endsOn);
    const lost = daysOf(clean).filter((day) => !daysOf(wetted).includes(day));
    expect(lost).toEqual([dayBefore(17)]);
    const shown = dryFallsOf(wetted.probe, wetted.farm);
    for (const { usedMm, expectedMm } of shown)
      expect(Math.abs(usedMm / expectedMm - 1)).toBeLessThan(0.15);
  });

  it('teach no agreement with a probe that drifts, before the days that are judged', () => {
    const learnedBy = (field: Field) => {
      const { probe, farm } = balanced(field);
      return learnWaterUse([dryFallsOf(probe, farm)], [dayBefore(8)])[0]!.share;
    };
    const drift = { sinceDays: 8, perDay: 0.5 };
    expect(learnedBy({ ...EXACT, drift })).toBe(learnedBy(EXACT));
    expect(learnedBy(EXACT)).toBeCloseTo(1, 1);
  });

  it('are none where the depths that can be trusted are not known', () => {
    const { probe, farm } = balanced(EXACT);
    expect(dryFallsOf({ ...probe, facts: { ...probe.facts, dayEnds: [] } }, farm)).toEqual([]);
    expect(dryFallsOf({ ...probe, facts: { ...probe.facts, dayMeans: null } }, farm)).toEqual([]);
  });
});
