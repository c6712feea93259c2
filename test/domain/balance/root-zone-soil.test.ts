import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BalanceLayer,
  layersWithoutGaps,
} from '../../../src/domain/balance/root-zone-soil.ts';
import { propertyRuns } from '../../property-runs.ts';

/** Each with a field capacity of its own, by which it is known again. */
const declaredLayers = fc
  .uniqueArray(fc.record({ topCm: fc.nat(90), thicknessCm: fc.integer({ min: 1, max: 60 }) }), {
    maxLength: 6,
    selector: ({ topCm }) => topCm,
  })
  .map((layers) =>
    layers.map(
      ({ topCm, thicknessCm }, index): BalanceLayer => ({
        topCm,
        bottomCm: topCm + thicknessCm,
        fieldCapacity: 0.3 + index / 100,
        wiltingPoint: 0.1,
      }),
    ),
  );

const holds = (property: (declared: BalanceLayer[]) => void): void =>
  fc.assert(fc.property(declaredLayers, property), { numRuns: propertyRuns(1000) });

describe('layersWithoutGaps', () => {
  it('covers the soil from the surface to the deepest border, each depth once', () => {
    holds((declared) => {
      const layers = layersWithoutGaps(declared);
      const borders = layers.flatMap(({ topCm, bottomCm }) => [topCm, bottomCm]);
      expect(layers.every(({ topCm, bottomCm }) => bottomCm > topCm)).toBe(true);
      expect(
        borders
          .slice(1, -1)
          .every((border, index) => index % 2 === 1 || border === borders[index + 2]),
      ).toBe(true);
      expect(borders[0] ?? 0).toBe(0);
      expect(borders.at(-1) ?? 0).toBe(Math.max(0, ...declared.map(({ bottomCm }) => bottomCm)));
    });
  });

  it('gives each depth the soil of a layer that covers it, if one does', () => {
    holds((declared) => {
      for (const { topCm, bottomCm, fieldCapacity } of layersWithoutGaps(declared)) {
        const covering = declared.filter(
          (layer) => layer.topCm <= topCm && layer.bottomCm >= bottomCm,
        );
        const [deepest] = covering.sort((a, b) => b.topCm - a.topCm);
        if (deepest !== undefined) expect(fieldCapacity).toBe(deepest.fieldCapacity);
      }
    });
  });

  it('does not depend on the order of the layers, and leaves what has no gaps', () => {
    holds((declared) => {
      const layers = layersWithoutGaps(declared);
      expect(layersWithoutGaps([...declared].reverse())).toEqual(layers);
      expect(layersWithoutGaps(layers)).toEqual(layers);
    });
  });
});
