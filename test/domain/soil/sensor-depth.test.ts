import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sensorDepthsMeant } from '../../../src/domain/soil/sensor-depth.ts';
import { CM_PER_INCH } from '../../../src/domain/units.ts';

const meant = (depths: number[], sensorDepths: number[]): number[] => {
  const known = sensorDepthsMeant(depths, sensorDepths);
  return depths.map((depth) => known.get(depth) ?? Number.NaN);
};

describe('the depth of a sensor', () => {
  it('is also meant by what inches and feet round to', () => {
    // 12, 24, 36, 48 and 60 inches.
    expect(meant([30, 61, 91, 122, 152], [30, 60, 90, 120, 150])).toEqual([30, 60, 90, 120, 150]);
  });

  it('is not meant by a depth that is further away', () => {
    expect(meant([12, 18, 63], [10, 20, 60])).toEqual([12, 18, 63]);
  });

  it('is meant by one depth only, first by its own', () => {
    expect(meant([60, 61], [60])).toEqual([60, 61]);
    expect(meant([59, 61], [60])).toEqual([60, 61]);
  });

  it('down to 5 ft, in steps of 10 or 15 cm, is meant by its whole inches', () => {
    const depth = fc.integer({ min: 1, max: 15 }).map((steps) => 10 * steps);
    fc.assert(
      fc.property(depth, (depthCm) => {
        const inches = Math.round(depthCm / CM_PER_INCH);
        expect(
          meant([Math.round(CM_PER_INCH * inches)], [depthCm - 10, depthCm, depthCm + 10]),
        ).toEqual([depthCm]);
      }),
    );
  });
});
