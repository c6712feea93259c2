import { ISO_DATE, padTwo } from '../../domain/calendar.ts';
import type { ParsedInstant } from '../../domain/iso-date-time.ts';
import { quote } from '../../domain/strings.ts';
import { argument } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import { clock as clockTime } from '../../domain/text/times.ts';
import { civilAt } from '../../domain/time-zone.ts';
import { parseDayOfYear } from '../../language/moisture/day-of-year.ts';
import { ambiguousHalf } from '../../language/words/clock.ts';
import { parseDate } from '../../language/words/date.ts';
import {
  isHourAlone,
  parseEndInstant,
  parseInstant,
  parseStart,
} from '../../language/words/instant.ts';
import { parsePastPeriod } from '../../language/words/past-period.ts';
import type { Advisory } from '../../schema/advisory.ts';
import { invalidInputError } from '../../schema/error.ts';
import { DATE_ALONE, type FieldMetadata, isInstantKind } from '../../schema/field.ts';
import type { OperationField } from '../operation-fields.ts';
import { unreadableArgument } from './argument-validation.ts';
import type { HourOfDate, ValuePlace } from './tool-reading.ts';

const INSTANT_HINT = say`Give date and hour in local time, such as "2026-07-01 06:00", "today 6:00" or "20 minutes ago"; ask for what was not given.`;

const START_HINT = say`Give a day, a month or a year in local time, such as "2026-07-01", "1 May" (the latest), "May 2024", "2024", "last Monday" or "always".`;

/**
 * "6:30" alone is on the day of the stored instant; as an end, it is the first 6:30 after the start.
 */
export function readInstant(text: string, place: ValuePlace): string {
  const { field, metadata, reading } = place;
  const { zone, now } = reading.context;
  const { kind, endOf, date } = metadata;
  const { values, stored } = reading;

  const startedAt = endOf === null ? null : instantOrNull(values[endOf] ?? stored?.[endOf]);
  const parsed =
    startedAt !== null
      ? parseEndInstant(text, zone, now, startedAt)
      : parseInstant(text, zone, now, {
          dayOf: instantOrNull(stored?.[field.name]) ?? undefined,
          dateAlone: DATE_ALONE[kind],
          yearless: date.tense ?? undefined,
        });
  if (!parsed.ok) throw unreadableArgument(text, parsed.failure, place, INSTANT_HINT);
  return isoInstant(text, parsed.value, place);
}

export function readStart(text: string, place: ValuePlace): string {
  const { zone, now } = place.reading.context;
  const parsed = parseStart(text, zone, now, place.metadata.date.tense ?? undefined);
  if (!parsed.ok) throw unreadableArgument(text, parsed.failure, place, START_HINT);
  return isoInstant(text, parsed.value, place);
}

function isoInstant(text: string, instant: ParsedInstant, { reading }: ValuePlace): string {
  const advisory = clockChange(text, instant, reading.context.zone);
  if (advisory !== null) reading.advisories.push(advisory);
  return new Date(instant.at).toISOString();
}

/** Null unless the clocks were changed at that local time. */
function clockChange(
  text: string,
  { at, resolution }: ParsedInstant,
  zone: string,
): Advisory | null {
  if (resolution !== 'gap' && resolution !== 'fold') return null;

  const local = civilAt(at, zone);
  const clock = `${padTwo(local.hour)}:${padTwo(local.minute)}`;
  const kind = resolution === 'gap' ? 'skipped_local_time' : 'repeated_local_time';
  return { kind, text: quote(text), clock };
}

function instantOrNull(text: unknown): number | null {
  const at = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

/**
 * True if only the stored resource tells the day of a time: "6:30" without the start of the period.
 */
export function needsStoredDay(
  value: unknown,
  { metadata: { kind, endOf } }: OperationField,
  values: Readonly<Record<string, unknown>>,
): boolean {
  if (typeof value !== 'string' || !isInstantKind(kind)) return false;
  return (endOf === null || values[endOf] === undefined) && isHourAlone(value);
}

/**
 * The instant of a point is in ms, but may be sent in words. What cannot be read is left to
 * validation.
 */
export function readPoint(value: unknown, { reading }: ValuePlace): unknown {
  if (!Array.isArray(value) || value.length !== 2 || typeof value[0] !== 'string') return value;
  const { zone, now } = reading.context;
  const parsed = parseInstant(value[0], zone, now, { dateAlone: 'start' });
  return parsed.ok ? [parsed.value.at, value[1]] : value;
}

/** A past day, instant or period, as canonical text. */
export function readPastPeriod(text: string, place: ValuePlace): string {
  const { zone, now } = place.reading.context;
  const parsed = parsePastPeriod(text, zone, now);
  if (parsed.ok) return parsed.value;
  throw unreadableArgument(text, parsed.failure, place);
}

/** Accepts words, too: "tomorrow", "end of March". */
export function readDate(text: string, place: ValuePlace): string {
  if (ISO_DATE.test(text.trim())) return text.trim();

  const { field, metadata, reading } = place;
  const { zone, now } = reading.context;
  const { clockField, ...options } = metadata.date;
  const parsed = parseDate(text, zone, now, options);
  if (!parsed.ok) throw unreadableArgument(text, parsed.failure, place);

  const { date, clock } = parsed.value;
  if (clock === null) return date.iso;
  if (clockField === null)
    throw unreadableArgument(text, say`it is a day: leave the hour out`, place);
  reading.hours.push({ dateField: field, clock, clockField });
  return date.iso;
}

/** The times of day, with the hour that was sent with a date: it must be one of them. */
export function timesWithHour(
  times: unknown,
  { dateField, clock, clockField }: HourOfDate,
): unknown {
  if (times === undefined) return [clock];
  if (!Array.isArray(times) || times.includes(clock)) return times;
  throw invalidInputError(
    dateField.errorCode,
    say`The day was given with ${clockTime(clock)}, which is not among the start times.`,
    {
      hint: say`Ask which hour is meant, give it in ${argument(clockField)} and the day alone in ${argument(dateField.argument)}.`,
      field: dateField.argument,
    },
  );
}

/** Accepts a day and a month in words ("15 November", "1er novembre"), or "never". */
export function readDayOfYear(text: string, place: ValuePlace): string {
  const parsed = parseDayOfYear(text);
  if (parsed.ok) return parsed.value;
  throw unreadableArgument(text, parsed.failure, place);
}

/** Without minutes it needs am or pm: "6" alone may be a count. */
const CLOCK = /^(\d{1,2})(?:[:h]([0-5]\d)(:[0-5]\d)?|(?=\s*[ap]))\s*([ap])?\.?m?\.?$/i;

/** Nobody knows of these hours without two figures which half of the day they are in. */
const isUnclearHour = (hour: string): boolean => /^[1-4]$/.test(hour);

/**
 * Adds or drops the seconds ":00", as the field has them or not, and the leading zero. What is no
 * time of day stays as it is and is refused as such.
 */
export function readClock(
  value: unknown,
  precision: NonNullable<FieldMetadata['clock']>,
  place: ValuePlace,
): unknown {
  if (Array.isArray(value)) return value.map((item) => readClock(item, precision, place));

  const match = typeof value === 'string' ? CLOCK.exec(value.trim()) : null;
  if (typeof value !== 'string' || match === null) return value;
  const [, hour = '', minutes = '00', seconds = ':00', half] = match;
  if (half === undefined && isUnclearHour(hour))
    throw unreadableArgument(value, ambiguousHalf(60 * Number(hour) + Number(minutes)), place);

  const isTwelveHours = half !== undefined;
  if (Number(hour) > (isTwelveHours ? 12 : 23) || (isTwelveHours && Number(hour) === 0))
    return value;
  const hour24 = isTwelveHours
    ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
    : Number(hour);
  const time = `${padTwo(hour24)}:${minutes}`;
  if (precision === 'seconds') return time + seconds;
  return seconds === ':00' ? time : value;
}
