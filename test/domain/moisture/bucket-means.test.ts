import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketMeans } from '../../../src/domain/moisture/bucket-means.ts';
import { HOUR } from '../../time.ts';

/** [sensor, instant, value] each. */
const readings = (rows: readonly (readonly [number, number, number])[]) => ({
  sensor: rows.map(([sensor]) => sensor),
  at: rows.map(([, at]) => at),
  sum: rows.map(([, , value]) => value),
  length: rows.length,
});

describe('buckets of readings', () => {
  it("have the mean of each sensor's own readings, labelled by the start of the bucket", () => {
    const { at, means, counts } = bucketMeans(
      readings([
        [0, HOUR + 10, 20],
        [0, HOUR + 20, 22],
        [1, HOUR + 20, 30],
        [1, 3 * HOUR, 31],
      ]),
      2,
      HOUR,
    );
    expect([...at]).toEqual([HOUR, 3 * HOUR]);
    expect(means.map((list) => [...list])).toEqual([
      [21, Number.NaN],
      [30, 31],
    ]);
    expect(counts).toEqual([2, 2]);
  });

  it('are the same from hourly sums as from readings', () => {
    const rows = fc.array(
      fc.tuple(
        fc.integer({ min: 0, max: 2 }),
        fc.integer({ min: -200, max: 200 }).map((quarters) => (quarters * HOUR) / 4),
        fc.integer({ min: 0, max: 100 }),
      ),
    );
    fc.assert(
      fc.property(rows, fc.constantFrom(1, 3, 24), (raw, hours) => {
        const summed = new Map<string, { sensor: number; at: number; sum: number; count: number }>();
        for (const [sensor, at, value] of raw) {
          const start = at - (((at % HOUR) + HOUR) % HOUR);
          const entry = summed.get(`${sensor} ${start}`) ?? { sensor, at: start, sum: 0, count: 0 };
          entry.sum += value;
          entry.count++;
          summed.set(`${sensor} ${start}`, entry);
        }
        const list = [...summed.values()];
        const sums = {
          sensor: list.map(({ sensor }) => sensor),
          at: list.map(({ at }) => at),
          sum: list.map(({ sum }) => sum),
          count: list.map(({ count }) => count),
          length: list.length,
        };
        // Whole numbers add up the same in any order.
        expect(bucketMeans(sums, 3, hours * HOUR)).toEqual(bucketMeans(readings(raw), 3, hours * HOUR));
      }),
    );
  });
});
