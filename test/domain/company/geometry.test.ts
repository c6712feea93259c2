import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distanceM, findOutlineFault } from '../../../src/domain/company/geometry.ts';

const ring = [
  [3.87, 43.61],
  [3.88, 43.61],
  [3.88, 43.62],
  [3.87, 43.61],
];
const fault = (type: 'Polygon' | 'MultiPolygon', coordinates: unknown[]) =>
  findOutlineFault({ type, coordinates })?.path ?? null;

describe('an outline', () => {
  it('is valid with closed rings, one level deeper for several polygons', () => {
    expect(fault('Polygon', [ring, ring])).toBeNull();
    expect(fault('MultiPolygon', [[ring], [ring, ring]])).toBeNull();
  });

  it('may be unknown: no coordinates at all', () => {
    expect(fault('Polygon', [])).toBeNull();
  });

  it.each([
    [
      'a ring that is not closed',
      'Polygon',
      [ring.slice(0, 3).concat([[3.8, 43.6]])],
      '.coordinates[0][3]',
    ],
    ['a ring of three positions', 'Polygon', [[ring[0], ring[1], ring[0]]], '.coordinates[0]'],
    ['a ring where polygons belong', 'MultiPolygon', [ring], '.coordinates[0][0][0]'],
    ['polygons where rings belong', 'Polygon', [[ring]], '.coordinates[0][0]'],
    ['a longitude off the globe', 'Polygon', [ring.with(1, [181, 43.61])], '.coordinates[0][1][0]'],
    [
      'latitude and longitude the wrong way round',
      'Polygon',
      [ring.with(1, [43.61, 103.88])],
      '.coordinates[0][1][1]',
    ],
    ['a number as text', 'Polygon', [ring.with(2, ['3.88', 43.62] as never)], '.coordinates[0][2]'],
    ['something else than a ring', 'Polygon', ['ring'], '.coordinates[0]'],
    ['something else than a polygon', 'MultiPolygon', [{}], '.coordinates[0]'],
  ] as const)('reports the position of %s', (_, type, coordinates, path) => {
    expect(fault(type, coordinates as unknown as unknown[])).toBe(path);
  });
});

const anyPosition = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lon: fc.double({ min: -180, max: 180, noNaN: true }),
});
/** Half the circumference of a sphere of 6,371,008.8 m. */
const HALF_ROUND_M = Math.PI * 6_371_008.8;

describe('great-circle distance', () => {
  it.each([
    ['is the arc of a degree along the equator: 2 pi R / 360', [0, 0], [0, 1], 111_195],
    [
      'shrinks with the cosine of the latitude: half a degree at 60 N is a quarter',
      [60, 3],
      [60, 3.5],
      111_195 / 4,
    ],
    ['goes the short way over the date line', [0, 179.5], [0, -179.5], 111_195],
    ['is half the circumference to the antipode', [30, 10], [-30, -170], HALF_ROUND_M],
  ] as const)('%s', (_, [lat, lon], [otherLat, otherLon], metres) => {
    const distance = distanceM({ lat, lon }, { lat: otherLat, lon: otherLon });
    expect(Math.abs(distance - metres)).toBeLessThan(metres === HALF_ROUND_M ? 0.5 : 5);
  });

  it('is 0 from a place to itself', () => {
    fc.assert(fc.property(anyPosition, (here) => distanceM(here, here) === 0));
  });

  it('is symmetric, and at most half the circumference', () => {
    fc.assert(
      fc.property(anyPosition, anyPosition, (a, b) => {
        expect(distanceM(a, b)).toBeCloseTo(distanceM(b, a), 3);
        expect(distanceM(a, b)).toBeLessThanOrEqual(HALF_ROUND_M + 1);
      }),
    );
  });
});
