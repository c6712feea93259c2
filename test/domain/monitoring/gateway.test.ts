import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stateOfCharge } from '../../../src/domain/monitoring/gateway.ts';

it('gives the charge at the tabulated voltages', () => {
  expect([3300, 3600, 3700, 3800, 3950, 4200].map(stateOfCharge)).toEqual([0, 15, 40, 60, 80, 100]);
});

it('interpolates linearly between them, in whole percent', () => {
  expect(stateOfCharge(3650)).toBe(28); // 15 + 25 / 2 = 27.5
  expect(stateOfCharge(3920)).toBe(76); // 60 + 20 x 120 / 150
  expect(stateOfCharge(3310)).toBe(1); // 15 x 10 / 300 = 0.5
});

it('stays within 0 and 100, and never falls as the voltage rises', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 100_000 }),
      fc.integer({ min: 0, max: 500 }),
      (millivolts, more) => {
        const charge = stateOfCharge(millivolts)!;
        expect(Number.isInteger(charge)).toBe(true);
        expect(charge).toBeGreaterThanOrEqual(0);
        expect(charge).toBeLessThanOrEqual(100);
        expect(stateOfCharge(millivolts + more)).toBeGreaterThanOrEqual(charge);
      },
    ),
  );
});

it('is null without a voltage', () => {
  expect(stateOfCharge(null)).toBeNull();
});
