import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dataGaps } from '../../../src/domain/moisture/data-gaps.ts';
import { HOUR_MS } from '../../../src/domain/periods.ts';

const PERIOD = { start: 0, end: 24 * HOUR_MS };
const gapsOf = (hours: readonly number[], intervalHours = 1) =>
  dataGaps(
    hours.map((hour) => hour * HOUR_MS),
    PERIOD,
    intervalHours * HOUR_MS,
  ).map(({ start, end }) => [start / HOUR_MS, end / HOUR_MS]);

const HOURS = [...Array(24).keys()];

describe('the gaps in data', () => {
  it.each([
    ['none where each hour has a point', HOURS, []],
    ['all without points', [], [[0, 24]]],
    ['the first hours', HOURS.slice(3), [[0, 3]]],
    ['the last hours', HOURS.slice(0, 18), [[18, 24]]],
    ['one within', HOURS.filter((hour) => hour < 5 || hour > 7), [[5, 8]]],
    ['of points outside the period', [-2, 30], [[0, 24]]],
  ])('are %s', (_, points, gaps) => {
    expect(gapsOf(points)).toEqual(gaps);
  });

  it('are none in the rhythm of a slow sensor, and none for a single lost reading of a fast one', () => {
    expect(gapsOf([0, 6, 12, 18], 6)).toEqual([]);
    const everyTenMinutes = [...Array(144).keys()].map((index) => index / 6).filter((hour) => hour !== 5);
    expect(gapsOf(everyTenMinutes, 1 / 6)).toEqual([]);
  });

  it('never cover a point, and lie in order within the period', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: -10, max: 40 }), { maxLength: 30 }), (unsorted) => {
        const points = unsorted.sort((a, b) => a - b);
        const gaps = gapsOf(points);
        for (const [start, end] of gaps as [number, number][]) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeLessThanOrEqual(24);
          expect(points.some((point) => point >= start && point < end)).toBe(false);
        }
        expect(gaps.flat()).toEqual(gaps.flat().sort((a, b) => a! - b!));
      }),
    );
  });
});
