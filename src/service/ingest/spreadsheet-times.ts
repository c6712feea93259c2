import { isCivilDate, isClockTime } from '../../domain/calendar.ts';
import type { DateOrder } from '../../domain/ingest/import-options.ts';
import { itemAt } from '../../domain/items.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/periods.ts';

/** "2026/7/1 6:00", "01.07.2026 06:00:00" or "7/1/26, 6:00 pm". */
const SPREADSHEET_TIME =
  /^(?:(\d{4})([/.-])(\d{1,2})\2(\d{1,2})|(\d{1,2})([/.-])(\d{1,2})\6(\d{4}|\d{2}))(?: |T|, ?)\s*(\d{1,2})[:h](\d{2})(?::(\d{2})(?:[.,]0+)?)?(?:\s?([ap])\.?\s?m\.?)?$/i;

/**
 * The local time, read as if it were UTC. NaN for other text, and for a date whose day and month
 * could be swapped.
 */
export function parseSpreadsheetTime(text: string, dates: DateOrder | null): number {
  const match = SPREADSHEET_TIME.exec(text);
  return match === null ? Number.NaN : dayMs(match, dates) + clockMs(match);
}

function dayMs(match: RegExpExecArray, dates: DateOrder | null): number {
  const isYearFirst = match[1] !== undefined;
  if (!isYearFirst && dates === null) return Number.NaN;

  const [first, second] = [Number(match[5]), Number(match[7])];
  const [dayBeforeYear, monthBeforeYear] = dates === 'dmy' ? [first, second] : [second, first];
  const year = Number(match[1] ?? (itemAt(match, 8).length === 2 ? `20${match[8]}` : match[8]));
  const month = isYearFirst ? Number(match[3]) : monthBeforeYear;
  const day = isYearFirst ? Number(match[4]) : dayBeforeYear;

  const isDate = year >= 1000 && isCivilDate(year, month, day);
  return isDate ? Date.UTC(year, month - 1, day) : Number.NaN;
}

function clockMs(match: RegExpExecArray): number {
  const [clockHour, minute, second] = [Number(match[9]), Number(match[10]), Number(match[11] ?? 0)];
  const meridiem = match[12]?.toLowerCase();
  if (meridiem !== undefined && (clockHour < 1 || clockHour > 12)) return Number.NaN;

  const hour = meridiem === undefined ? clockHour : (clockHour % 12) + (meridiem === 'p' ? 12 : 0);
  const isClock = isClockTime(hour, minute, second);
  return isClock ? hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS : Number.NaN;
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
