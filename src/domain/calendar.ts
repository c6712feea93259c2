/** Days of the calendar and readings of a clock, in no zone: no zone data are needed for them. */

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A day of the calendar: month and day from 1. */
export interface CivilDate {
  year: number;
  month: number;
  day: number;
}

/** A reading of calendar and clock, in no zone yet. */
export interface CivilTime extends CivilDate {
  hour: number;
  minute: number;
  second: number;
  millisecond: number;
}

/** Whether the calendar has that day: 30 February does not exist. */
export function isCivilDate(year: number, month: number, day: number): boolean {
  if (!Number.isInteger(year) || !Number.isInteger(month) || !Number.isInteger(day)) return false;
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** Whether a clock shows that time: 00:00 to 23:59:59.999. */
export function isClockTime(hour: number, minute: number, second = 0, millisecond = 0): boolean {
  const within = (value: number, end: number): boolean => Number.isInteger(value) && value >= 0 && value < end;
  return within(hour, 24) && within(minute, 60) && within(second, 60) && within(millisecond, 1000);
}

/** Days from 1970-01-01 to a day of the calendar, negative before it. */
export function epochDay({ year, month, day }: CivilDate): number {
  return utcMidnightMs(year, month, day) / DAY_MS;
}

/** The day of the calendar that is `number` days after 1970-01-01. */
export function civilDateOfEpochDay(number: number): CivilDate {
  const { year, month, day } = civilFromUtcMs(number * DAY_MS);
  return { year, month, day };
}

/** The calendar day `days` later, or earlier when negative. */
export const addCivilDays = (date: CivilDate, days: number): CivilDate => civilDateOfEpochDay(epochDay(date) + days);

/** Calendar days from one day to another, whatever the length of the days between. */
export const daysBetween = (from: CivilDate, to: CivilDate): number => epochDay(to) - epochDay(from);

/** Day of the week, 1 = Monday to 7 = Sunday. */
export const weekdayOf = (date: CivilDate): number => weekdayOfUtcMs(utcMidnightMs(date.year, date.month, date.day));

/** Milliseconds of a civil time as if it were UTC. */
export const civilToUtcMs = (c: CivilTime): number =>
  utcMidnightMs(c.year, c.month, c.day) + c.hour * 3_600_000 + c.minute * MINUTE_MS + c.second * 1000 + c.millisecond;

/** Midnight UTC of a day in ms. Date.UTC alone would read years 0 to 99 as 1900 to 1999. */
export function utcMidnightMs(year: number, month: number, day: number): number {
  if (year >= 100) return Date.UTC(year, month - 1, day);
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

/** What `wallOf` was made of. */
export function civilFromUtcMs(ms: number): CivilTime {
  const date = new Date(ms);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    millisecond: date.getUTCMilliseconds(),
  };
}

/** Day of the week of a civil time as if it were UTC, 1 = Monday to 7 = Sunday. */
export const weekdayOfUtcMs = (ms: number): number => new Date(ms).getUTCDay() || 7;

const daysInMonth = (year: number, month: number): number => new Date(utcMidnightMs(year, month + 1, 0)).getUTCDate();

const ISO_INSTANT = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:Z|[+-](?:0\d|1[0-4]):?[0-5]\d)$/;

/** An instant in ISO 8601 with an offset, in ms since 1970 UTC; NaN for anything else, also for a day that does not exist. */
export function parseOffsetInstant(text: string): number {
  const parts = ISO_INSTANT.exec(text)
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  if (!parts) return Number.NaN;
  const [year, month, day, hour, minute, second] = parts as [number, number, number, number, number, number];
  return isCivilDate(year, month, day) && isClockTime(hour, minute, second) ? Date.parse(text) : Number.NaN;
}

export const padTwo = (value: number): string => String(value).padStart(2, '0');

export const formatIsoDate = ({ year, month, day }: CivilDate): string =>
  `${String(year).padStart(4, '0')}-${padTwo(month)}-${padTwo(day)}`;

export function parseIsoDate(text: string): CivilDate {
  const [year, month, day] = text.split('-').map(Number);
  return { year: year!, month: month!, day: day! };
}
