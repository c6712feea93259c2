import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  MAX_DURATION_MIN,
  mismatchedAmount,
  missingAmount,
  resolveDuration,
} from '../../../src/domain/irrigation/watering-amount.ts';

const START = Date.UTC(2026, 6, 1, 4);
const minutesOn = (minutes: number): number => START + minutes * 60_000;

describe('amount of a mode', () => {
  it.each([
    ['duration', 'MISSING_DURATION', 'durationMin'],
    ['depth_mm', 'MISSING_DEPTH', 'inputDepthMm'],
    ['volume_m3', 'MISSING_VOLUME', 'inputVolumeM3'],
  ] as const)('of %s that is not given is %s', (inputMode, code, field) => {
    expect(missingAmount({ inputMode })).toEqual({ code, field });
  });

  it.each(['durationMin', 'inputDepthMm', 'inputVolumeM3'] as const)('counts an emptied %s as not given', (field) => {
    const inputMode = ({ durationMin: 'duration', inputDepthMm: 'depth_mm', inputVolumeM3: 'volume_m3' } as const)[
      field
    ];
    expect(missingAmount({ inputMode, [field]: null })).not.toBeNull();
  });

  it('is enough without the amounts of the other modes', () => {
    expect(missingAmount({ inputMode: 'volume_m3', inputVolumeM3: 5 })).toBeNull();
  });

  it.each([
    ['duration', { inputDepthMm: 5 }, 'INVALID_DEPTH'],
    ['duration', { inputVolumeM3: 5 }, 'INVALID_VOLUME'],
    ['depth_mm', { inputVolumeM3: 5 }, 'INVALID_VOLUME'],
    ['volume_m3', { inputDepthMm: 5 }, 'INVALID_DEPTH'],
  ] as const)('of another mode than %s is refused (%o: %s)', (inputMode, given, code) => {
    expect(mismatchedAmount({ inputMode, ...given })?.code).toBe(code);
  });

  it.each(['depth_mm', 'volume_m3'] as const)('goes with a duration in %s mode', (inputMode) => {
    expect(mismatchedAmount({ inputMode, durationMin: 45 })).toBeNull();
  });
});

describe('duration', () => {
  it('is the declared one', () => {
    expect(resolveDuration(START, 45, null)).toEqual({ durationMin: 45 });
  });

  it('is derived from the end', () => {
    expect(resolveDuration(START, null, minutesOn(45))).toEqual({ durationMin: 45 });
  });

  it('is unknown when neither was given', () => {
    expect(resolveDuration(START, undefined, undefined)).toEqual({ durationMin: null });
  });

  it('is rounded to whole minutes: 45 min 30 s are 46', () => {
    expect(resolveDuration(START, null, minutesOn(45.5))).toEqual({ durationMin: 46 });
  });

  it('is at least a minute: 5 s are 1', () => {
    expect(resolveDuration(START, null, START + 5000)).toEqual({ durationMin: 1 });
  });

  it('takes both where they agree', () => {
    expect(resolveDuration(START, 45, minutesOn(45))).toEqual({ durationMin: 45 });
  });

  it('refuses INVALID_ENDED_AT where both are given and disagree', () => {
    expect(resolveDuration(START, 44, minutesOn(45))).toEqual({ refused: 'INVALID_ENDED_AT' });
  });

  it.each([0, -1, -1440])('refuses ENDED_BEFORE_STARTED for an end %d min after the start', (minutes) => {
    expect(resolveDuration(START, null, minutesOn(minutes))).toEqual({ refused: 'ENDED_BEFORE_STARTED' });
  });

  it('takes an end 31 days after the start', () => {
    expect(resolveDuration(START, null, minutesOn(44_640))).toEqual({ durationMin: MAX_DURATION_MIN });
  });

  it('refuses INVALID_DURATION for an end later than that', () => {
    expect(resolveDuration(START, null, minutesOn(44_641))).toEqual({ refused: 'INVALID_DURATION' });
  });

  it('from any end within bounds is whole, at least 1, and within half a minute or a minute of it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 44_640 * 60_000 }), (ms) => {
        const span = resolveDuration(START, null, START + ms);
        if ('refused' in span) throw new Error(span.refused);
        expect(Number.isInteger(span.durationMin)).toBe(true);
        expect(Math.abs(span.durationMin! * 60_000 - ms)).toBeLessThan(ms < 30_000 ? 60_000 : 30_001);
      }),
    );
  });
});
