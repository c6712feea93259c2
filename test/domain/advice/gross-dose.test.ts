import fc from 'fast-check';
import { expect, it } from 'vitest';
import { netShare, splitByDay } from '../../../src/domain/advice/gross-dose.ts';

// FAO-29, chapter 2.4: the water to apply is the net need over 1 - LR; an application efficiency divides it once more.
it.each([
  [100, 0, 100],
  [75, 0, 133.333],
  [100, 15, 117.647],
  [90, 10, 123.457],
])('for 100 mm net at Ea %d %% and LR %d %% gives %d mm', (efficiencyPercent, leachingPercent, grossMm) => {
  expect(100 / netShare({ efficiencyPercent, leachingPercent })).toBeCloseTo(grossMm, 3);
});

it('splits a duration into the fewest equal days that hold it', () => {
  expect(splitByDay(600, 5)).toEqual([300, 300]);
  expect(splitByDay(300.4, 5)).toEqual([300.4]);
  expect(splitByDay(0, 5)).toEqual([0]);
  const minutes = fc.double({ min: 0, max: 40_000, noNaN: true });
  fc.assert(
    fc.property(minutes, fc.double({ min: 0.25, max: 24, noNaN: true }), (durationMin, hoursPerDay) => {
      const days = splitByDay(durationMin, hoursPerDay);
      expect(days.reduce((sum, each) => sum + each, 0)).toBeCloseTo(durationMin, 6);
      expect(Math.max(...days)).toBeLessThanOrEqual(60 * hoursPerDay + 1);
      expect(new Set(days).size).toBe(1);
      if (days.length > 1) expect(durationMin / (days.length - 1)).toBeGreaterThan(60 * hoursPerDay);
    }),
  );
});
