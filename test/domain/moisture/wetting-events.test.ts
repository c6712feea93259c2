import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TimedValue } from '../../../src/domain/moisture/series.ts';
import {
  minRiseHeight,
  riseHeight,
  wettingEventsIn,
} from '../../../src/domain/moisture/wetting-events.ts';
import { HOUR } from '../../time.ts';

/** Hourly points of some days. */
const hourly = (days: number, valueAt: (hour: number) => number): TimedValue[] =>
  Array.from({ length: 24 * days }, (_, hour) => ({ at: hour * HOUR, value: valueAt(hour) }));

const findWettingEvents = (points: readonly TimedValue[]) =>
  wettingEventsIn(points, minRiseHeight(points));

/** Even noise, from -1 to 1. */
function noise(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return (2 * state) / 2_147_483_647 - 1;
  };
}

describe('a rise', () => {
  it('starts at the first point above the low, and is as high as its peak', () => {
    const points = hourly(4, (hour) => {
      if (hour < 50) return 30 - hour / 100;
      return hour < 53 ? 31 + (hour - 50) : 33 - hour / 100;
    });
    const [rise, ...more] = findWettingEvents(points);
    expect(more).toEqual([]);
    expect(rise).toEqual({ from: 30 - 0.49, startAt: 50 * HOUR, peak: 33, peakAt: 52 * HOUR });
    expect(riseHeight(rise!)).toBeCloseTo(33 - 29.51);
  });

  it('is found each day under daily watering', () => {
    const points = hourly(14, (hour) => 25 - (2 * (hour % 24)) / 24);
    expect(findWettingEvents(points).map(({ startAt }) => startAt / HOUR)).toEqual(
      Array.from({ length: 13 }, (_, day) => 24 * (day + 1)),
    );
  });

  it('is found when it takes half a day', () => {
    const points = hourly(
      10,
      (hour) => 30 - hour / 100 + 2 * Math.min(1, Math.max(0, (hour - 100) / 12)),
    );
    expect(findWettingEvents(points)).toHaveLength(1);
  });

  it.each([0.1, 0.5, 1, 3])('is not found in a daily swing of %f points', (half) => {
    for (const shift of [0, 5, 11, 17])
      expect(
        findWettingEvents(
          hourly(
            14,
            (hour) => 30 - hour / 100 + half * Math.sin((2 * Math.PI * (hour + shift)) / 24),
          ),
        ),
      ).toEqual([]);
  });

  it.each([0.05, 0.3, 1])('is not found in even noise of %f points', (half) => {
    const next = noise();
    expect(findWettingEvents(hourly(60, (hour) => 30 - hour / 200 + half * next()))).toEqual([]);
  });

  // Coarse sensors in the field report tenths, halves or whole points; a drying soil has no rise at
  // all.
  it.each([0.1, 0.5, 1])(
    'is not found in a drying soil that a sensor reports in steps of %f points',
    (step) => {
      const DRYING = fc.record({
        pointsPerDay: fc.double({ min: 0.1, max: 1, noNaN: true }),
        swing: fc.double({ min: 0, max: 0.1, noNaN: true }),
        error: fc.double({ min: 0, max: 0.2, noNaN: true }),
        seed: fc.integer({ min: 1, max: 2_147_483_646 }),
      });
      fc.assert(
        fc.property(DRYING, ({ pointsPerDay, swing, error, seed }) => {
          const next = noise(seed);
          const points = Array.from({ length: 14 * 96 }, (_, quarter) => {
            const days = quarter / 96;
            const value =
              35 - pointsPerDay * days + swing * Math.sin(2 * Math.PI * days) + error * next();
            return { at: (quarter * HOUR) / 4, value: Math.round(value / step) * step };
          });
          expect(findWettingEvents(points)).toEqual([]);
        }),
      );
    },
  );

  it.each([0.1, 0.5, 1])('of 3 points is found by a sensor with steps of %f points', (step) => {
    const points = hourly(
      14,
      (hour) => Math.round((30 - hour / 48 + (hour < 200 ? 0 : 3)) / step) * step,
    );
    expect(findWettingEvents(points).map(({ startAt }) => startAt / HOUR)).toEqual([200]);
  });

  it('of one step on a curve without another change is found', () => {
    expect(findWettingEvents(hourly(14, (hour) => (hour < 200 ? 20 : 25)))).toHaveLength(1);
  });

  it.each([0.01, 0.001])('is the same with and without rounding to %f points', (step) => {
    const next = noise();
    const points = hourly(60, (hour) => 30 - (4 * (hour % 96)) / 96 + 0.3 * next());
    const rounded = points.map(({ at, value }) => ({ at, value: Math.round(value / step) * step }));
    expect(findWettingEvents(points)).toHaveLength(14);
    expect(findWettingEvents(rounded)).toHaveLength(14);
    expect(Math.abs(minRiseHeight(rounded) - minRiseHeight(points))).toBeLessThan(5 * step);
  });

  it('is not found in a single outlying point', () => {
    expect(findWettingEvents(hourly(10, (hour) => (hour === 77 ? 45 : 30)))).toEqual([]);
  });

  it('is not found across a gap of more than half a day', () => {
    const points = hourly(10, (hour) => (hour < 100 ? 30 : 35)).filter(
      ({ at }) => at < 90 * HOUR || at >= 103 * HOUR,
    );
    expect(findWettingEvents(points)).toEqual([]);
  });

  it('counts at just the least height, whatever the error of the subtraction', () => {
    for (let tenths = 50; tenths < 450; tenths++) {
      const [low, high] = [tenths / 10, (tenths + 3) / 10];
      const points = [low, low, high, high].map((value, hour) => ({ at: hour * HOUR, value }));
      expect(wettingEventsIn(points, 0.3), `${low} to ${high}`).toHaveLength(1);
    }
  });

  it('is at least as high as the minimum, and never starts after its peak', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.record({
            hour: fc.nat({ max: 600 }),
            value: fc.double({ min: 0, max: 60, noNaN: true }),
          }),
          {
            selector: ({ hour }) => hour,
            maxLength: 80,
          },
        ),
        (readings) => {
          const points = readings
            .map(({ hour, value }) => ({ at: hour * HOUR, value }))
            .sort((a, b) => a.at - b.at);
          const minHeight = minRiseHeight(points);
          let before = Number.NEGATIVE_INFINITY;
          for (const rise of wettingEventsIn(points, minHeight)) {
            expect(riseHeight(rise)).toBeGreaterThan(minHeight - 1e-5);
            expect(rise.startAt).toBeGreaterThan(before);
            expect(rise.peakAt).toBeGreaterThanOrEqual(rise.startAt);
            before = rise.peakAt;
          }
        },
      ),
    );
  });
});
