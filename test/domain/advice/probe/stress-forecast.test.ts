import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countedDecay,
  daysUntilStress,
  forecastStress,
} from '../../../../src/domain/advice/probe/stress-forecast.ts';
import type { DryingRate } from '../../../../src/domain/facts/drying-rate.ts';
import type { StateFacts } from '../../../../src/domain/facts/probe-facts.ts';
import { DAY, FARM_NOW } from '../../../farm.ts';
import { stateOf } from '../farm/farm-probes.ts';

const straight = (perDay: number, usualPerDay = perDay): DryingRate => ({
  perDay,
  usualPerDay,
  basis: 'newest',
  count: 5,
  decay: null,
});

const NO_OUTLOOK = { rainPoints: 0, demandPercent: null };

const daysTo = (
  stressPoint: number,
  value: number,
  rate: DryingRate,
  {
    ageDays = 0,
    ...outlook
  }: { ageDays?: number; rainPoints?: number; demandPercent?: number } = {},
) => daysUntilStress(stressPoint, { value, ageDays }, rate, { ...NO_OUTLOOK, ...outlook });

describe('the days until stress by a straight fall', () => {
  it('are 0 below the stress point, and null without drying', () => {
    expect(daysTo(20, 23, straight(-0.5))).toBe(6);
    expect(daysTo(20, 20, straight(0))).toBe(0);
    expect(daysTo(20, 20, straight(-0.5), { rainPoints: 5, demandPercent: 50 })).toBe(0);
    expect(daysTo(20, 23, straight(-0.001))).toBeNull();
    expect(daysTo(20, 23, straight(0))).toBeNull();
  });

  it('count from now, also when the newest value is old', () => {
    expect(daysTo(20, 23, straight(-0.5), { ageDays: 1 })).toBe(5);
    expect(daysTo(20, 20.2, straight(-0.5), { ageDays: 1 })).toBe(0.1);
  });

  it('are fewer with more demand, more with rain, and at most 14', () => {
    expect(daysTo(20, 23, straight(-0.5), { demandPercent: 150 })).toBe(4);
    expect(daysTo(20, 23, straight(-0.5), { rainPoints: 1 })).toBe(8);
    // In the day since the reading it fell by 0.5 points; 2.5 points at 0.75 a day remain.
    expect(daysTo(20, 23, straight(-0.5), { demandPercent: 150, ageDays: 1 })).toBeCloseTo(
      2.5 / 0.75,
      9,
    );
    expect(daysTo(20, 23, straight(-0.05), { demandPercent: 10 })).toBe(14);
  });

  it('do not count the weather of the newest day twice', () => {
    // Today is hot: 1.2 points instead of the usual 0.6. The forecast of twice the usual demand
    // means 1.2 points, not 1.8.
    const hot = straight(-0.9, -0.6);
    expect(daysTo(20, 26, hot, { demandPercent: 200 })).toBeCloseTo(5, 9);
    expect(daysTo(20, 26, hot)).toBeCloseTo(6 / 0.9, 9);
    // A healthy twin: a newest day like any other.
    expect(daysTo(20, 26, straight(-0.6), { demandPercent: 200 })).toBeCloseTo(5, 9);
  });
});

const decaying = (residual: number, k: number): DryingRate => ({
  ...straight(-1),
  decay: { residual, perDay: k, usualPerDay: k },
});

describe('the days until stress with an exponential fall', () => {
  it('are the mean of both', () => {
    // 10 + 16 exp(-0.1 t) = 18 after ln(2) / 0.1 = 6.93 days; at a point a day, 26 reaches 18 after 8.
    const both = decaying(10, -0.1);
    expect(daysTo(18, 26, both)).toBeCloseTo((8 + Math.log(2) / 0.1) / 2, 9);
    expect(daysTo(18, 26, both, { demandPercent: 200 })).toBeCloseTo(
      (4 + Math.log(2) / 0.2) / 2,
      9,
    );
    // A day ago it was a point and 9.5 % of its distance to 10 wetter than now.
    expect(daysTo(18, 26, both, { ageDays: 1 })).toBeCloseTo((7 + Math.log(2) / 0.1 - 1) / 2, 9);
  });

  it('are those of the straight fall alone less than two points above the residual', () => {
    expect(daysTo(18, 26, decaying(16, -0.1))).not.toBe(8);
    expect(daysTo(18, 26, decaying(16.1, -0.1))).toBe(8);
    expect(countedDecay(decaying(16.1, -0.1), 18)).toBeNull();
    expect(countedDecay(straight(-1), 18)).toBeNull();
  });

  it('are at most 14 each, never fewer for more water, and never more for more demand', () => {
    const points = fc.double({ min: 0, max: 20, noNaN: true });
    const demand = fc.double({ min: 10, max: 300, noNaN: true });
    fc.assert(
      fc.property(
        fc.record({
          perDay: fc.double({ min: 0.02, max: 3, noNaN: true }),
          k: fc.double({ min: 0.001, max: 0.5, noNaN: true }),
          above: fc.double({ min: 2, max: 20, noNaN: true }),
        }),
        points,
        points,
        demand,
        demand,
        ({ perDay, k, above }, value, more, less, extra) => {
          const rate = {
            ...straight(-perDay),
            decay: { residual: 20 - above, perDay: -k, usualPerDay: -k },
          };
          const days = daysTo(20, 20.1 + value, rate)!;
          expect(days).toBeGreaterThan(0);
          expect(days).toBeLessThanOrEqual(14);
          expect(daysTo(20, 20.1 + value + more, rate)!).toBeGreaterThanOrEqual(days - 1e-9);
          expect(daysTo(20, 20.1 + value, rate, { rainPoints: more })!).toBeGreaterThanOrEqual(
            days - 1e-9,
          );
          const [low, high] = [less, less + extra].map((demandPercent) =>
            daysTo(20, 20.1 + value, rate, { demandPercent }),
          );
          expect(high!).toBeLessThanOrEqual(low! + 1e-9);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a day of stress', () => {
  // The probe reads 20 %, and stress begins at 18 %.
  it.each<[string, Partial<StateFacts>, DryingRate | null, object | null]>([
    ['is forecast', {}, straight(-0.5), null],
    ['needs a stress point', { stressPoint: null }, straight(-0.5), { kind: 'NO_STRESS_POINT' }],
    [
      'needs lines that do not cross',
      { wiltingPoint: 27 },
      straight(-0.5),
      { kind: 'THRESHOLDS_CROSSED' },
    ],
    ['needs dry days', {}, null, { kind: 'FEW_DRY_DAYS' }],
    ['needs soil that dries', {}, straight(0), { kind: 'NOT_DRYING' }],
    ['is today in stress, without any of them', { moisture: 18 }, null, null],
    ['is unknown of a silent probe', { at: FARM_NOW - 3 * DAY }, null, null],
  ])('%s', (_, fields, dryingRate, reason) =>
    expect(
      forecastStress({
        state: stateOf(fields),
        moisture: null,
        dryingRate,
        rainPoints: 0,
        expectedDemandPercent: undefined,
        weather: { data: [], pace: null, forecast: null },
        now: FARM_NOW,
      }).reason,
    ).toEqual(reason),
  );
});
