import { describe, expect, it } from 'vitest';
import { classErrorMm } from '../../../src/domain/soil/class-error.ts';
import { soilHorizonById } from '../../../src/domain/soil/soil-catalog.ts';

const SAND = 1;
const LOAM = 6;
const CLAY = 8;

/** Slices of 30 cm from the surface down, each of a class of the catalog. */
const errorOf = (...classes: number[]): number =>
  classErrorMm(
    classes.map((id, index) => ({
      slice: { topCm: 30 * index, bottomCm: 30 * (index + 1) },
      ...soilHorizonById(id)!,
    })),
  );

describe('the error of a field capacity by texture', () => {
  it('is 5 points of the root depth from sand to loam', () => {
    expect(errorOf(SAND, SAND)).toBeCloseTo(30, 9);
    expect(errorOf(LOAM, LOAM, LOAM)).toBeCloseTo(45, 9);
  });

  it('is 10 points in clay, and where the layers are unlike', () => {
    expect(errorOf(CLAY, CLAY)).toBeCloseTo(60, 9);
    expect(errorOf(SAND, LOAM)).toBeCloseTo(60, 9);
  });

  it('counts what lies between the layers, and no sensor below the roots', () => {
    const without = { slice: { topCm: 0, bottomCm: 30 }, fieldCapacity: null, wiltingPoint: null };
    const below = { ...soilHorizonById(CLAY)!, slice: null };
    const loam = { ...soilHorizonById(LOAM)!, slice: { topCm: 30, bottomCm: 60 } };
    expect(classErrorMm([without, loam, below])).toBeCloseTo(30, 9);
  });
});
