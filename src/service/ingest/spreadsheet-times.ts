import { isCivilDate, isClockTime } from '../../domain/calendar.ts';
import type { DateOrder } from '../../domain/ingest/import-options.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/periods.ts';

/** "2026/7/1 6:00", "01.07.2026 06:00:00" or "7/1/26, 6:00 pm". */
const SPREADSHEET_TIME = new RegExp(
  [
    '^(?:',
    String.raw`(?<yearFirst>\d{4})(?<mark>[/.-])(?<monthSecond>\d{1,2})\k<mark>(?<dayThird>\d{1,2})`,
    '|',
    String.raw`(?<first>\d{1,2})(?<sign>[/.-])(?<second>\d{1,2})\k<sign>(?<yearLast>\d{4}|\d{2})`,
    ')',
    String.raw`(?: |T|, ?)\s*`,
    String.raw`(?<hour>\d{1,2})[:h](?<minute>\d{2})(?::(?<seconds>\d{2})(?:[.,]0+)?)?`,
    String.raw`(?:\s?(?<meridiem>[ap])\.?\s?m\.?)?$`,
  ].join(''),
  'i',
);

/**
 * The local time, read as if it were UTC. NaN for other text, and for a date whose day and month
 * could be swapped.
 */
export function parseSpreadsheetTime(text: string, dates: DateOrder | null): number {
  const parts = SPREADSHEET_TIME.exec(text)?.groups;
  return parts === undefined ? Number.NaN : dayMs(parts, dates) + clockMs(parts);
}

type TimeParts = Readonly<Record<string, string | undefined>>;

function dayMs(
  { yearFirst, monthSecond, dayThird, first, second, yearLast }: TimeParts,
  dates: DateOrder | null,
): number {
  if (yearFirst !== undefined)
    return midnightOf(Number(yearFirst), Number(monthSecond), Number(dayThird));
  if (dates === null) return Number.NaN;

  const year = Number(yearLast?.length === 2 ? `20${yearLast}` : yearLast);
  const [day, month] = dates === 'dmy' ? [first, second] : [second, first];
  return midnightOf(year, Number(month), Number(day));
}

const midnightOf = (year: number, month: number, day: number): number =>
  year >= 1000 && isCivilDate(year, month, day) ? Date.UTC(year, month - 1, day) : Number.NaN;

function clockMs({ hour, minute, seconds, meridiem }: TimeParts): number {
  const [clockHour, min, s] = [Number(hour), Number(minute), Number(seconds ?? 0)];
  if (meridiem !== undefined && (clockHour < 1 || clockHour > 12)) return Number.NaN;

  const isAfternoon = meridiem?.toLowerCase() === 'p';
  const h = meridiem === undefined ? clockHour : (clockHour % 12) + (isAfternoon ? 12 : 0);
  return isClockTime(h, min, s) ? h * HOUR_MS + min * MINUTE_MS + s * SECOND_MS : Number.NaN;
}

/** "01.07.2026" or "7/1/26", at the start of a time. */
export const NUMERIC_DATE = /^\s*(\d{1,2})([/.-])(\d{1,2})\2(?:\d{4}|\d{2})(?!\d|\2)/;
/** In "26-11-22", the first number may also be the year. */
const HYPHENATED_SHORT_DATE = /^\s*\d{1,2}-\d{1,2}-\d{2}(?!\d)/;
export const isHyphenatedShortDate = (text: string): boolean => HYPHENATED_SHORT_DATE.test(text);

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
    if (isHyphenatedShortDate(text)) continue;

    const [first, second] = [Number(match[1]), Number(match[3])];
    if (first > 12 && first <= 31 && second <= 12) return 'dmy';
    if (second > 12 && second <= 31 && first <= 12) return 'mdy';
  }

  return order;
}
