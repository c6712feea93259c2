import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isNeedlessAfterRain } from '../../../src/domain/advice/needless-watering.ts';
import { DAY, HOUR } from '../../time.ts';

const WET = { plannedMm: 8, aheadMs: 6 * HOUR, neededMm: 1, daysToStress: 6, effectiveRainMm: 9.6 };

describe('a planned watering after rain', () => {
  it('is needless if rain left a quarter of its dose to give at most, and no stress is near', () => {
    expect(isNeedlessAfterRain(WET)).toBe(true);
    expect(isNeedlessAfterRain({ ...WET, neededMm: 0, daysToStress: null })).toBe(true);
    expect(isNeedlessAfterRain({ ...WET, neededMm: 2 })).toBe(true);
    expect(isNeedlessAfterRain({ ...WET, neededMm: 2.1 })).toBe(false);
  });

  it('is not, if the rain gave less than a quarter of it, whatever made the soil wet', () => {
    expect(isNeedlessAfterRain({ ...WET, effectiveRainMm: 1.9 })).toBe(false);
  });

  it('is not, if stress comes before the day after it', () => {
    expect(isNeedlessAfterRain({ ...WET, daysToStress: 1.2 })).toBe(false);
    expect(isNeedlessAfterRain({ ...WET, aheadMs: 2 * DAY, daysToStress: 2.9 })).toBe(false);
  });

  it('stays needless with more rain and with less need', () => {
    const mm = fc.double({ min: 0, max: 40, noNaN: true });
    fc.assert(
      fc.property(mm, mm, mm, mm, (neededMm, effectiveRainMm, less, more) => {
        const watering = { ...WET, neededMm, effectiveRainMm };
        const wetter = { ...WET, neededMm: Math.max(0, neededMm - less), effectiveRainMm: effectiveRainMm + more };
        if (isNeedlessAfterRain(watering)) expect(isNeedlessAfterRain(wetter)).toBe(true);
      }),
    );
  });
});
