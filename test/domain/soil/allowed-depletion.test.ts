import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CROP_DEPLETIONS, stressPointOf } from '../../../src/domain/soil/allowed-depletion.ts';

describe('the allowed depletion of a crop', () => {
  // Source: FAO-56, Table 22.
  it.each([
    ['strawberry', 0.2],
    ['rice', 0.2],
    ['potato', 0.35],
    ['almond', 0.4],
    ['tomato', 0.4],
    ['wineGrape', 0.45],
    ['tableGrape', 0.35],
    ['citrus', 0.5],
    ['peach', 0.5],
    ['maize', 0.55],
    ['alfalfa', 0.55],
    ['olive', 0.65],
    ['cotton', 0.65],
    ['avocado', 0.7],
  ] as const)('is that of Table 22 for %s: %s', (crop, share) =>
    expect(CROP_DEPLETIONS[crop]).toBe(share),
  );
});

describe('the stress point', () => {
  // Of 160 mm in 0.8 m of soil 64 mm are readily available: 0.32 - 64 / 800.
  it('is that of the tomatoes of FAO-56, example 37', () =>
    expect(stressPointOf(0.32, 0.12, CROP_DEPLETIONS.tomato)).toBeCloseTo(0.24, 12));

  it('lies between wilting point and field capacity, and falls as more may be used', () => {
    const share = fc.integer({ min: 10, max: 80 }).map((percent) => percent / 100);
    fc.assert(
      fc.property(
        fc.double({ min: 1, max: 30, noNaN: true }),
        fc.double({ min: 1, max: 30, noNaN: true }),
        share,
        share,
        (wilting, available, a, b) => {
          const at = (p: number): number => stressPointOf(wilting + available, wilting, p);
          expect(at(a)).toBeGreaterThan(wilting);
          expect(at(a)).toBeLessThan(wilting + available);
          expect(Math.sign(at(a) - at(b))).toBe(Math.sign(b - a));
        },
      ),
    );
  });
});
