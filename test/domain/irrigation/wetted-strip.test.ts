import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fractionOfSpacing } from '../../../src/domain/irrigation/wetted-strip.ts';
import type { TextureGroup } from '../../../src/domain/soil/texture.ts';
import { propertyRuns } from '../../property-runs.ts';

const drip = (emitterSpacingM: number, lineSpacingM: number) =>
  ({ system: 'drip', emitterSpacingM, lineSpacingM }) as const;

describe('the wetted fraction of drip lines', () => {
  it.each<[texture: TextureGroup | null, fraction: number]>([
    ['sand', 0.1],
    ['loam', 0.18],
    ['clay', 0.25],
    [null, 0.18],
  ])('in %s, 6 m apart with emitters each 0.5 m, is %s', (texture, fraction) => {
    expect(fractionOfSpacing(drip(0.5, 6), texture)).toBe(fraction);
  });

  it('is unknown where emitters stand further apart than the strip is wide', () => {
    expect(fractionOfSpacing(drip(0.6, 6), 'sand')).toBeNull();
    expect(fractionOfSpacing(drip(0.6, 6), 'loam')).toBe(0.18);
  });

  it('is unknown without a spacing, and for other systems', () => {
    expect(fractionOfSpacing({ ...drip(0.5, 6), lineSpacingM: null }, 'loam')).toBeNull();
    expect(fractionOfSpacing({ ...drip(0.5, 6), system: 'micro_sprinkler' }, 'loam')).toBeNull();
  });

  it('never exceeds the whole area, and does not grow with the distance of lines', () => {
    const metres = fc.double({ min: 0.01, max: 500, noNaN: true });
    fc.assert(
      fc.property(
        metres,
        metres,
        fc.constantFrom<TextureGroup>('sand', 'loam', 'clay'),
        (a, b, texture) => {
          const [near, far] = [Math.min(a, b), Math.max(a, b)].map((line) =>
            fractionOfSpacing(drip(0.3, line), texture),
          );
          expect(near).toBeLessThanOrEqual(1);
          expect(far).toBeGreaterThan(0);
          expect(far).toBeLessThanOrEqual(near ?? 0);
        },
      ),
      { numRuns: propertyRuns(500) },
    );
  });
});
