import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { soilClassByName } from '../../../src/domain/soil/soil-catalog.ts';
import { type DatedLayer, soilAt } from '../../../src/domain/soil/soil-profile.ts';
import { withStones } from '../../../src/domain/soil/stones.ts';

const layer = (
  usdaClass: 'Loam' | 'Clay',
  depthTopCm: number,
  depthBottomCm: number,
): DatedLayer => ({
  soilHorizonId: soilClassByName(usdaClass).id,
  depthTopCm,
  depthBottomCm,
  startedAt: 0,
  endedAt: null,
});

const loam = soilAt([layer('Loam', 0, 100)], 1, 0)!;

describe('stones', () => {
  it('leave the soil what its fine earth holds, from their depth down to the next', () => {
    const layers = withStones([layer('Loam', 0, 100)], { 40: 50, 80: 0 });
    expect(soilAt(layers, 39, 0)).toEqual(loam);
    expect(soilAt(layers, 40, 0)).toEqual({
      fieldCapacity: loam.fieldCapacity / 2,
      wiltingPoint: loam.wiltingPoint / 2,
      saturation: loam.saturation,
    });
    expect(soilAt(layers, 80, 0)).toEqual(loam);
    expect(soilAt(layers, 100, 0)).toEqual(loam);
  });

  it('change nothing where none are declared', () => {
    const layers = [layer('Clay', 0, 30)];
    expect(withStones(layers, null)).toBe(layers);
  });

  it('keep which of two layers counts, at every depth', () => {
    const span = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 60 }));
    const percent = fc.integer({ min: 0, max: 90 });
    fc.assert(
      fc.property(
        span,
        span,
        fc.dictionary(fc.integer({ min: 0, max: 120 }).map(String), percent, { maxKeys: 4 }),
        fc.double({ min: 0, max: 119, noNaN: true }),
        ([topA, thickA], [topB, thickB], stones, depthCm) => {
          const layers = [layer('Loam', topA, topA + thickA), layer('Clay', topB, topB + thickB)];
          const bare = soilAt(layers, depthCm, 0);
          const borders = Object.keys(stones).map(Number);
          const from = borders.filter((border) => border <= depthCm);
          const fineEarth = from.length === 0 ? 1 : 1 - stones[Math.max(...from)]! / 100;
          // The bottom of the deepest layer belongs to it, where stones begin there too.
          fc.pre(!borders.includes(depthCm));
          const stony = soilAt(withStones(layers, stones), depthCm, 0);
          expect(stony?.fieldCapacity).toBe(bare ? fineEarth * bare.fieldCapacity : undefined);
        },
      ),
    );
  });
});
