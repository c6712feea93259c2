import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DryFall,
  learnWaterUse,
  WATER_USE_BOUNDS,
  waterUseBefore,
} from '../../../src/domain/balance/water-use.ts';
import { LocalDay } from '../../../src/domain/local-day.ts';

const DAYS = Array.from(
  { length: 120 },
  (_, index) => LocalDay.parse('2026-05-01').plus(index).iso,
);
const dayOf = (index: number): string => DAYS[index]!;

/** One each three days, of this share of what was expected. */
const fallsOf = (shareOn: (index: number) => number, first = 0, last = DAYS.length): DryFall[] =>
  DAYS.flatMap((endsOn, index) =>
    index % 3 === 0 && index >= first && index < last
      ? [{ endsOn, expectedMm: 10, usedMm: 10 * shareOn(index) }]
      : [],
  );
const lastShare = (...ofProbes: DryFall[][]): number | null =>
  learnWaterUse(ofProbes, DAYS).at(-1)!.share;

const anyShares = fc.array(fc.double({ min: 0, max: 4, noNaN: true }), {
  minLength: 120,
  maxLength: 120,
});

describe('the learned use of water', () => {
  it('is what most falls show, once there are three', () => {
    expect(lastShare(fallsOf(() => 1))).toBe(1);
    expect(lastShare(fallsOf(() => 0.7))).toBeCloseTo(0.7, 10);
    expect(lastShare(fallsOf((index) => (index % 9 === 0 ? 3 : 0.8)))).toBeCloseTo(0.8, 10);
    expect(lastShare(fallsOf(() => 0.7, 0, 6))).toBeNull();
    expect(lastShare([])).toBeNull();
  });

  it('is the median of the probes of the parcel', () => {
    const [low, middle, high] = [0.5, 0.8, 1.1].map((share) => fallsOf(() => share));
    expect(lastShare(low!, middle!, high!)).toBeCloseTo(0.8, 10);
    expect(lastShare(low!, [])).toBeCloseTo(0.5, 10);
  });

  it('ends at its bounds', () => {
    for (const [shown, bound] of [
      [0.1, WATER_USE_BOUNDS.least],
      [2, WATER_USE_BOUNDS.most],
    ] as const) {
      expect(lastShare(fallsOf(() => shown))).toBe(bound);
    }
  });

  it('stays within its bounds and changes by a tenth a week at most, whatever falls show', () => {
    fc.assert(
      fc.property(anyShares, (shares) => {
        const learned = learnWaterUse([fallsOf((index) => shares[index]!)], DAYS);
        const known = learned.map(({ share }) => share ?? 1);
        expect(Math.min(...known)).toBeGreaterThanOrEqual(WATER_USE_BOUNDS.least);
        expect(Math.max(...known)).toBeLessThanOrEqual(WATER_USE_BOUNDS.most);
        for (const [index, share] of known.slice(7).entries()) {
          const change = share / known[index]!;
          expect(change).toBeLessThan(1.1 + 1e-9);
          expect(change).toBeGreaterThan(0.9);
        }
      }),
    );
  });

  it('is known before a day by earlier falls alone: a probe that drifts since teaches nothing', () => {
    const start = 60;
    const sound = learnWaterUse([fallsOf(() => 1)], DAYS);
    const drifting = learnWaterUse([fallsOf((index) => (index < start ? 1 : 0.2))], DAYS);
    expect(waterUseBefore(drifting, dayOf(start))).toBe(waterUseBefore(sound, dayOf(start)));
    expect(waterUseBefore(drifting, dayOf(start + 14))).toBeLessThan(1);
    expect(waterUseBefore(sound, '2026-04-30')).toBeNull();
  });
});
