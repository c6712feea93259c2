/** ISO 8601 date-times: with an offset of their own, or local to a zone. */
import { type CivilTime, epochDay, isCivilDate, isClockTime } from '../domain/calendar.ts';
import { type LocalTimeResolution, resolveCivil } from '../domain/time-zone.ts';

/** An instant that was read from text, in ms since 1970 UTC. */
export interface ParsedInstant {
  at: number;
  /** How the local time lay in its zone; null when no local time had to be resolved ("…Z", "20 minutes ago"). */
  resolution: LocalTimeResolution | null;
}

/** Why a text was not read: a part of a sentence, fit for an error message ("30 February 2026 does not exist"). */
export interface ParseFailure {
  refused: string;
}

export interface InstantParseOptions {
  /** `start` takes a date without an hour as 00:00 local, for bounds of a list; otherwise an hour is asked for. */
  dateAlone?: 'start';
}

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?: ?(Z|[+-]\d{2}(?::?\d{2})?))?)?$/i;
const EARLIEST_AT = 0;
const LATEST_AT = Date.UTC(2201, 0, 1);
const MAX_OFFSET_MIN = 14 * 60;

const MONTH_NAMES = 'January February March April May June July August September October November December'.split(' ');

/** Whether the text has the shape that `readIso` reads, whether or not such a date exists. */
export const looksLikeIso = (text: string): boolean => ISO.test(text.trim());

/** Reads YYYY-MM-DDTHH:MM, with seconds and a fraction, a space for T, Z or an offset; without one, local to `zone`. */
export function parseIsoInstant(
  text: string,
  zone: string,
  options: InstantParseOptions = {},
): ParsedInstant | ParseFailure {
  const match = ISO.exec(text.trim());
  if (match === null) return { refused: 'it is not an ISO 8601 date-time such as 2026-07-01T06:00' };
  const [, year, month, day, hour, minute, second = '0', fraction = '', offset] = match;
  const date = { year: Number(year), month: Number(month), day: Number(day) };
  if (!isCivilDate(date.year, date.month, date.day)) return { refused: `${describeDate(date)} does not exist` };
  if (hour === undefined || minute === undefined) {
    return options.dateAlone === 'start' ? parseLocalTime(startOfCivilDay(date), zone) : { refused: 'no hour given' };
  }
  if (hour === '24') return { refused: 'hour 24 does not exist (midnight is 00:00 of the next day)' };
  if (!isClockTime(Number(hour), Number(minute), Number(second))) {
    return { refused: `${hour}:${minute}${match[6] === undefined ? '' : `:${second}`} is not a time of day` };
  }
  const civil: CivilTime = {
    year: date.year,
    month: date.month,
    day: date.day,
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    millisecond: Number(fraction.padEnd(3, '0').slice(0, 3)),
  };
  if (offset === undefined) return parseLocalTime(civil, zone);
  const offsetMin = parseOffsetMinutes(offset);
  if (offsetMin === null) return { refused: `${offset} is not an offset from UTC` };
  return withinSupportedYears({ at: civilTimeAsUtcMs(civil) - offsetMin * 60_000, resolution: null });
}

const civilTimeAsUtcMs = (civil: CivilTime): number =>
  epochDay(civil) * 86_400_000 + ((civil.hour * 60 + civil.minute) * 60 + civil.second) * 1000 + civil.millisecond;

/** The instant of a local time, by the rule for gaps and folds, within the years that the books cover. */
export function parseLocalTime(civil: CivilTime, zone: string): ParsedInstant | ParseFailure {
  const { at, resolution } = resolveCivil(civil, zone);
  return withinSupportedYears({ at, resolution });
}

/** Midnight at the start of a day. */
export const startOfCivilDay = (date: { year: number; month: number; day: number }): CivilTime => ({
  year: date.year,
  month: date.month,
  day: date.day,
  hour: 0,
  minute: 0,
  second: 0,
  millisecond: 0,
});

export function withinSupportedYears(read: ParsedInstant): ParsedInstant | ParseFailure {
  if (read.at >= EARLIEST_AT && read.at < LATEST_AT) return read;
  return { refused: 'it lies outside the years 1970 to 2200' };
}

/** "30 February 2026"; a month that does not exist keeps its figure ("2026-13-01"). */
export function describeDate(date: { year: number; month: number; day: number }): string {
  const name = MONTH_NAMES[date.month - 1];
  if (name !== undefined) return `${date.day} ${name} ${date.year}`;
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.year}-${two(date.month)}-${two(date.day)}`;
}

/** Minutes east of UTC, or null where no clock on earth keeps such an offset. */
function parseOffsetMinutes(text: string): number | null {
  if (/^z$/i.test(text)) return 0;
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(3).replace(':', '') || 0);
  if (Number(text.slice(3).replace(':', '') || 0) > 59 || minutes > MAX_OFFSET_MIN) return null;
  return text.startsWith('-') ? -minutes : minutes;
}
