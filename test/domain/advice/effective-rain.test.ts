import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectiveRainMm, waterToRefill } from '../../../src/domain/advice/watering-advice.ts';

const amount = fc.double({ min: 0, max: 300, noNaN: true });
const setup = { flowMmPerH: 1.25, fractionWetted: 0.35, irrigatedAreaM2: 5000 };

describe('expected rain', () => {
  it('counts by eight tenths, and no more than the soil can take', () => {
    expect(effectiveRainMm(10, 27.4)).toBeCloseTo(8, 9);
    expect(effectiveRainMm(50, 27.4)).toBe(27.4);
    expect(effectiveRainMm(10, 0)).toBe(0);
  });

  it('saves the wetted fraction of itself where only a part of the area is irrigated', () => {
    // (27.4 - 8) x 0.35 = 6.79 mm; / 1.25 x 60 = 325.92 min; x 5,000 / 1,000 = 33.95 m3.
    const water = waterToRefill(27.4, { refillPercent: 100, rainMm: effectiveRainMm(10, 27.4) }, setup);
    expect(water.waterMm).toBeCloseTo(6.79, 9);
    expect(water.durationMin).toBeCloseTo(325.92, 9);
    expect(water.volumeM3).toBeCloseTo(33.95, 9);
  });

  it('falls into the part that a partial refill leaves: more rain never means more water, nor less than none', () => {
    fc.assert(
      fc.property(amount, amount, amount, fc.integer({ min: 1, max: 100 }), (deficit, rain, more, refillPercent) => {
        const give = (expected: number): number =>
          waterToRefill(deficit, { refillPercent, rainMm: effectiveRainMm(expected, deficit) }, setup).waterMm!;
        expect(give(rain + more)).toBeLessThanOrEqual(give(rain));
        expect(give(rain)).toBeGreaterThanOrEqual(0);
        expect(give(0)).toBe(waterToRefill(deficit, { refillPercent }, setup).waterMm);
      }),
    );
  });
});
