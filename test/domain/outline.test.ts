import { describe, expect, it } from 'vitest';
import { findOutlineFault } from '../../src/domain/outline.ts';

const ring = [
  [3.87, 43.61],
  [3.88, 43.61],
  [3.88, 43.62],
  [3.87, 43.61],
];
const fault = (type: 'Polygon' | 'MultiPolygon', coordinates: unknown[]) =>
  findOutlineFault({ type, coordinates })?.path ?? null;

describe('an outline', () => {
  it('is sound when its rings are closed, one level deeper for several polygons', () => {
    expect(fault('Polygon', [ring, ring])).toBeNull();
    expect(fault('MultiPolygon', [[ring], [ring, ring]])).toBeNull();
  });

  it('may be unknown: no coordinates at all', () => {
    expect(fault('Polygon', [])).toBeNull();
  });

  it.each([
    ['a ring that is not closed', 'Polygon', [ring.slice(0, 3).concat([[3.8, 43.6]])], '.coordinates[0][3]'],
    ['a ring of three positions', 'Polygon', [[ring[0], ring[1], ring[0]]], '.coordinates[0]'],
    ['a ring where polygons belong', 'MultiPolygon', [ring], '.coordinates[0][0][0]'],
    ['polygons where rings belong', 'Polygon', [[ring]], '.coordinates[0][0]'],
    ['a longitude off the globe', 'Polygon', [ring.with(1, [181, 43.61])], '.coordinates[0][1][0]'],
    ['latitude and longitude the wrong way round', 'Polygon', [ring.with(1, [43.61, 103.88])], '.coordinates[0][1][1]'],
    ['a number as text', 'Polygon', [ring.with(2, ['3.88', 43.62] as never)], '.coordinates[0][2]'],
    ['something else than a ring', 'Polygon', ['ring'], '.coordinates[0]'],
    ['something else than a polygon', 'MultiPolygon', [{}], '.coordinates[0]'],
  ] as const)('says where it finds %s', (_, type, coordinates, path) => {
    expect(fault(type, coordinates as unknown as unknown[])).toBe(path);
  });
});
