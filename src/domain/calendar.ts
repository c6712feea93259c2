// Calendar days and clock times without a time zone.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './periods.ts';

export interface CivilDate {
  year: number;
  month: number;
  day: number;
}

export interface CivilTime extends CivilDate {
  hour: number;
  minute: number;
  second: number;
  millisecond: number;
}

/** Midnight UTC. Date.UTC alone would read years 0 to 99 as 1900 to 1999. */
const midnightUtcMs = ({ year, month, day }: CivilDate): number =>
  year >= 100 ? Date.UTC(year, month - 1, day) : new Date(0).setUTCFullYear(year, month - 1, day);

export function civilDateOfUtcMs(ms: number): CivilDate {
  const date = new Date(ms);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

export const civilToUtcMs = (civil: CivilTime): number =>
  midnightUtcMs(civil) +
  civil.hour * HOUR_MS +
  civil.minute * MINUTE_MS +
  civil.second * SECOND_MS +
  civil.millisecond;

export function isCivilDate(year: number, month: number, day: number): boolean {
  const date = civilDateOfUtcMs(midnightUtcMs({ year, month, day }));
  return date.year === year && date.month === month && date.day === day;
}

/** False for 24:00 and leap seconds. */
export function isClockTime(hour: number, minute: number, second = 0, millisecond = 0): boolean {
  const within = (value: number, end: number): boolean =>
    Number.isInteger(value) && value >= 0 && value < end;
  return within(hour, 24) && within(minute, 60) && within(second, 60) && within(millisecond, 1000);
}

/** On the same day of the month, or its last one where the month has no such day. */
export function monthsBefore({ year, month, day }: CivilDate, months: number): CivilDate {
  // Day 0 is the last one of the month before; a month below 1 is one of an earlier year.
  const last = civilDateOfUtcMs(midnightUtcMs({ year, month: month - months + 1, day: 0 }));
  return { ...last, day: Math.min(day, last.day) };
}

export const epochDay = (date: CivilDate): number => midnightUtcMs(date) / DAY_MS;

export const padTwo = (value: number): string => String(value).padStart(2, '0');

export const formatIsoDate = (date: CivilDate): string =>
  new Date(midnightUtcMs(date)).toISOString().slice(0, 10);

export function parseIsoDate(text: string): CivilDate {
  const [year = Number.NaN, month = Number.NaN, day = Number.NaN] = text.split('-').map(Number);
  return { year, month, day };
}

/** The shape of a date, which may not exist. */
export const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;

export function isIsoDate(text: string): boolean {
  const { year, month, day } = parseIsoDate(text);
  return ISO_DATE.test(text) && isCivilDate(year, month, day);
}

const OFFSET_INSTANT =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:0\d|1[0-4]):?[0-5]\d)$/;

/** Parses ISO 8601 with an offset. NaN for anything else, and for a day that does not exist. */
export function parseOffsetInstant(text: string): number {
  const date = OFFSET_INSTANT.exec(text)?.[1];
  return date !== undefined && isIsoDate(date) ? Date.parse(text) : Number.NaN;
}
