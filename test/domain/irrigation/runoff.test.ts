import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cycleAndSoak } from '../../../src/domain/irrigation/runoff.ts';
import { propertyRuns } from '../../property-runs.ts';

const sprinkler = (flowMmPerH: number) =>
  ({ system: 'sprinkler', flowMmPerH, fractionWetted: 1 }) as const;

describe('cycle and soak', () => {
  it('divides 45 mm/h on clay, which takes in 5, into parts that its surface holds', () => {
    // 40 mm/h too much fill 5 mm of puddles in 7.5 min, which then take an hour to soak in.
    expect(cycleAndSoak(sprinkler(45), 'Clay', 90)).toEqual({
      rateMmPerH: 45,
      intakeMmPerH: 5,
      parts: 12,
      minutesPerPart: 7.5,
      pauseMin: 60,
    });
  });

  it.each([
    ['a rate that the soil takes in', sprinkler(18), 'Loam', 600],
    ['a watering that the surface holds', sprinkler(45), 'Clay', 7],
    ['sand', sprinkler(45), 'Sand', 600],
    ['drip', { ...sprinkler(45), system: 'drip' }, 'Clay', 600],
    ['an unknown rate', { ...sprinkler(45), flowMmPerH: null }, 'Clay', 600],
    ['an unknown soil', sprinkler(45), null, 600],
  ] as const)('is not needed with %s', (_, equipment, usdaClass, minutes) => {
    expect(cycleAndSoak(equipment, usdaClass, minutes)).toBeNull();
  });

  it('gives the same water in parts of which none leaves more than 5 mm on the surface', () => {
    const rate = fc.double({ min: 5.1, max: 100, noNaN: true });
    fc.assert(
      fc.property(rate, fc.double({ min: 1, max: 1440, noNaN: true }), (flow, minutes) => {
        const cycles = cycleAndSoak(sprinkler(flow), 'Clay', minutes);
        if (cycles === null) return;
        expect(cycles.parts * cycles.minutesPerPart).toBeCloseTo(minutes, 6);
        expect(((flow - 5) * cycles.minutesPerPart) / 60).toBeLessThanOrEqual(5 + 1e-9);
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});
