import { z } from 'zod/v3';
import { ISO_DATE, padTwo } from '../../domain/calendar.ts';
import { formatPlainDecimal, roundRate } from '../../domain/decimal.ts';
import type { ParsedInstant } from '../../domain/iso-date-time.ts';
import { firstOf } from '../../domain/items.ts';
import { isRecord } from '../../domain/records.ts';
import { quote } from '../../domain/strings.ts';
import { argument } from '../../domain/text/program-names.ts';
import { commaSeparated, quotedName, say, verbatim } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { clock as clockTime } from '../../domain/text/times.ts';
import { civilAt } from '../../domain/time-zone.ts';
import { type EnteredUnit, hasUsGallons, UNIT_QUANTITIES } from '../../domain/units.ts';
import { parseDayOfYear } from '../../language/moisture/day-of-year.ts';
import { parseAmount } from '../../language/words/amounts/amount.ts';
import { ambiguousHalf } from '../../language/words/clock.ts';
import { parseDate } from '../../language/words/date.ts';
import { findTextures } from '../../language/words/farming-terms.ts';
import { parseEndInstant, parseInstant, parseStart } from '../../language/words/instant.ts';
import { parsePastPeriod } from '../../language/words/past-period.ts';
import type { Advisory } from '../../schema/advisory.ts';
import { type AcequiaError, invalidInputError } from '../../schema/error.ts';
import { DATE_ALONE, fieldMetadata, innerSchema } from '../../schema/field.ts';
import type { AnyOperation, ArgumentContext } from '../operation.ts';
import {
  defaultErrorCode,
  knownToolField,
  toolArgumentName,
  toolFields,
} from '../operation-fields.ts';

const INSTANT_HINT = say`Give date and hour in local time, such as "2026-07-01 06:00", "today 6:00" or "20 minutes ago"; ask for what was not given.`;

const START_HINT = say`Give a day, a month or a year in local time, such as "2026-07-01", "1 May" (the latest), "May 2024", "2024", "last Monday" or "always".`;

/** Instants are in ms. */
interface InstantContext {
  readonly zone: string;
  readonly now: number;
  /** The start of the period that the instant ends; null if it ends none. */
  readonly startedAt: number | null;
  /** An instant on the day that a time of day alone belongs to; null if nothing tells that day. */
  readonly dayOf: number | null;
}

interface ReadInstant {
  /** In ISO 8601. */
  readonly instant: string;
  /** Set if the clocks were changed at that local time. */
  readonly advisory: Advisory | null;
}

export function readToolInstant(
  operation: AnyOperation,
  name: string,
  text: string,
  { zone, now, startedAt, dayOf }: InstantContext,
): ReadInstant {
  const { kind } = fieldMetadata(knownToolField(operation, name));

  const parse = () => {
    if (kind === 'effectiveStart') return parseStart(text, zone, now);
    if (startedAt !== null) return parseEndInstant(text, zone, now, startedAt);
    return parseInstant(text, zone, now, {
      dayOf: dayOf ?? undefined,
      dateAlone: DATE_ALONE[kind],
    });
  };

  const parsed = parse();
  if (!parsed.ok) {
    const hint = kind === 'effectiveStart' ? START_HINT : INSTANT_HINT;
    throw unreadableArgument(operation, name, text, parsed.failure, { hint });
  }

  const { value } = parsed;
  return { instant: new Date(value.at).toISOString(), advisory: clockChange(text, value, zone) };
}

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

/**
 * The instant of a point is in ms, but may be given in words. What cannot be read is left to
 * validation.
 */
export function readToolPoint(
  value: unknown,
  { zone, now }: { zone: string; now: number },
): unknown {
  if (!Array.isArray(value) || value.length !== 2 || typeof value[0] !== 'string') return value;
  const parsed = parseInstant(value[0], zone, now, { dateAlone: 'start' });
  return parsed.ok ? [parsed.value.at, value[1]] : value;
}

/** Converts words or ISO 8601 for a past day, instant or period to canonical text. */
export function readPastPeriod(
  operation: AnyOperation,
  name: string,
  text: string,
  { zone, now }: { zone: string; now: number },
): string {
  const parsed = parsePastPeriod(text, zone, now);
  if (parsed.ok) return parsed.value;
  throw unreadableArgument(operation, name, text, parsed.failure);
}

/** An hour beside a date, as HH:MM, and the field of the times of day to which it belongs. */
export interface HourOfDate {
  readonly clock: string;
  readonly field: string;
}

interface ReadDate {
  readonly date: string;
  readonly hour: HourOfDate | null;
}

/** Accepts a date or words for it: "tomorrow", "end of March". */
export function readToolDate(
  operation: AnyOperation,
  name: string,
  text: string,
  { zone, now }: { zone: string; now: number },
): ReadDate {
  if (ISO_DATE.test(text.trim())) return { date: text.trim(), hour: null };

  const { clockField, ...options } = fieldMetadata(knownToolField(operation, name)).date;
  const parsed = parseDate(text, zone, now, options);
  if (!parsed.ok) throw unreadableArgument(operation, name, text, parsed.failure);

  const { date, clock } = parsed.value;
  if (clock === null) return { date: date.iso, hour: null };
  if (clockField !== null) return { date: date.iso, hour: { clock, field: clockField } };
  throw unreadableArgument(operation, name, text, say`it is a day: leave the hour out`);
}

/** The times of day with the hour that stood beside a date, which must be one of them. */
export function timesWithHour(
  operation: AnyOperation,
  name: string,
  times: unknown,
  { clock, field }: HourOfDate,
): unknown {
  if (times === undefined) return [clock];
  if (!Array.isArray(times) || times.includes(clock)) return times;
  const timesName = toolArgumentName(operation, name);
  throw invalidInputError(
    fieldMetadata(knownToolField(operation, name)).code ?? defaultErrorCode(operation, name),
    say`The day was given with ${clockTime(clock)}, which is not among the start times.`,
    {
      hint: say`Ask which hour is meant, give it in ${argument(field)} and the day alone in ${argument(timesName)}.`,
      field: timesName,
    },
  );
}

/** Accepts a day and a month in words ("15 November", "1er novembre"), or "never". */
export function readToolDayOfYear(operation: AnyOperation, name: string, text: string): string {
  const parsed = parseDayOfYear(text);
  if (parsed.ok) return parsed.value;
  throw unreadableArgument(operation, name, text, parsed.failure);
}

/** The code of a texture class, or its name in any language. */
export function readToolTexture(value: unknown): unknown {
  if (typeof value !== 'string' || value.trim() === '') return value;
  if (/^#?\d+$/.test(value.trim())) return Number(value.trim().replace('#', ''));

  const found = findTextures(value);
  if (found.length === 1 && firstOf(found).isExact) return firstOf(found).horizon.id;

  const candidates = commaSeparated(
    found.map(({ name, horizon }) => say`${verbatim(name)} (${horizon.id})`),
  );
  const isAmbiguous = found.some(({ isExact }) => isExact);
  throw invalidInputError(
    'invalid_body',
    say`${quotedName(value)} ${isAmbiguous ? say`can mean several texture classes` : say`is not the name of a texture class`}.`,
    {
      hint: say`Ask which is meant: ${candidates}. Pass its name or code as ${argument('soilHorizonId')}.`,
      field: 'layers',
    },
  );
}

/** Without minutes it needs am or pm: "6" alone may be a count. */
const CLOCK = /^(\d{1,2})(?:[:h]([0-5]\d)(:[0-5]\d)?|(?=\s*[ap]))\s*([ap])?\.?m?\.?$/i;

/** Of these hours nobody knows without two figures which half of the day they are in. */
const isUnclearHour = (hour: string): boolean => /^[1-4]$/.test(hour);

/**
 * Adds or drops the seconds ":00", as the field has them or not, and the leading zero. What is no
 * time of day stays as it is and is refused as such.
 */
export function readToolClock(operation: AnyOperation, name: string, value: unknown): unknown {
  const { clock } = fieldMetadata(knownToolField(operation, name));
  if (clock === null) return value;
  if (Array.isArray(value)) return value.map((each) => readToolClock(operation, name, each));

  const match = typeof value === 'string' ? CLOCK.exec(value.trim()) : null;
  if (typeof value !== 'string' || match === null) return value;
  const [, hour = '', minutes = '00', seconds = ':00', half] = match;
  if (half === undefined && isUnclearHour(hour))
    throw unreadableArgument(
      operation,
      name,
      value,
      ambiguousHalf(60 * Number(hour) + Number(minutes)),
    );

  const isTwelveHours = half !== undefined;
  if (Number(hour) > (isTwelveHours ? 12 : 23) || (isTwelveHours && Number(hour) === 0))
    return value;
  const hour24 = isTwelveHours
    ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
    : Number(hour);
  const time = `${String(hour24).padStart(2, '0')}:${minutes}`;
  if (clock === 'seconds') return time + seconds;
  return seconds === ':00' ? time : value;
}

/** Of a value within a field: the index in a list, the name in an object. */
type MemberPath = readonly (string | number)[];

/** Reads the amounts of the field, also those in lists and objects. */
export function readToolAmounts(
  operation: AnyOperation,
  name: string,
  sent: unknown,
  { countryCode, units }: Pick<ArgumentContext, 'countryCode' | 'units'>,
): unknown {
  const read = (text: string, unit: EnteredUnit, schema: z.ZodTypeAny, path: MemberPath) => {
    const habits = { usGallons: hasUsGallons(countryCode), units };
    const parsed = parseAmount(text, unit, {
      ...habits,
      range: rangeOf(schema),
      isRain: fieldMetadata(schema).isRain,
    });
    if (!parsed.ok) throw unreadableArgument(operation, name, text, parsed.failure, { path });
    return parsed.value;
  };

  const readValue = (schema: z.ZodTypeAny, value: unknown, path: MemberPath): unknown => {
    const { unit, namesDepths } = fieldMetadata(schema);
    const inner = innerSchema(schema);
    if (Array.isArray(value) && namesDepths)
      return value.map((text) => (typeof text === 'string' ? withDepthInCm(text) : text));
    if (Array.isArray(value) && inner instanceof z.ZodArray)
      return value.map((item, index) => readValue(inner.element, item, [...path, index]));
    if (isRecord(value) && inner instanceof z.ZodObject)
      return readFields(inner.shape, value, path);
    if (unit === null) return value;
    const isUnclear = typeof value === 'number' && isUnclearShare(value, unit);
    const text = isUnclear ? formatPlainDecimal(value) : value;
    if (typeof text !== 'string' || text.trim() === '') return value;

    const { amount, isMetric } = read(text, unit, inner, path);
    return isMetric || unit !== 'cm' ? amount : Math.round(amount);
  };

  const readFields = (
    shape: z.ZodRawShape,
    value: Readonly<Record<string, unknown>>,
    path: MemberPath,
  ) =>
    Object.fromEntries(
      Object.entries(value).map(([key, each]) => {
        const schema = Object.hasOwn(shape, key) ? shape[key] : undefined;
        return [key, schema === undefined ? each : readValue(schema, each, [...path, key])];
      }),
    );

  return readValue(knownToolField(operation, name), sent, []);
}

/** True if the units of the company may matter to `readToolAmounts`. */
export const takesAmounts = (operation: AnyOperation): boolean =>
  toolFields(operation).some(([, schema]) => holdsAmount(schema));

function holdsAmount(schema: z.ZodTypeAny): boolean {
  if (fieldMetadata(schema).unit !== null) return true;

  const inner = innerSchema(schema);
  if (inner instanceof z.ZodArray) return holdsAmount(inner.element);
  const shape: z.ZodRawShape = inner instanceof z.ZodObject ? inner.shape : {};
  return Object.values(shape).some(holdsAmount);
}

/** A flow that is given for a rate in mm/h, over the area beside it; undefined for another text. */
export function readFlowOverArea(
  operation: AnyOperation,
  name: string,
  value: unknown,
  fields: Readonly<Record<string, unknown>>,
  context: Pick<ArgumentContext, 'countryCode' | 'units'>,
): number | undefined {
  const { flowOver } = fieldMetadata(knownToolField(operation, name));
  if (flowOver === null || typeof value !== 'string' || fields[flowOver] == null) return undefined;

  const habits = { usGallons: hasUsGallons(context.countryCode), units: context.units };
  const flow = parseAmount(value, 'L/h', habits);
  if (parseAmount(value, 'mm/h', habits).ok) return undefined;
  if (!flow.ok) {
    const isOfUnknownGallons = parseAmount(value, 'L/h', { ...habits, usGallons: true }).ok;
    if (isOfUnknownGallons) throw unreadableArgument(operation, name, value, flow.failure);
    return undefined;
  }
  const area = readToolAmounts(operation, flowOver, fields[flowOver], context);
  // 1 L on 1 m2 is 1 mm.
  return typeof area === 'number' && area > 0 ? roundRate(flow.value.amount / area) : undefined;
}

/** Whether a number may be meant as a percentage or as a share. */
function isUnclearShare(value: number, unit: EnteredUnit): boolean {
  if (UNIT_QUANTITIES[unit] !== 'share' || !Number.isFinite(value) || value < 0) return false;
  return unit === 'share' || value <= 1;
}

function rangeOf(schema: z.ZodTypeAny): { min: number; max: number } {
  const { minValue, maxValue } = schema instanceof z.ZodNumber ? schema : z.number();
  return { min: minValue ?? 0, max: maxValue ?? Number.POSITIVE_INFINITY };
}

/** What stands between the depth of an item and the rest of it. */
const AFTER_DEPTH = /[:=]|\breads?\b/i;
/** "One and a half feet" has five. */
const MAX_DEPTH_WORDS = 6;
/** Of what stands before the rest of an item: nobody names a depth in more characters. */
const MAX_NAMED_DEPTH = 100;

/** In whole cm where it is not metric, because depths of sensors are. */
function withDepthInCm(text: string): string {
  const restStart = AFTER_DEPTH.exec(text)?.index ?? text.length;
  const named = text.slice(0, restStart).trimEnd();
  if (named.length > MAX_NAMED_DEPTH) return text;
  const rest = restStart === text.length ? '' : text.slice(named.length);
  const words = named.trim().split(/\s+/);

  for (let index = Math.max(0, words.length - MAX_DEPTH_WORDS); index < words.length; index++) {
    const depth = parseAmount(words.slice(index).join(' '), 'cm');
    if (!depth.ok) continue;
    const { amount, isMetric } = depth.value;
    const depthCm = isMetric ? amount : Math.round(amount);
    return [...words.slice(0, index), `${depthCm}${rest}`].join(' ');
  }
  return text;
}

function unreadableArgument(
  operation: AnyOperation,
  name: string,
  text: string,
  reason: Text,
  { hint, path = [] }: { readonly hint?: Text; readonly path?: MemberPath } = {},
): AcequiaError {
  const metadata = fieldMetadata(knownToolField(operation, name));
  const field = toolArgumentName(operation, name);
  return invalidInputError(
    metadata.code ?? defaultErrorCode(operation, name),
    say`${argument([field, ...path].join('.'))} ${quotedName(text)} cannot be read: ${reason}.`,
    { hint: hint ?? metadata.hint ?? undefined, field },
  );
}
