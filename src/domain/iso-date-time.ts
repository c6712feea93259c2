import { type CivilTime, civilToUtcMs, isCivilDate, isClockTime } from './calendar.ts';
import { LocalDay } from './local-day.ts';
import { MINUTE_MS } from './periods.ts';
import { failure, ok, type Parsed } from './result.ts';
import { say, verbatim } from './text/say.ts';
import { type LocalTimeResolution, resolveCivil } from './time-zone.ts';

export interface ParsedInstant {
  at: number;
  /** Null without a local time ("…Z", "20 minutes ago"). */
  resolution: LocalTimeResolution | null;
}

/**
 * A date without a year: `past` is the latest one. Otherwise it must be near, unless `coming` lets it
 * be the next one.
 */
export type YearlessDate = 'past' | 'coming' | undefined;

export interface InstantParseOptions {
  /**
   * A date without an hour, for the bounds of a list: `start` reads it as 00:00 local, `end` as that
   * of the next day. Otherwise an hour is required.
   */
  dateAlone?: 'start' | 'end' | undefined;
  /** An hour without a day is on the local day of this instant (ms). */
  dayOf?: number | undefined;
  /** Of `coming`, a weekday is the next one too. */
  yearless?: YearlessDate;
}

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?: ?(Z|[+-]\d{2}(?::?\d{2})?))?)?$/i;
const SUPPORTED_UNTIL_AT = Date.UTC(2201, 0, 1);
const MAX_OFFSET_MIN = 14 * 60;
export const NO_HOUR = say`no hour given`;

export const looksLikeIso = (text: string): boolean => ISO.test(text.trim());

/** YYYY-MM-DDTHH:MM, with optional seconds, fraction and offset; a space is accepted for T. */
export function parseIsoInstant(
  text: string,
  zone: string,
  options: InstantParseOptions = {},
): Parsed<ParsedInstant> {
  const match = ISO.exec(text.trim());
  if (match === null) return failure(say`it is not an ISO 8601 date-time such as 2026-07-01T06:00`);

  const [, year, month, day, hour, minute, seconds, fraction = '', offset] = match;
  const second = seconds ?? '0';
  const date = { year: Number(year), month: Number(month), day: Number(day) };
  if (!isCivilDate(date.year, date.month, date.day))
    return failure(say`${verbatim(describeDate(date))} does not exist`);
  if (hour === undefined || minute === undefined)
    return parseDateAlone(LocalDay.of(date), zone, options);
  if (hour === '24')
    return failure(say`hour 24 does not exist (midnight is 00:00 of the next day)`);
  if (!isClockTime(Number(hour), Number(minute), Number(second))) {
    const time = [hour, minute, seconds].filter((part) => part !== undefined).join(':');
    return failure(say`${verbatim(time)} is not a time of day`);
  }

  const civil: CivilTime = {
    ...date,
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    millisecond: Number(fraction.padEnd(3, '0').slice(0, 3)),
  };
  if (offset === undefined) return withinSupportedYears(resolveCivil(civil, zone));

  const offsetMin = parseOffsetMinutes(offset);
  if (offsetMin === null) return failure(say`${verbatim(offset)} is not an offset from UTC`);

  return withinSupportedYears({
    at: civilToUtcMs(civil) - offsetMin * MINUTE_MS,
    resolution: null,
  });
}

export function parseDateAlone(
  day: LocalDay,
  zone: string,
  { dateAlone }: Pick<InstantParseOptions, 'dateAlone'>,
): Parsed<ParsedInstant> {
  if (dateAlone === undefined) return failure(NO_HOUR);
  const at = (dateAlone === 'start' ? day : day.next()).startIn(zone);
  // No resolution: nobody named the midnight that a change of clocks skips or repeats.
  return withinSupportedYears({ at, resolution: null });
}

/**
 * The instant from which the first equipment applies. Source: spec, "effectiveFrom absent means
 * now, except for the very first setup".
 */
export const BEGINNING = LocalDay.parse('1970-01-01');

const ISO_BEGINNING =
  /^1970-01-01(?:[T ]00:00(?::00(?:[.,]0+)?)?(?: ?(?:Z|[+-]\d{2}(?::?\d{2})?))?)?$/i;

/**
 * A date means the start of its day. Midnight of 1 January 1970 means the beginning, whatever the
 * zone.
 */
export function parseIsoStart(wholeText: string, zone: string): Parsed<ParsedInstant> {
  const text = wholeText.trim();
  const isBeginning = ISO_BEGINNING.test(text) || Date.parse(text) === BEGINNING.startIn(zone);
  return isBeginning
    ? ok({ at: 0, resolution: null })
    : parseIsoInstant(text, zone, { dateAlone: 'start' });
}

export function withinSupportedYears({ at, resolution }: ParsedInstant): Parsed<ParsedInstant> {
  if (at >= 0 && at < SUPPORTED_UNTIL_AT) return ok({ at, resolution });
  return failure(say`it lies outside the years 1970 to 2200`);
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** "30 February 2026", "30 February"; a month that does not exist stays a number ("2026-13-01"). */
export function describeDate({
  year,
  month,
  day,
}: {
  year: number | null;
  month: number;
  day: number;
}): string {
  const name = MONTHS[month - 1];
  if (name !== undefined) return `${day} ${name}${year === null ? '' : ` ${year}`}`;
  return [year, month, day].map((value) => String(value).padStart(2, '0')).join('-');
}

function parseOffsetMinutes(text: string): number | null {
  if (/^z$/i.test(text)) return 0;
  const minutesPastHour = Number(text.slice(3).replace(':', '') || 0);
  const minutes = Number(text.slice(1, 3)) * 60 + minutesPastHour;
  if (minutesPastHour > 59 || minutes > MAX_OFFSET_MIN) return null;
  return text.startsWith('-') ? -minutes : minutes;
}
