import { z } from 'zod/v3';
import { formatPlainDecimal, roundRate } from '../../domain/decimal.ts';
import { type EnteredUnit, hasUsGallons, UNIT_QUANTITIES } from '../../domain/units.ts';
import { parseAmount } from '../../language/words/amounts/amount.ts';
import { fieldMetadata, innerSchema } from '../../schema/field.ts';
import type { AnyOperation } from '../operation.ts';
import { inputFields } from '../operation-fields.ts';
import { unreadableArgument } from './argument-validation.ts';
import type { ToolReading, ValuePlace } from './tool-reading.ts';

const habitsOf = ({ context: { countryCode, units } }: ToolReading) => ({
  usGallons: hasUsGallons(countryCode),
  units,
});

/**
 * The amount in `unit`. A number is in that unit already, unless it may be a percentage or a share.
 */
export function readAmount(value: unknown, unit: EnteredUnit, place: ValuePlace): unknown {
  const isUnclear = typeof value === 'number' && isUnclearShare(value, unit);
  const text = isUnclear ? formatPlainDecimal(value) : value;
  if (typeof text !== 'string' || text.trim() === '') return value;

  const parsed = parseAmount(text, unit, {
    ...habitsOf(place.reading),
    range: rangeOf(innerSchema(place.schema)),
    isRain: place.metadata.isRain,
  });
  if (!parsed.ok) throw unreadableArgument(text, parsed.failure, place);

  const { amount, isMetric } = parsed.value;
  return isMetric || unit !== 'cm' ? amount : Math.round(amount);
}

/**
 * True if a tool reads amounts of the operation in words, for which the units of the company count.
 */
export const takesAmounts = (operation: AnyOperation): boolean =>
  [...inputFields(operation).values()].some(
    ({ schema, metadata }) => !metadata.isRestOnly && holdsAmount(schema),
  );

function holdsAmount(schema: z.ZodTypeAny): boolean {
  if (fieldMetadata(schema).unit !== null) return true;

  const inner = innerSchema(schema);
  if (inner instanceof z.ZodArray) return holdsAmount(inner.element);
  const shape: z.ZodRawShape = inner instanceof z.ZodObject ? inner.shape : {};
  return Object.values(shape).some(holdsAmount);
}

/**
 * A rate in mm/h from a flow such as "20 L/h" and the irrigated area of the same call; undefined for
 * another text.
 */
export function readFlowOverArea(value: unknown, place: ValuePlace): number | undefined {
  const { metadata, reading } = place;
  if (typeof value !== 'string' || !isSent(metadata.flowOver, reading)) return undefined;

  const habits = habitsOf(reading);
  const flow = parseAmount(value, 'L/h', habits);
  if (parseAmount(value, 'mm/h', habits).ok) return undefined;
  if (!flow.ok) {
    const isOfUnknownGallons = parseAmount(value, 'L/h', { ...habits, usGallons: true }).ok;
    if (isOfUnknownGallons) throw unreadableArgument(value, flow.failure, place);
    return undefined;
  }

  // 1 L on 1 m2 is 1 mm.
  return dividedBy(metadata.flowOver, flow.value.amount, reading);
}

/**
 * A share from the width of a strip, such as "90 cm", and the distance between two of them in the same
 * call; undefined for another text. Strips that are wider than that distance wet everything.
 */
export function readWidthOverDistance(value: unknown, place: ValuePlace): number | undefined {
  const { metadata, reading } = place;
  if (typeof value !== 'string' || !isSent(metadata.widthOver, reading)) return undefined;

  const habits = habitsOf(reading);
  if (parseAmount(value, 'share', habits).ok) return undefined;
  const width = parseAmount(value, 'm', habits);
  const share = width.ok && dividedBy(metadata.widthOver, width.value.amount, reading);
  return share ? Math.min(1, share) : undefined;
}

const isSent = (field: string | null, { fields, unread }: ToolReading): boolean =>
  field !== null && unread[fields.get(field)?.name ?? field] != null;

/** The amount divided by the value of the field; undefined unless that is a positive number. */
function dividedBy(field: string | null, amount: number, reading: ToolReading): number | undefined {
  const divisor = field === null ? undefined : reading.fields.get(field);
  const value = divisor?.read(reading.unread[divisor.name], reading);
  return typeof value === 'number' && value > 0 ? roundRate(amount / value) : undefined;
}

/** A share may be meant as a percentage, and a percentage of at most 1 as a share. */
function isUnclearShare(value: number, unit: EnteredUnit): boolean {
  if (UNIT_QUANTITIES[unit] !== 'share' || !Number.isFinite(value) || value < 0) return false;
  return unit === 'share' || value <= 1;
}

function rangeOf(schema: z.ZodTypeAny): { min: number; max: number } {
  const { minValue, maxValue } = schema instanceof z.ZodNumber ? schema : z.number();
  return { min: minValue ?? 0, max: maxValue ?? Number.POSITIVE_INFINITY };
}

/** Matches the sign between the depth of an item and the rest of it. */
const AFTER_DEPTH = /[:=]|\breads?\b/i;
/** "One and a half feet" has five. */
const MAX_DEPTH_WORDS = 6;
/** In characters: nobody names a depth in more. */
const MAX_NAMED_DEPTH = 100;

/**
 * Converts the depth in front of a text to cm: to whole cm if it is not metric, because depths of
 * sensors are.
 */
export function withDepthInCm(text: string): string {
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
