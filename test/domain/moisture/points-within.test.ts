import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pointsWithin } from '../../../src/domain/moisture/series.ts';

const instants = fc.uniqueArray(fc.integer({ min: 0, max: 50 }), { maxLength: 20 });
const bound = fc.integer({ min: -5, max: 55 });

it('points within a period are those from its start on and before its end', () => {
  fc.assert(
    fc.property(instants, bound, bound, (times, start, end) => {
      const points = times.sort((a, b) => a - b).map((at) => ({ at, value: at }));
      expect(pointsWithin(points, { start, end })).toEqual(
        points.filter(({ at }) => at >= start && at < end),
      );
    }),
  );
});
