import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canCatchUp, netShare, splitByDay } from '../../../src/domain/advice/watering-advice.ts';

// FAO-29, chapter 2.4: the water to apply is the net need over 1 - LR; an application efficiency
// divides it once more.
it.each([
  [100, 0, 100],
  [75, 0, 133.333],
  [100, 15, 117.647],
  [90, 10, 123.457],
])(
  'for 100 mm net at Ea %d %% and LR %d %% gives %d mm',
  (efficiencyPercent, leachingPercent, grossMm) => {
    expect(100 / netShare({ efficiencyPercent, leachingPercent })).toBeCloseTo(grossMm, 3);
  },
);

it('splits a duration into the fewest equal days that hold it', () => {
  expect(splitByDay(600, 5)).toEqual({ days: 2, minutesPerDay: 300 });
  expect(splitByDay(300.4, 5)).toEqual({ days: 1, minutesPerDay: 300.4 });
  expect(splitByDay(0, 5)).toEqual({ days: 1, minutesPerDay: 0 });
  const minutes = fc.double({ min: 0, max: 40_000, noNaN: true });
  fc.assert(
    fc.property(
      minutes,
      fc.double({ min: 0.25, max: 24, noNaN: true }),
      (durationMin, hoursPerDay) => {
        const { days, minutesPerDay } = splitByDay(durationMin, hoursPerDay);
        expect(days * minutesPerDay).toBeCloseTo(durationMin, 6);
        expect(minutesPerDay).toBeLessThanOrEqual(60 * hoursPerDay + 1);
        if (days > 1) expect(durationMin / (days - 1)).toBeGreaterThan(60 * hoursPerDay);
      },
    ),
  );
});

it('waterings catch up with the drying soil within two weeks, if they give more a day than it loses', () => {
  const pace = { netMmPerDay: 3, dryingMmPerDay: 2.9 };
  expect([1, 2, 14, 15].map((days) => canCatchUp({ days }, pace))).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect([1, 2].map((days) => canCatchUp({ days }, { ...pace, dryingMmPerDay: 3 }))).toEqual([
    true,
    false,
  ]);
});
