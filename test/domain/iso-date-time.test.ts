import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseIsoInstant } from '../../src/domain/iso-date-time.ts';
import { ok } from '../../src/domain/result.ts';
import { programText } from '../../src/domain/text/program-text.ts';
import { resultText } from '../language/words/time-phrase-cases.ts';

const PARIS = 'Europe/Paris';

describe('an ISO 8601 date-time', () => {
  it.each([
    ['2026-07-01T06:00', '2026-07-01T04:00:00.000Z'],
    ['2026-07-01 06:00', '2026-07-01T04:00:00.000Z'],
    ['2026-07-01t06:00z', '2026-07-01T06:00:00.000Z'],
    ['2026-07-01T06:00:15', '2026-07-01T04:00:15.000Z'],
    ['2026-07-01T06:00:15.5', '2026-07-01T04:00:15.500Z'],
    ['2026-07-01T06:00:15,123456789Z', '2026-07-01T06:00:15.123Z'],
    ['2026-07-01T06:00Z', '2026-07-01T06:00:00.000Z'],
    ['2026-07-01T06:00+02:00', '2026-07-01T04:00:00.000Z'],
    ['2026-07-01T06:00+0200', '2026-07-01T04:00:00.000Z'],
    ['2026-07-01T06:00 -09:30', '2026-07-01T15:30:00.000Z'],
    ['2026-07-01T06:00+02', '2026-07-01T04:00:00.000Z'],
    ['2026-07-01T00:00+14:00', '2026-06-30T10:00:00.000Z'],
    [' 2026-07-01T06:00 ', '2026-07-01T04:00:00.000Z'],
    ['2024-02-29T06:00Z', '2024-02-29T06:00:00.000Z'],
    ['1970-01-01T00:00Z', '1970-01-01T00:00:00.000Z'],
    ['2200-12-31T23:59:59.999Z', '2200-12-31T23:59:59.999Z'],
    ['2025-03-30T02:30', '2025-03-30T01:30:00.000Z gap'],
    ['2025-10-26T02:30', '2025-10-26T00:30:00.000Z fold'],
    ['2025-10-26T02:30+01:00', '2025-10-26T01:30:00.000Z'],
  ])('reads %j as %s', (text, expected) => {
    expect(resultText(parseIsoInstant(text, PARIS))).toBe(expected);
  });

  it.each([
    ['2026-02-30T06:00', '30 February 2026 does not exist'],
    ['2025-02-29T06:00Z', '29 February 2025 does not exist'],
    ['2026-13-01T06:00', '2026-13-01 does not exist'],
    ['2026-00-10T06:00', '2026-00-10 does not exist'],
    ['2026-07-01T24:00', 'hour 24 does not exist (midnight is 00:00 of the next day)'],
    ['2026-07-01T25:00', '25:00 is not a time of day'],
    ['2026-07-01T06:60', '06:60 is not a time of day'],
    ['2026-07-01T06:00:60Z', '06:00:60 is not a time of day'],
    ['2026-07-01T06:00+15:00', '+15:00 is not an offset from UTC'],
    ['2026-07-01T06:00+02:60', '+02:60 is not an offset from UTC'],
    ['2026-07-01', 'no hour given'],
    ['1969-12-31T23:59:59Z', 'it lies outside the years 1970 to 2200'],
    ['1970-01-01T00:00', 'it lies outside the years 1970 to 2200'],
    ['2201-01-01T00:00Z', 'it lies outside the years 1970 to 2200'],
    ['0000-01-01T00:00Z', 'it lies outside the years 1970 to 2200'],
  ])('refuses %j: %s', (text, reason) => {
    const read = parseIsoInstant(text, PARIS);
    expect(!read.ok && programText(read.failure)).toBe(reason);
  });

  it.each([
    '26-07-01T06:00',
    '2026-W27-3T06:00',
    '2026-182T06:00',
    '20260701T0600',
    '2026-7-1T06:00',
    '2026-07-01T6:00',
    '2026-07-01T06',
    '2026-07-01T06:00Z+02:00',
    '2026-07-01Z',
    '+002026-07-01T06:00',
    '1782885600000',
    '２０２６-07-01T06:00',
    '',
  ])('refuses %j, which is outside the supported subset of ISO 8601', (text) => {
    expect(resultText(parseIsoInstant(text, PARIS))).toMatch(
      /^refused: it is not an ISO 8601 date-time/,
    );
  });

  it('round-trips toISOString()', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Date.UTC(2201, 0, 1) - 1 }), (at) => {
        expect(parseIsoInstant(new Date(at).toISOString(), PARIS)).toEqual(
          ok({ at, resolution: null }),
        );
      }),
    );
  });
});
