import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fieldsOfInput,
  INPUT_MODES,
  inputOfFields,
  MAX_DURATION_MIN,
  mismatchedAmount,
  resolveDuration,
  resolveInput,
  type WateringInput,
} from '../../../src/domain/irrigation/watering-amount.ts';
import { failure, ok } from '../../../src/domain/result.ts';

const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 6, 1, 4);
const minutesLater = (minutes: number): number => START + minutes * MINUTE_MS;

describe('amount of a request', () => {
  it.each([
    ['duration', 'durationMin', 45, 45],
    ['depth_mm', 'inputDepthMm', 12.5, null],
    ['volume_m3', 'inputVolumeM3', 8, null],
  ] as const)('in mode %s is %s', (mode, field, value, durationMin) => {
    expect(resolveInput(mode, { [field]: value })).toEqual(
      ok({
        amount: { mode, value },
        durationMin,
      }),
    );
  });

  it.each([
    ['duration', 'MISSING_DURATION', 'durationMin'],
    ['depth_mm', 'MISSING_DEPTH', 'inputDepthMm'],
    ['volume_m3', 'MISSING_VOLUME', 'inputVolumeM3'],
  ] as const)('in mode %s is refused with %s when it is absent or null', (mode, missing, field) => {
    for (const sent of [{}, { [field]: null }])
      expect(resolveInput(mode, sent)).toMatchObject({ failure: { missing, field } });
  });

  it.each([
    ['duration', { inputDepthMm: 5 }, 'INVALID_DEPTH'],
    ['duration', { inputVolumeM3: 5 }, 'INVALID_VOLUME'],
    ['depth_mm', { inputVolumeM3: 5 }, 'INVALID_VOLUME'],
    ['volume_m3', { inputDepthMm: 5 }, 'INVALID_DEPTH'],
  ] as const)('in mode %s is refused with another mode’s amount (%o: %s)', (mode, sent, code) => {
    expect(mismatchedAmount(mode, sent)?.invalid).toBe(code);
  });

  it.each(['depth_mm', 'volume_m3'] as const)('in mode %s accepts a run time beside it', (mode) => {
    expect(mismatchedAmount(mode, { durationMin: 45 })).toBeNull();
  });

  it('becomes the same fields in the answer', () => {
    for (const mode of INPUT_MODES) {
      const input = { amount: { mode, value: 45 }, durationMin: 45 };
      const answer = fieldsOfInput(input);
      expect(inputOfFields(answer)).toEqual(input);
      expect(resolveInput(mode, answer)).toEqual(ok(input));
    }
  });
});

describe('changed amount', () => {
  const tenMm: WateringInput = { amount: { mode: 'depth_mm', value: 10 }, durationMin: 45 };

  it('keeps fields that were not sent', () => {
    expect(resolveInput('depth_mm', {}, tenMm)).toEqual(ok(tenMm));
    expect(resolveInput('depth_mm', { inputDepthMm: 12 }, tenMm)).toEqual(
      ok({
        amount: { mode: 'depth_mm', value: 12 },
        durationMin: 45,
      }),
    );
  });

  it('keeps the run time in another mode, as the amount of mode duration too', () => {
    expect(resolveInput('volume_m3', { inputVolumeM3: 3 }, tenMm)).toMatchObject(
      ok({
        durationMin: 45,
      }),
    );
    expect(resolveInput('duration', {}, tenMm)).toEqual(
      ok({
        amount: { mode: 'duration', value: 45 },
        durationMin: 45,
      }),
    );
  });

  it('drops the amount of the mode before', () => {
    expect(resolveInput('volume_m3', {}, tenMm)).toMatchObject({
      failure: { missing: 'MISSING_VOLUME' },
    });
  });

  it('clears fields that were sent as null', () => {
    expect(resolveInput('depth_mm', { durationMin: null }, tenMm)).toEqual(
      ok({
        ...tenMm,
        durationMin: null,
      }),
    );
    expect(resolveInput('depth_mm', { inputDepthMm: null }, tenMm)).toMatchObject({
      failure: { missing: 'MISSING_DEPTH' },
    });
  });
});

describe('duration', () => {
  it.each<[string, number | undefined, number | null | undefined, unknown]>([
    ['is as declared', 45, null, ok(45)],
    ['is derived from the end', undefined, minutesLater(45), ok(45)],
    ['is null when neither was sent', undefined, undefined, ok(null)],
    ['is rounded to whole minutes', undefined, minutesLater(45.5), ok(46)],
    ['is at least a minute', undefined, START + 5000, ok(1)],
    ['accepts an end that agrees with it', 45, minutesLater(45), ok(45)],
    ['refuses an end that disagrees with it', 44, minutesLater(45), failure('INVALID_ENDED_AT')],
    ['refuses an end at the start', undefined, START, failure('ENDED_BEFORE_STARTED')],
    [
      'refuses an end a minute before the start',
      undefined,
      minutesLater(-1),
      failure('ENDED_BEFORE_STARTED'),
    ],
    [
      'refuses an end a day before the start',
      undefined,
      minutesLater(-1440),
      failure('ENDED_BEFORE_STARTED'),
    ],
    ['accepts an end 31 days later', undefined, minutesLater(44_640), ok(MAX_DURATION_MIN)],
    [
      'refuses an end more than 31 days later',
      undefined,
      minutesLater(44_641),
      failure('INVALID_DURATION'),
    ],
  ])('%s', (_, durationMin, endedAt, expected) => {
    expect(resolveDuration(START, durationMin, endedAt)).toEqual(expected);
  });

  it('from any valid end is whole, at least 1, and within half a minute of it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 44_640 * MINUTE_MS }), (ms) => {
        const span = resolveDuration(START, null, START + ms);
        if (!span.ok) throw new Error(span.failure);
        expect(Number.isInteger(span.value)).toBe(true);
        expect(Math.abs(span.value! * MINUTE_MS - ms)).toBeLessThan(ms < 30_000 ? 60_000 : 30_001);
      }),
    );
  });
});
