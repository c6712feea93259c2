import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distanceM } from '../../src/domain/position.ts';

const anyPosition = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lon: fc.double({ min: -180, max: 180, noNaN: true }),
});
/** Half the circumference of a sphere of 6,371,008.8 m. */
const HALF_ROUND_M = Math.PI * 6_371_008.8;

describe('great-circle distance', () => {
  it('is the arc of a degree along the equator: 2 pi R / 360 = 111,195 m', () => {
    expect(distanceM({ lat: 0, lon: 0 }, { lat: 0, lon: 1 })).toBeCloseTo(111_195, -1);
  });

  it('shrinks with the cosine of the latitude: half a degree of longitude at 60 N is a quarter of that of 1 at 0', () => {
    expect(distanceM({ lat: 60, lon: 3 }, { lat: 60, lon: 3.5 })).toBeCloseTo(111_195 / 4, -1);
  });

  it('goes the short way over the date line', () => {
    expect(distanceM({ lat: 0, lon: 179.5 }, { lat: 0, lon: -179.5 })).toBeCloseTo(111_195, -1);
  });

  it('is half the way round to the antipode', () => {
    expect(distanceM({ lat: 30, lon: 10 }, { lat: -30, lon: -170 })).toBeCloseTo(HALF_ROUND_M, 0);
  });

  it('is nothing from a place to itself', () => {
    fc.assert(fc.property(anyPosition, (here) => distanceM(here, here) === 0));
  });

  it('is the same both ways, and never more than half round', () => {
    fc.assert(
      fc.property(anyPosition, anyPosition, (a, b) => {
        expect(distanceM(a, b)).toBeCloseTo(distanceM(b, a), 3);
        expect(distanceM(a, b)).toBeLessThanOrEqual(HALF_ROUND_M + 1);
      }),
    );
  });
});
