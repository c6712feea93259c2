import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { moistureAt, tensionAt } from '../../../src/domain/soil/water-retention.ts';

const LOAM = { fieldCapacity: 0.28, wiltingPoint: 0.14 };
const SOIL = fc
  .record({
    wiltingPoint: fc.double({ min: 0.02, max: 0.25, noNaN: true }),
    held: fc.double({ min: 0.03, max: 0.25, noNaN: true }),
  })
  .map(({ wiltingPoint, held }) => ({ wiltingPoint, fieldCapacity: wiltingPoint + held }));

describe('the tension of soil', () => {
  it('is 33 kPa at field capacity and 1,500 at the wilting point, by definition', () => {
    fc.assert(
      fc.property(SOIL, (soil) => {
        expect(tensionAt(soil.fieldCapacity, soil)).toBeCloseTo(33, 6);
        expect(tensionAt(soil.wiltingPoint, soil)).toBeCloseTo(1500, 4);
      }),
    );
  });

  it('is 50 kPa in loam 2 points below field capacity', () => {
    // B is ln(1500 / 33) / ln(0.28 / 0.14) = 5.51, and 33 x (28 / 26)^5.51 = 49.6.
    expect(tensionAt(0.26, LOAM)).toBeCloseTo(49.6, 1);
  });

  it('belongs to one moisture', () => {
    fc.assert(
      fc.property(SOIL, fc.double({ min: 33, max: 1500, noNaN: true }), (soil, tension) => {
        const moisture = moistureAt(tension, soil)!;
        expect(tensionAt(moisture, soil)).toBeCloseTo(tension, 4);
        expect(moisture).toBeLessThanOrEqual(soil.fieldCapacity + 1e-9);
      }),
    );
  });

  it('is unknown where the points are crossed', () => {
    expect(tensionAt(0.2, { fieldCapacity: 0.14, wiltingPoint: 0.28 })).toBeNull();
    expect(moistureAt(50, { fieldCapacity: 0.1, wiltingPoint: 0 })).toBeNull();
  });
});
