import { describe, expect, it } from 'vitest';
import { type Reason, reasonWith } from '../../../src/domain/advice/reason.ts';
import { compareUrgency, wateringDecision } from '../../../src/domain/advice/watering-decision.ts';

const advice = {
  reasons: [] as Reason[],
  daysToStress: 0.5 as number | null,
  waterMm: 12 as number | null,
  daily: { days: 1, minutesPerDay: 90 },
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
    const planned = (plannedMm: number) => ({
      ...advice,
      daily: { days: 2, minutesPerDay: 90 },
      reasons: [reasonWith('PLANNED_TODAY', { plannedMm })],
    });
    expect(wateringDecision(planned(12))).toBe('enough');
    expect(wateringDecision(planned(6))).toBe('water');
  });

  it('is open where no day of stress can be forecast', () => {
    expect(wateringDecision({ ...advice, daysToStress: null })).toBe('unknown');
  });

  it('is not given where the amount is withheld or something is to be checked first', () => {
    for (const kind of ['FROZEN', 'SENSOR_STUCK', 'UNCONFIRMED_WATERING'] as const)
      expect(wateringDecision({ ...advice, reasons: [reasonWith(kind, {})] })).toBeNull();
    // Whether a planned watering ran does not matter while none is needed.
    const unconfirmed = { reasons: [reasonWith('UNCONFIRMED_WATERING', {})], daysToStress: 4 };
    expect(wateringDecision({ ...advice, ...unconfirmed })).toBe('wait');
  });
});

describe('the order of advices', () => {
  it('is from water now over what is in doubt to what can wait, what rests and what is silent', () => {
    const measured = { ...advice, at: Date.UTC(2026, 6, 1, 10) };
    const named = {
      now: { ...measured, daysToStress: 0 },
      inDoubt: { ...measured, reasons: [reasonWith('SENSOR_STUCK', {})] },
      soon: { ...measured, daysToStress: 3 },
      later: { ...measured, daysToStress: 9 },
      resting: { ...measured, reasons: [reasonWith('AT_REST', {})] },
      silent: { ...measured, at: null },
    };
    const order = [named.silent, named.resting, named.later, named.now, named.soon, named.inDoubt];
    expect(order.sort(compareUrgency)).toEqual(Object.values(named));
  });
});
