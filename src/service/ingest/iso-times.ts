import { isCivilDate } from '../../domain/calendar.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/periods.ts';

/**
 * These functions read the common shapes of ISO 8601 by position, a million in well under a second
 * (bench/import.mjs). NaN means another shape, which the general parser reads.
 */

/** The widest offset in use, as in parseIsoInstant. */
const MAX_OFFSET_MIN = 14 * 60;

const SPACE = 32;
const PLUS = 43;
const DASH = 45;
const POINT = 46;
const DIGIT_0 = 48;
const COLON = 58;
const LETTER_T = 84;
const LETTER_Z = 90;

/** The midnight of "2026-07-01…", as if it were UTC. Years below 1000 are another shape. */
export function isoDayMs(text: string): number {
  const year = parseDigits(text, 0, 4);
  const month = parseDigits(text, 5, 2);
  const day = parseDigits(text, 8, 2);
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return Number.NaN;
  return isCalendarDay(year, month, day) ? Date.UTC(year, month - 1, day) : Number.NaN;
}

const isCalendarDay = (year: number, month: number, day: number): boolean =>
  year >= 1000 &&
  month >= 1 &&
  month <= 12 &&
  day >= 1 &&
  (day <= 28 || isCivilDate(year, month, day));

/** Where the time of day ends: after the minutes, the seconds or the milliseconds. */
export function isoClockEnd(text: string): 16 | 19 | 23 {
  if (text.charCodeAt(16) !== COLON) return 16;
  return text.charCodeAt(19) === POINT && text.length >= 23 ? 23 : 19;
}

/** The time of day in "…T06:00", "…T06:00:00" or "…T06:00:00.000", with a space or a T. */
export function isoClockMs(text: string, end: 16 | 19 | 23): number {
  const separator = text.charCodeAt(10);
  if ((separator !== LETTER_T && separator !== SPACE) || text.charCodeAt(13) !== COLON)
    return Number.NaN;

  const hour = parseDigits(text, 11, 2);
  const minute = parseDigits(text, 14, 2);
  const second = end > 16 ? parseDigits(text, 17, 2) : 0;
  const ms = end > 19 ? parseDigits(text, 20, 3) : 0;
  const isClock = hour < 24 && minute < 60 && second < 60;

  return isClock ? hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS + ms : Number.NaN;
}

/** The offset in "…Z" or "…+02:00". */
export function isoOffsetMs(text: string, start: number): number {
  const sign = text.charCodeAt(start);
  if (sign === LETTER_Z && start + 1 === text.length) return 0;
  const isOffset =
    (sign === PLUS || sign === DASH) &&
    start + 6 === text.length &&
    text.charCodeAt(start + 3) === COLON;
  if (!isOffset) return Number.NaN;

  const minutes = parseDigits(text, start + 4, 2);
  const offset = parseDigits(text, start + 1, 2) * 60 + minutes;
  if (!(offset <= MAX_OFFSET_MIN && minutes < 60)) return Number.NaN;

  return (sign === PLUS ? offset : -offset) * MINUTE_MS;
}

function parseDigits(text: string, start: number, count: number): number {
  let number = 0;
  for (let index = start; index < start + count; index++) {
    const digit = text.charCodeAt(index) - DIGIT_0;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}
