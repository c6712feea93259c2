import { isCivilDate, isClockTime } from '../../domain/calendar.ts';
import type { DateOrder } from '../../domain/ingest/import-options.ts';
import { parseIsoInstant } from '../../domain/iso-date-time.ts';
import { bucketStart, DAY_MS, MINUTE_MS, SECOND_MS } from '../../domain/periods.ts';
import { civilAt, constantOffsetMs, resolveCivil } from '../../domain/time-zone.ts';
import type { RejectionCode } from '../../schema/ingest/csv-import.ts';

/** The widest offset in use, as in parseIsoInstant. */
const MAX_OFFSET_MIN = 14 * 60;

/** The fields describe the last parsed text, so that no object is allocated for each row. */
export interface ReadingTimeParser {
  /** In ms, the first pass in a repeated hour; NaN if the text is refused. */
  parse(text: string): number;
  readonly isRepeated: boolean;
  readonly secondPassAt: number;
  readonly refusal: RejectionCode;
}

/**
 * Parses ISO 8601 times, those without an offset in `zone`, and the forms of spreadsheets. Common
 * shapes are read by position, a million in well under a second (bench/import.mjs); others by the
 * general parsers, which also explain a refusal. Instants before 1970 and more than a day after
 * `now` are refused. With `isDaily`, a day without a time of day is its noon.
 */
export function createReadingTimeParser(
  zone: string,
  now: number,
  dates: DateOrder | null = null,
  isDaily = false,
): ReadingTimeParser {
  const latest = now + DAY_MS;
  let lastText: string | null = null;
  let lastAt = Number.NaN;
  let lastMidnight = Number.NaN;
  let dayOffset: number | null = null;

  const refuse = (code: RejectionCode): number => {
    times.refusal = code;
    return Number.NaN;
  };

  const checkRange = (at: number): number => {
    if (at < 0) return refuse('time_before_1970');
    if (at > latest) return refuse('time_ahead');
    return at;
  };

  /** `localMs` is the local time read as UTC. */
  const resolveLocal = (localMs: number): number => {
    const midnight = bucketStart(localMs, DAY_MS);
    if (midnight !== lastMidnight) {
      lastMidnight = midnight;
      dayOffset = constantOffsetMs(midnight, zone);
    }

    if (dayOffset !== null) return checkRange(localMs - dayOffset);

    const { at, resolution, candidates } = resolveCivil(civilAt(localMs, 'UTC'), zone);
    if (resolution === 'gap') return refuse('skipped_hour');

    if (resolution === 'fold') {
      times.isRepeated = true;
      times.secondPassAt = candidates[1]!;
    }

    return checkRange(at);
  };

  /**
   * parseIsoInstant returns one instant. A local time may occur twice, so it is parsed as UTC and
   * resolved here.
   */
  const parseLeniently = (text: string): number => {
    if (text === '') return refuse('no_time');
    if (UNIX_TIME.test(text))
      return checkRange(Math.round(Number(text) * (/^\d{13}$/.test(text) ? 1 : SECOND_MS)));
    const local = text.length > MAX_TIME_LENGTH ? Number.NaN : parseSpreadsheetTime(text, dates);
    if (!Number.isNaN(local)) return resolveLocal(local);
    const asUtc = text.length > MAX_TIME_LENGTH ? null : parseIsoInstant(text, 'UTC');
    if (asUtc === null || 'error' in asUtc) return refuse('unreadable_time');
    if (asUtc.resolution === null) return checkRange(asUtc.at);
    return resolveLocal(asUtc.at);
  };

  const parseByPosition = (text: string): number => {
    const length = text.length;
    const year = parseDigits(text, 0, 4);
    const month = parseDigits(text, 5, 2);
    const day = parseDigits(text, 8, 2);
    const hour = parseDigits(text, 11, 2);
    const minute = parseDigits(text, 14, 2);
    const separator = text.charCodeAt(10);
    const isShaped =
      length >= 16 &&
      text.charCodeAt(4) === DASH &&
      text.charCodeAt(7) === DASH &&
      (separator === LETTER_T || separator === SPACE) &&
      text.charCodeAt(13) === COLON;
    if (!isShaped || !(hour < 24 && minute < 60) || !isCalendarDay(year, month, day))
      return parseLeniently(text.trim());

    let position = 16;
    let second = 0;
    let ms = 0;

    if (text.charCodeAt(position) === COLON) {
      second = parseDigits(text, position + 1, 2);
      if (!(second < 60)) return parseLeniently(text.trim());
      position += 3;
      if (text.charCodeAt(position) === POINT && position + 4 <= length) {
        ms = parseDigits(text, position + 1, 3);
        if (Number.isNaN(ms)) return parseLeniently(text.trim());
        position += 4;
      }
    }

    const utc = Date.UTC(year, month - 1, day, hour, minute, second, ms);
    if (position === length) return resolveLocal(utc);

    const sign = text.charCodeAt(position);
    if (sign === LETTER_Z && position + 1 === length) return checkRange(utc);
    if (
      (sign !== PLUS && sign !== DASH) ||
      position + 6 !== length ||
      text.charCodeAt(position + 3) !== COLON
    )
      return parseLeniently(text.trim());

    const offset = parseDigits(text, position + 1, 2) * 60 + parseDigits(text, position + 4, 2);
    if (!(offset <= MAX_OFFSET_MIN) || !(parseDigits(text, position + 4, 2) < 60))
      return parseLeniently(text.trim());

    return checkRange(utc - (sign === PLUS ? offset : -offset) * MINUTE_MS);
  };

  const times = {
    isRepeated: false,
    secondPassAt: Number.NaN,
    refusal: 'no_time' as RejectionCode,
    parse(text: string): number {
      if (text === lastText) return lastAt;
      times.isRepeated = false;
      lastText = text;
      lastAt = parseByPosition(isDaily && BARE_DAY.test(text) ? `${text.trim()} 12:00` : text);
      return lastAt;
    },
  };

  return times;
}

/** In characters. */
const MAX_TIME_LENGTH = 100;

/** Seconds since 1970 (from 2001 on), or ms. */
const UNIX_TIME = /^\d{10}(?:\.\d{1,6}|\d{3})?$/;

const SPREADSHEET_TIME =
  /^(?:(\d{4})([/.-])(\d{1,2})\2(\d{1,2})|(\d{1,2})([/.-])(\d{1,2})\6(\d{4}|\d{2}))(?: |T|, ?)\s*(\d{1,2})[:h](\d{2})(?::(\d{2})(?:[.,]0+)?)?(?:\s?([ap])\.?\s?m\.?)?$/i;

/**
 * The local time, read as if it were UTC. NaN for other text, and for a date whose day and month
 * could be swapped.
 */
function parseSpreadsheetTime(text: string, dates: DateOrder | null): number {
  const match = SPREADSHEET_TIME.exec(text);
  if (match === null) return Number.NaN;

  const [first, second] = [Number(match[5]), Number(match[7])];
  const isYearFirst = match[1] !== undefined;
  if (!isYearFirst && dates === null) return Number.NaN;

  const year = Number(match[1] ?? (match[8]!.length === 2 ? `20${match[8]}` : match[8]));
  const [dayBeforeYear, monthBeforeYear] = dates === 'dmy' ? [first, second] : [second, first];
  const month = isYearFirst ? Number(match[3]) : monthBeforeYear;
  const day = isYearFirst ? Number(match[4]) : dayBeforeYear;
  const [clockHour, minute, s] = [Number(match[9]), Number(match[10]), Number(match[11] ?? 0)];
  const meridiem = match[12]?.toLowerCase();
  if (meridiem !== undefined && (clockHour < 1 || clockHour > 12)) return Number.NaN;

  const hour = meridiem === undefined ? clockHour : (clockHour % 12) + (meridiem === 'p' ? 12 : 0);
  if (year < 1000 || !isCivilDate(year, month, day) || !isClockTime(hour, minute, s))
    return Number.NaN;

  return Date.UTC(year, month - 1, day, hour, minute, s);
}

export const NUMERIC_DATE = /^\s*(\d{1,2})([/.-])(\d{1,2})\2(?:\d{4}|\d{2})(?!\d|\2)/;
/** In "26-11-22", the first number may also be the year. */
const HYPHENATED_SHORT_DATE = /^\s*\d{1,2}-\d{1,2}-\d{2}(?!\d)/;

/** A day without a time of day. */
export const BARE_DAY =
  /^\s*(?:\d{4}([/.-])\d{1,2}\1\d{1,2}|\d{1,2}([/.-])\d{1,2}\2(?:\d{4}|\d{2}))\s*$/;
export const CLOCK_TIME = /\d[:h]\d{2}/i;

/** How the first times of a file write dates: null in ISO 8601, unknown if both orders fit. */
export function dateOrderOf(times: Iterable<string>): DateOrder | 'unknown' | null {
  let order: 'unknown' | null = null;
  for (const text of times) {
    if (order === null && /^\s*\d{4}\D/.test(text)) return null;
    const match = NUMERIC_DATE.exec(text);
    if (match === null) continue;
    order = 'unknown';
    if (HYPHENATED_SHORT_DATE.test(text)) continue;
    const [first, second] = [Number(match[1]), Number(match[3])];
    if (first > 12 && first <= 31 && second <= 12) return 'dmy';
    if (second > 12 && second <= 31 && first <= 12) return 'mdy';
  }

  return order;
}

const SPACE = 32;
const PLUS = 43;
const DASH = 45;
const POINT = 46;
const COLON = 58;
const LETTER_T = 84;
const LETTER_Z = 90;

function parseDigits(text: string, start: number, count: number): number {
  let number = 0;
  for (let index = start; index < start + count; index++) {
    const digit = text.charCodeAt(index) - 48;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

/** Years below 1000 are left to the general parser. */
const isCalendarDay = (year: number, month: number, day: number): boolean =>
  year >= 1000 &&
  month >= 1 &&
  month <= 12 &&
  day >= 1 &&
  (day <= 28 || isCivilDate(year, month, day));
