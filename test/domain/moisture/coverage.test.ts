import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dataGaps,
  missingShare,
  readingAge,
  usualIntervalMs,
} from '../../../src/domain/moisture/coverage.ts';
import { HOUR_MS } from '../../../src/domain/periods.ts';
import { DAY, HOUR, MINUTE } from '../../time.ts';

const QUARTER = 15 * MINUTE;

describe('age of a reading', () => {
  it('is fresh up to 25 hours', () => {
    expect(readingAge(DAY, 2 * DAY + HOUR)).toEqual({ ageMs: 25 * HOUR, isFresh: true });
    expect(readingAge(DAY, 2 * DAY + HOUR + 1)).toEqual({ ageMs: 25 * HOUR + 1, isFresh: false });
  });

  it('is not negative when the clock of the probe runs ahead', () => {
    expect(readingAge(DAY + MINUTE, DAY)).toEqual({ ageMs: 0, isFresh: true });
  });
});

describe('the usual step of a sensor', () => {
  it('is the median step, so that a gap does not count', () => {
    expect(usualIntervalMs([0, 1, 2, 30, 31].map((step) => step * QUARTER))).toBe(QUARTER);
  });

  it('is rounded to minutes, unless it is shorter than one', () => {
    expect(usualIntervalMs([0, QUARTER - 2000, 2 * QUARTER - 5000])).toBe(QUARTER);
    expect(usualIntervalMs([0, 10_000, 20_000])).toBe(10_000);
  });

  it('is unknown from fewer than two readings', () => {
    expect([usualIntervalMs([]), usualIntervalMs([DAY])]).toEqual([null, null]);
  });
});

describe('missing share of a period', () => {
  const week = { start: 0, end: 7 * DAY };

  it('counts readings expected at the usual step', () => {
    expect(missingShare(week, [{ count: 7 * 96, intervalMs: QUARTER }])).toBe(0);
    // One day of seven.
    expect(missingShare(week, [{ count: 6 * 96, intervalMs: QUARTER }])).toBeCloseTo(1 / 7, 12);
    expect(missingShare(week, [{ count: 0, intervalMs: QUARTER }])).toBe(1);
  });

  it('covers all sensors, and surplus readings of one do not offset another', () => {
    const sensors = [
      { count: 0, intervalMs: QUARTER },
      { count: 2 * 7 * 96, intervalMs: QUARTER },
    ];
    expect(missingShare(week, sensors)).toBe(0.5);
  });

  it('expects the step of its neighbours from a sensor that never sent', () => {
    const sensors = [
      { count: 7 * 24, intervalMs: HOUR },
      { count: 0, intervalMs: null },
    ];
    expect(missingShare(week, sensors)).toBe(0.5);
  });

  it('is 1 when nothing was sent, and 0 with a single reading or when nothing was due', () => {
    expect(missingShare(week, [])).toBe(1);
    expect(missingShare(week, [{ count: 0, intervalMs: null }])).toBe(1);
    expect(missingShare(week, [{ count: 1, intervalMs: null }])).toBe(0);
    expect(missingShare({ start: 0, end: MINUTE }, [{ count: 0, intervalMs: QUARTER }])).toBe(0);
  });

  it('is 0 for a regular probe wherever the period starts, else the lost share', () => {
    const run = fc.record({
      step: fc.integer({ min: 1, max: 90 }).map((minutes) => minutes * MINUTE),
      steps: fc.integer({ min: 30, max: 300 }),
      offset: fc.integer({ min: 0, max: DAY }),
      lostFrom: fc.integer({ min: 0, max: 9 }),
      lost: fc.integer({ min: 0, max: 20 }),
    });
    fc.assert(
      fc.property(run, ({ step, steps, offset, lostFrom, lost }) => {
        const period = { start: offset, end: offset + steps * step };
        const first = Math.ceil(offset / step) * step;
        const all = Array.from({ length: steps }, (_, index) => first + index * step);
        const received = all.filter((_, index) => index < lostFrom || index >= lostFrom + lost);
        const intervalMs = usualIntervalMs(all);
        expect(missingShare(period, [{ count: received.length, intervalMs }])).toBeCloseTo(
          lost / steps,
          12,
        );
      }),
    );
  });
});

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
    const everyTenMinutes = [...Array(144).keys()]
      .map((index) => index / 6)
      .filter((hour) => hour !== 5);
    expect(gapsOf(everyTenMinutes, 1 / 6)).toEqual([]);
  });

  it('never cover a point, and lie in order within the period', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: -10, max: 40 }), { maxLength: 30 }),
        (unsorted) => {
          const points = unsorted.sort((a, b) => a - b);
          const gaps = gapsOf(points);
          for (const [start, end] of gaps as [number, number][]) {
            expect(start).toBeGreaterThanOrEqual(0);
            expect(end).toBeLessThanOrEqual(24);
            expect(points.some((point) => point >= start && point < end)).toBe(false);
          }
          expect(gaps.flat()).toEqual(gaps.flat().sort((a, b) => a! - b!));
        },
      ),
    );
  });
});
