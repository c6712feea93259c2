import { describe, expect, it } from 'vitest';
import type { AdviceReason } from '../../../src/domain/advice/advice-reason.ts';
import { wateringDecision } from '../../../src/domain/advice/watering-decision.ts';

const advice = {
  reasons: [] as AdviceReason[],
  daysToStress: 0.5 as number | null,
  waterMm: 12 as number | null,
  daily: { days: 1 },
};

describe('whether to water now', () => {
  it('is yes where stress is at most a day away, also without an amount', () => {
    expect(wateringDecision({ ...advice, daysToStress: 1 })).toBe('water');
    expect(wateringDecision({ ...advice, daysToStress: 0, waterMm: null })).toBe('water');
  });

  it('is no for a probe in comfort, however much it lacks', () => {
    expect(wateringDecision({ ...advice, daysToStress: 4, waterMm: 36 })).toBe('wait');
  });

  it('is no where rain or what is planned for today suffices', () => {
    expect(wateringDecision({ ...advice, waterMm: 0 })).toBe('enough');
    // Of 24 mm on two days, the 12 mm of today are planned.
    const planned = { waterMm: 12, takenOffMm: 12, daily: { days: 2 } };
    expect(wateringDecision({ ...advice, ...planned })).toBe('enough');
    expect(wateringDecision({ ...advice, ...planned, takenOffMm: 6 })).toBe('water');
  });

  it('is open where no day of stress can be forecast', () => {
    expect(wateringDecision({ ...advice, daysToStress: null })).toBe('unknown');
  });

  it('is not given where the amount is withheld or something is to be checked first', () => {
    for (const reason of ['FROZEN', 'SENSOR_STUCK', 'UNCONFIRMED_WATERING'] as const)
      expect(wateringDecision({ ...advice, reasons: [reason] })).toBeNull();
    // Whether a planned watering ran does not matter while none is needed.
    const unconfirmed = { reasons: ['UNCONFIRMED_WATERING'] as const, daysToStress: 4 };
    expect(wateringDecision({ ...advice, ...unconfirmed })).toBe('wait');
  });
});
