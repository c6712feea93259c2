import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { median, medianDeviation } from '../../src/domain/statistics.ts';
import { propertyRuns } from '../property-runs.ts';

describe('medianDeviation', () => {
  it('is the median of the distances from the median', () => {
    const values = fc.array(
      fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ min: -50, max: 50, noNaN: true })),
      { minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(values, (all) => {
        const middle = median(all);
        expect(medianDeviation(all)).toBe(median(all.map((value) => Math.abs(value - middle))));
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('is unknown without a value', () => {
    expect(medianDeviation([])).toBeNaN();
  });
});
