import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WindowExtreme } from '../../../src/domain/moisture/window-extreme.ts';
import { propertyRuns } from '../../property-runs.ts';

/** Few values, so that many are equal; instants with gaps. */
const curves = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 5 })), {
    maxLength: 40,
  })
  .map((steps) => {
    let at = 0;
    return steps.map(([gap, value]) => {
      at += gap;
      return { at, value };
    });
  });

describe.each([
  ['lowest', WindowExtreme.lowest, (a: number, b: number) => a < b],
  ['highest', WindowExtreme.highest, (a: number, b: number) => a > b],
] as const)('the %s point of a window', (_, of, isBeyond) => {
  it('is the newest of those beyond all others, wherever the window begins', () => {
    fc.assert(
      fc.property(curves, fc.integer({ min: 0, max: 12 }), fc.nat(40), (points, length, begin) => {
        const extreme = of(points);
        for (const [index, { at }] of points.entries()) {
          if (index > 0) extreme.add(index - 1);
          const from = index > begin ? begin : 0;
          const rows = points
            .map((_point, row) => row)
            .filter((row) => row >= from && row < index && points[row]!.at >= at - length);
          const expected = rows.reduce<number | null>(
            (best, row) =>
              best !== null && isBeyond(points[best]!.value, points[row]!.value) ? best : row,
            null,
          );
          expect(extreme.since(from, at - length)).toBe(expected);
        }
      }),
      { numRuns: propertyRuns(200) },
    );
  });
});
