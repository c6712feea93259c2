import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  LEAST_TENSION_RESPONSE,
  tensionOfWetness,
  tensionWettings,
  wetnessOf,
} from '../../../../src/domain/moisture/tension/tension-wetness.ts';
import { HOUR } from '../../../time.ts';

const KPA = fc.double({ min: 0, max: 1500, noNaN: true });
const heightOfFall = (from: number, to: number): number => wetnessOf(to) - wetnessOf(from);

/** Hourly tensions of three days. */
const hours = (tensionAt: (hour: number) => number) =>
  Array.from({ length: 72 }, (_, hour) => ({ at: hour * HOUR, value: tensionAt(hour) }));

describe('the wetness of a tension', () => {
  it('has the least height at a fall by a fifth, and by 2 kPa in wet soil', () => {
    expect(heightOfFall(100, 80)).toBeCloseTo(LEAST_TENSION_RESPONSE, 9);
    expect(heightOfFall(12.5, 10)).toBeCloseTo(LEAST_TENSION_RESPONSE, 9);
    expect(heightOfFall(5, 3)).toBeCloseTo(LEAST_TENSION_RESPONSE, 9);
    const inDrySoil = fc.property(
      fc.double({ min: 12.5, max: 1500, noNaN: true }),
      fc.double({ min: 0, max: 0.9, noNaN: true }),
      (from, share) => {
        fc.pre(Math.abs(share - 0.2) > 1e-6);
        expect(heightOfFall(from, from * (1 - share)) >= LEAST_TENSION_RESPONSE).toBe(share > 0.2);
      },
    );
    fc.assert(inDrySoil);
  });

  it('falls as the soil dries, whatever the sign, and can be turned back', () => {
    fc.assert(
      fc.property(KPA, KPA, (a, b) => {
        if (a < b) expect(wetnessOf(a)).toBeGreaterThanOrEqual(wetnessOf(b));
        expect(wetnessOf(-a)).toBe(wetnessOf(a));
        expect(tensionOfWetness(wetnessOf(a))).toBeCloseTo(a, 6);
      }),
    );
  });
});

describe('a fall of tension', () => {
  it('shows water, also where it takes most of a day', () => {
    const started = (points: ReturnType<typeof hours>) =>
      tensionWettings(points).map(({ startAt }) => startAt / HOUR);
    expect(started(hours((hour) => (hour < 30 ? 50 : 39)))).toEqual([30]);
    expect(started(hours((hour) => (hour < 30 ? 50 : 41)))).toEqual([]);
    const slow = (hour: number) => 50 - 0.6 * Math.min(20, Math.max(0, hour - 30));
    expect(started(hours(slow))).toHaveLength(1);
  });

  it('is none of a daily swing of wet soil, nor a single value', () => {
    expect(tensionWettings(hours((hour) => 6 + 0.9 * Math.sin((Math.PI * hour) / 12)))).toEqual([]);
    expect(tensionWettings(hours((hour) => (hour === 30 ? 5 : 50)))).toEqual([]);
  });
});
