import { describe, expect, it } from 'vitest';
import {
  civilToUtcMs,
  isCivilDate,
  isClockTime,
  isIsoDate,
  monthsBefore,
  parseOffsetInstant,
} from '../../src/domain/calendar.ts';

describe('calendar', () => {
  it.each([
    [2024, 2, 29, true],
    [2025, 2, 29, false],
    [2000, 2, 29, true],
    [1900, 2, 29, false],
    [2025, 4, 31, false],
    [2025, 12, 31, true],
    [2025, 13, 1, false],
    [2025, 0, 1, false],
    [2025, 1, 0, false],
    [2025, 1, 1.5, false],
  ])('has %d-%d-%d: %s', (year, month, day, exists) => {
    expect(isCivilDate(year, month, day)).toBe(exists);
  });

  it.each([
    [0, 0, 0, true],
    [23, 59, 59, true],
    [24, 0, 0, false],
    [6, 60, 0, false],
    [6, 0, 60, false],
    [-1, 0, 0, false],
  ])('has a clock that shows %d:%d:%d: %s', (hour, minute, second, isShown) => {
    expect(isClockTime(hour, minute, second)).toBe(isShown);
  });

  it.each([
    [[2026, 5, 31], 15, [2025, 2, 28]],
    [[2026, 3, 31], 1, [2026, 2, 28]],
    [[2024, 3, 30], 1, [2024, 2, 29]],
    [[2026, 1, 15], 1, [2025, 12, 15]],
    [[2026, 12, 31], 24, [2024, 12, 31]],
  ] as const)('has a day %j that was %d months earlier %j', (from, months, expected) => {
    const [year, month, day] = from;
    const { year: y, month: m, day: d } = monthsBefore({ year, month, day }, months);
    expect([y, m, d]).toEqual(expected);
  });

  it('does not read a year below 100 as one of the 20th century', () => {
    const midnight = { hour: 0, minute: 0, second: 0, millisecond: 0 };
    expect(
      new Date(civilToUtcMs({ year: 25, month: 1, day: 1, ...midnight })).getUTCFullYear(),
    ).toBe(25);
  });
});

it.each([
  ['2026-07-01', true],
  ['2026-02-29', false],
  ['2026-7-1', false],
  ['2026-W27-3', false],
  ['2026-07-01T06:00', false],
])('accepts %s as an ISO date: %s', (text, isDate) => {
  expect(isIsoDate(text)).toBe(isDate);
});

describe('instant with an offset', () => {
  it.each([
    ['2026-07-01T06:00Z', Date.UTC(2026, 6, 1, 6)],
    ['2026-07-01T06:00:30.250+02:00', Date.UTC(2026, 6, 1, 4, 0, 30, 250)],
    ['2026-07-01T06:00-0330', Date.UTC(2026, 6, 1, 9, 30)],
  ])('is read from %s', (text, at) => {
    expect(parseOffsetInstant(text)).toBe(at);
  });

  it.each([
    '2026-02-30T00:00Z',
    '2026-13-01T00:00Z',
    '2026-07-01T24:00Z',
    '2026-07-01T06:60Z',
    '2026-07-01T06:00',
    '2026-07-01',
    '2026-07-01T06:00+15:00',
    'today 6:00',
    '',
  ])('is NaN for %j', (text) => {
    expect(parseOffsetInstant(text)).toBeNaN();
  });
});
