import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineOfCurve, moveLevel } from '../../../src/domain/alerts/calibrated-levels.ts';
import type { Line } from '../../../src/domain/moisture/calibration.ts';

const UNCALIBRATED: Line = { slope: 1, offset: 0 };
const offsetOf = (offset: number): Line => ({ slope: 1, offset });

/** A line and its threshold, or an alert, have at most two decimals. */
const levels = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100);
const curveLines = fc
  .array(
    fc.record({
      weight: fc.double({ min: 0.01, max: 1, noNaN: true }),
      line: fc.record({
        slope: fc.double({ min: 0.5, max: 2, noNaN: true }),
        offset: fc.double({ min: -15, max: 15, noNaN: true }),
      }),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map(lineOfCurve);

/** Calibrates by one line after another, the first one being in force at the beginning. */
function calibrateInTurn(level: number, [first, ...others]: readonly Line[]): number {
  let [at, stored, before] = [level, null as number | null, first!];
  for (const after of others) {
    const { to, uncalibrated } = moveLevel(at, stored, { before, after });
    [at, stored, before] = [to, uncalibrated, after];
  }
  return at;
}

describe('a level of the curve', () => {
  it('moves by the mean of the depths by weight', () => {
    const curve = (upper: number, lower: number) =>
      lineOfCurve([
        { weight: 0.75, line: offsetOf(upper) },
        { weight: 0.25, line: offsetOf(lower) },
      ]);
    // 0.75 x 4 - 0.25 x 2
    expect(moveLevel(20, null, { before: curve(0, 2), after: curve(4, 0) }).to).toBe(22.5);
    expect(lineOfCurve([{ weight: 0, line: offsetOf(4) }])).toEqual(UNCALIBRATED);
  });

  it('comes back to where it was, whatever the calibrations between', () => {
    fc.assert(
      fc.property(
        levels,
        fc.option(curveLines, { nil: UNCALIBRATED }),
        fc.array(curveLines, { minLength: 1, maxLength: 20 }),
        (level, first, others) => {
          expect(calibrateInTurn(level, [first, ...others, first])).toBe(level);
        },
      ),
    );
  });

  it('stays to its last decimal if the same calibration is written again', () => {
    const line = { slope: 1.2, offset: -1 };
    expect(moveLevel(14.1234, null, { before: line, after: line }).to).toBe(14.1234);
  });

  it('stays where a person put it after an earlier calibration', () => {
    const after = offsetOf(3);
    const { uncalibrated } = moveLevel(14, null, { before: UNCALIBRATED, after });
    expect(moveLevel(20, uncalibrated, { before: after, after: UNCALIBRATED }).to).toBe(17);
  });
});
