import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { usualError, usualErrorMm } from '../../../../src/domain/advice/balance/balance-error.ts';

const wide = { fractionWetted: 1, availableMm: 200 };

describe('the error of a balance that nothing measured', () => {
  it('is that of cotton fields after a week and more', () => {
    expect(usualErrorMm(7, wide)).toBe(12.5);
    expect([14, 21, 60].map((days) => usualErrorMm(days, wide))).toEqual([17, 17, 17]);
    expect(usualError(7, wide)).toEqual({ errorMm: 12.5, isErrorOwn: false });
  });

  it('never shrinks with the days, nor exceeds a fifth of what the zone can hold', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 120 }),
        fc.double({ min: 0.05, max: 1, noNaN: true }),
        fc.double({ min: 10, max: 300, noNaN: true }),
        (days, fractionWetted, availableMm) => {
          const zone = { fractionWetted, availableMm };
          const [mm, later] = [usualErrorMm(days, zone), usualErrorMm(days + 1, zone)];
          return mm > 0 && later >= mm && later <= 0.2 * availableMm + 1e-9;
        },
      ),
    );
  });
});
