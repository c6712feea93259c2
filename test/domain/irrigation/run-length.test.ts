import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTooLongToRun } from '../../../src/domain/irrigation/run-length.ts';

const ran = (durationMin: number | null, inputMode: 'duration' | 'volume_m3' = 'duration') => ({
  durationMin,
  inputMode,
});
const DAY_MIN = 24 * 60;

describe('how long a watering can run', () => {
  it('is a day, or three times the longest run that was logged', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1 }),
        fc.integer({ min: 1, max: 20_000 }),
        (runs, durationMin) => {
          const limit = Math.max(DAY_MIN, 3 * Math.max(...runs));
          expect(
            isTooLongToRun(
              durationMin,
              runs.map((run) => ran(run)),
            ),
          ).toBe(durationMin > limit);
        },
      ),
    );
  });

  it('is two days where none was logged, or only by an amount', () => {
    for (const done of [[], [ran(null)], [ran(3000, 'volume_m3')]]) {
      expect(isTooLongToRun(2 * DAY_MIN, done)).toBe(false);
      expect(isTooLongToRun(2 * DAY_MIN + 1, done)).toBe(true);
    }
    expect(isTooLongToRun(null, [])).toBe(false);
  });
});
