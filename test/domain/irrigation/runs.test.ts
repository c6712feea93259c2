import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cycleAndSoak } from '../../../src/domain/irrigation/runoff.ts';
import { runningWithin, runsOf } from '../../../src/domain/irrigation/runs.ts';
import { propertyRuns } from '../../property-runs.ts';

const TWO_HOURS = { longestRunMin: 120, pauseMin: 30 };

describe('runs of at most two hours', () => {
  it('divide five hours into three', () => {
    expect(runsOf(300, TWO_HOURS)).toEqual({ parts: 3, minutesPerPart: 100, pauseMin: 30 });
    expect(runsOf(120, TWO_HOURS)).toBeNull();
    expect(runsOf(300)).toBeNull();
  });

  it('leave out the pauses of a day', () => {
    // 9 whole cycles of 150 min, and 90 min of the tenth.
    expect(runningWithin(1440, TWO_HOURS)).toBe(9 * 120 + 90);
    expect(runningWithin(145, TWO_HOURS)).toBe(120);
    expect(runningWithin(1440)).toBe(1440);
    expect(runningWithin(1440, { longestRunMin: 120, pauseMin: null })).toBe(1440);
  });

  it('fit with their pauses into the time that they are given', () => {
    const minutes = fc.integer({ min: 1, max: 1440 });
    fc.assert(
      fc.property(minutes, minutes, minutes, (time, longestRunMin, pauseMin) => {
        const limit = { longestRunMin, pauseMin };
        const water = runningWithin(time, limit);
        const { parts, minutesPerPart } = runsOf(water, limit) ?? {
          parts: 1,
          minutesPerPart: water,
        };
        expect(minutesPerPart).toBeLessThanOrEqual(longestRunMin);
        expect(parts * minutesPerPart + (parts - 1) * pauseMin).toBeLessThanOrEqual(time + 1e-9);
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});

it('runs as short as both the pump and the soil ask for, with the longer pause', () => {
  const sprinkler = { system: 'sprinkler', flowMmPerH: 45, fractionWetted: 1 } as const;
  // Clay holds 7.5 min of it.
  const runs = (longestRunMin: number, pauseMin: number) =>
    cycleAndSoak(sprinkler, 'Clay', 30, { longestRunMin, pauseMin });
  expect(runs(20, 90)).toMatchObject({ parts: 4, minutesPerPart: 7.5, pauseMin: 90 });
  expect(runs(5, 10)).toMatchObject({ parts: 6, minutesPerPart: 5, pauseMin: 40 });
});
