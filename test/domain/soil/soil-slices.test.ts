import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slicesOf } from '../../../src/domain/soil/slices.ts';

/** "0-15" for a slice, null for none. */
const spans = (
  depths: (number | null)[],
  rootDepthCm: number | null,
  fromCm?: number,
): (string | null)[] =>
  slicesOf(depths, rootDepthCm, fromCm).map((slice) => slice && `${slice.topCm}-${slice.bottomCm}`);

describe('slices', () => {
  it('meet midway between sensors, from the surface to half the last spacing below the deepest', () => {
    expect(spans([10, 20, 30, 40, 50, 60], null)).toEqual([
      '0-15',
      '15-25',
      '25-35',
      '35-45',
      '45-55',
      '55-65',
    ]);
    expect(spans([10, 30, 60], null)).toEqual(['0-20', '20-45', '45-75']);
  });

  it('begin where they are watered from below the surface', () => {
    expect(spans([10, 30, 60], 80, 25)).toEqual([null, '25-45', '45-80']);
    expect(spans([10, 30, 60], 80, 15)).toEqual(['15-20', '20-45', '45-80']);
  });

  it('are clipped to a declared root depth, and the last reaches it', () => {
    expect(spans([10, 20, 30, 40, 50, 60], 40)).toEqual([
      '0-15',
      '15-25',
      '25-35',
      '35-40',
      null,
      null,
    ]);
    expect(spans([10, 30, 60], 80)).toEqual(['0-20', '20-45', '45-80']);
    expect(spans([10, 20], 15)).toEqual(['0-15', null]);
  });

  it('are one with a root depth above the first sensor, and with a single sensor', () => {
    expect(spans([10, 20], 5)).toEqual(['0-5', null]);
    expect(spans([30], 60)).toEqual(['0-60']);
  });

  it('are absent for a single depth without a root depth, and for a sensor without a depth', () => {
    expect(spans([30], null)).toEqual([null]);
    expect(spans([30, 30], null)).toEqual([null, null]);
    expect(spans([null, 10, 20], null)).toEqual([null, '0-15', '15-25']);
    expect(spans([null], 60)).toEqual([null]);
    expect(spans([], 60)).toEqual([]);
  });

  it('are the same for sensors at one depth, whatever the order the sensors come in', () => {
    expect(spans([20, 10, 10], null)).toEqual(['15-25', '0-15', '0-15']);
  });

  it('assign every centimetre to its nearest sensor', () => {
    const depths = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(depths, fc.option(fc.integer({ min: 1, max: 80 })), (halfDepths, rootDepthCm) => {
        const cm = halfDepths.map((depth) => 2 * depth);
        const sorted = cm.toSorted((a, b) => a - b);
        const end = rootDepthCm ?? sorted.at(-1)! + (sorted.at(-1)! - sorted.at(-2)!) / 2;
        const slices = slicesOf(cm, rootDepthCm);
        for (let depth = 0.25; depth < 200; depth += 0.5) {
          const inside = slices.flatMap((slice, index) =>
            slice && slice.topCm < depth && depth < slice.bottomCm ? [index] : [],
          );
          const distances = cm.map((each) => Math.abs(each - depth));
          const nearest = distances.indexOf(Math.min(...distances));
          // A quarter of a centimetre is never midway between whole, even depths.
          expect(inside).toEqual(depth < end ? [nearest] : []);
        }
      }),
      { numRuns: 50 },
    );
  });
});
