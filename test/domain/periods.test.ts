import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketStart, countBuckets, smallestInterval } from '../../src/domain/periods.ts';
import { DAY, HOUR, MINUTE } from '../time.ts';

const WEEK = 7 * DAY;
const START = Date.UTC(2026, 5, 1);

describe('buckets', () => {
  it('are aligned to 1970-01-01 UTC, also those of seven days and before 1970', () => {
    expect(bucketStart(Date.UTC(2026, 5, 1, 10, 59), HOUR)).toBe(Date.UTC(2026, 5, 1, 10));
    // 1 January 1970 was a Thursday, and so is the start of every week since.
    expect(new Date(bucketStart(Date.UTC(2026, 5, 1), WEEK)).getUTCDay()).toBe(4);
    expect(bucketStart(-1, HOUR)).toBe(-HOUR);
  });

  it('are counted if the period touches them; its end is exclusive', () => {
    expect(countBuckets({ start: START, end: START + 3 * HOUR }, HOUR)).toBe(3);
    expect(countBuckets({ start: START + 1, end: START + 3 * HOUR + 1 }, HOUR)).toBe(4);
    expect(countBuckets({ start: START, end: START }, HOUR)).toBe(0);
  });
});

describe('the smallest interval', () => {
  const over = (ms: number) => ({ start: START, end: START + ms });

  it.each([
    // 48 buckets of 15 min; then 1 ms longer than 48 buckets of the interval of the row before.
    [12 * HOUR, 15 * MINUTE],
    [12 * HOUR + 1, 30 * MINUTE],
    [DAY + 1, HOUR],
    [2 * DAY + 1, 3 * HOUR],
    [6 * DAY + 1, 6 * HOUR],
    [12 * DAY + 1, 12 * HOUR],
    [24 * DAY + 1, DAY],
    [48 * DAY + 1, WEEK],
    [50 * WEEK, 2 * WEEK],
    [10 * 365 * DAY, 11 * WEEK],
  ])('for %d ms at 48 points is %d ms', (length, interval) => {
    // 10 x 365 days are 521.4 weeks: 53 buckets of 10 weeks, 47.4 of 11.
    expect(smallestInterval(over(length), 48)).toBe(interval);
  });

  it('counts a bucket that is cut at either end', () => {
    // 48 quarters of an hour, but 49 buckets.
    expect(smallestInterval({ start: START + MINUTE, end: START + 12 * HOUR + MINUTE }, 48)).toBe(
      30 * MINUTE,
    );
  });

  it('is the smallest usual interval, or number of weeks, with at most maxPoints buckets', () => {
    const usual = [15 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY];
    const period = fc.record({
      start: fc.integer({ min: START - 1000 * DAY, max: START }),
      length: fc.oneof(
        fc.integer({ min: 1, max: 3 * DAY }),
        fc.integer({ min: 1, max: 2000 * DAY }),
      ),
      maxPoints: fc.integer({ min: 2, max: 500 }),
    });
    fc.assert(
      fc.property(period, ({ start, length, maxPoints }) => {
        const chosen = smallestInterval({ start, end: start + length }, maxPoints);
        const bucketsTouched = (interval: number): number => {
          let count = 0;
          for (
            let from = start - (start % interval);
            from < start + length && count <= maxPoints;
            from += interval
          )
            count++;
          return count;
        };
        const candidates = [
          ...usual,
          ...Array.from({ length: Math.ceil(chosen / WEEK) }, (_, n) => (n + 1) * WEEK),
        ];
        expect(candidates.find((interval) => bucketsTouched(interval) <= maxPoints)).toBe(chosen);
      }),
    );
  });

  it('exists for a single point, and for a period across 1970', () => {
    expect(countBuckets(over(WEEK), smallestInterval(over(WEEK), 1))).toBe(1);
    expect(smallestInterval({ start: -DAY, end: DAY }, 1)).toBeGreaterThan(0);
  });
});
