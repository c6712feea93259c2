import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shiftToDrawnCapacity } from '../../../src/domain/soil/soil-profile.ts';

const depth = fc.record({
  weight: fc.double({ min: 0, max: 1, noNaN: true }),
  fieldCapacity: fc.option(fc.double({ min: 0.05, max: 0.45, noNaN: true })),
});

describe('a drawn field capacity', () => {
  it('is the mean of the depths, weighted as the curve, and keeps their differences', () => {
    fc.assert(
      fc.property(
        fc.array(depth, { minLength: 1 }),
        fc.double({ min: 0.05, max: 0.5, noNaN: true }),
        (depths, line) => {
          const followed = shiftToDrawnCapacity(depths, line);
          const layered = followed.flatMap(({ weight, fieldCapacity }) =>
            fieldCapacity === null ? [] : [{ weight, fieldCapacity }],
          );
          const total = layered.reduce((sum, { weight }) => sum + weight, 0);
          const sum = layered.reduce((all, each) => all + each.weight * each.fieldCapacity, 0);
          if (total > 0.001) expect(sum / total).toBeCloseTo(line, 9);
          const shifts = depths.flatMap(({ fieldCapacity }, index) =>
            fieldCapacity === null ? [] : [followed[index]!.fieldCapacity! - fieldCapacity],
          );
          for (const shift of shifts) expect(shift).toBeCloseTo(shifts[0]!, 9);
        },
      ),
    );
  });

  it('changes nothing if it is not drawn, and gives nothing to a depth without a layer', () => {
    const depths = [
      { weight: 0.6, fieldCapacity: 0.28 },
      { weight: 0.4, fieldCapacity: null },
    ];
    expect(shiftToDrawnCapacity(depths, null)).toEqual(depths);
    expect(shiftToDrawnCapacity(depths, 0.33)).toEqual([
      { weight: 0.6, fieldCapacity: expect.closeTo(0.33, 12) },
      { weight: 0.4, fieldCapacity: null },
    ]);
  });
});
