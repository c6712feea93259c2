import { describe, expect, it } from 'vitest';
import { implausibleFigure } from '../../../src/domain/irrigation/plausible-equipment.ts';
import { isTooLongToRun } from '../../../src/domain/irrigation/run-length.ts';

const drip = { system: 'drip', emitterFlowLph: 2 } as const;

describe('a figure that no equipment has', () => {
  it.each([
    // 2 L/h on 50 m x 2 m is 0.02 mm/h, on 0.5 m x 2 m 2 mm/h.
    [{ ...drip, emitterSpacingM: 50, lineSpacingM: 2 }, 'emitterSpacingM', 'cm', 2],
    [{ ...drip, emitterSpacingM: 0.5, lineSpacingM: 200 }, 'lineSpacingM', 'cm', 2],
    [{ ...drip, emitterFlowLph: 0.002, emittersPerM2: 2 }, 'emitterFlowLph', 'm3/h', 4],
    [{ ...drip, emitterFlowLph: 2000, emittersPerM2: 2 }, 'emitterFlowLph', 'mL/h', 4],
    [{ system: 'sprinkler', flowMmPerH: 120 }, 'flowMmPerH', 'mm/day', 5],
    [{ system: 'sprinkler', flowMmPerH: 0.05 }, 'flowMmPerH', 'in/h', 1.27],
  ] as const)('of %j is asked, with the unit that explains it', (sent, figure, unit, rate) => {
    expect(implausibleFigure(sent)).toMatchObject({
      figure,
      meant: { unit, rateMmPerH: expect.closeTo(rate, 6) },
    });
  });

  it('may be an area, or a spacing or flow alone', () => {
    expect(implausibleFigure({ irrigatedAreaM2: 1.5 })).toMatchObject({ meant: { unit: 'ha' } });
    expect(implausibleFigure({ lineSpacingM: 50 })).toMatchObject({ meant: { unit: 'cm' } });
    const flow = { emitterFlowLph: 0.002 };
    expect(implausibleFigure(flow)).toMatchObject({ meant: { unit: 'm3/h' } });
  });

  it.each([
    { ...drip, emitterSpacingM: 0.5, lineSpacingM: 2.8 },
    { system: 'pivot', flowMmPerH: 0.4, irrigatedAreaM2: 505_857 },
    { system: 'gravity', flowMmPerH: 200 },
    { system: 'manual' },
    {},
  ] as const)('is none of %j', (sent) => {
    expect(implausibleFigure(sent)).toBeNull();
  });
});

it('lets a pivot run for days', () => {
  expect(isTooLongToRun(143 * 60, [], 'drip')).toBe(true);
  expect(isTooLongToRun(143 * 60, [], 'pivot')).toBe(false);
  expect(isTooLongToRun(143 * 24 * 60, [], 'pivot')).toBe(true);
});
