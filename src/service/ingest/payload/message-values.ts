import { type Sample, valueAt } from '../../../domain/ingest/payload-path.ts';
import { toIsoText } from '../../../domain/ingest/payload-values.ts';
import { MAX_SHORT_TEXT } from '../../../domain/text/greatest-lengths.ts';
import type {
  ReadingsRule,
  Scaling,
  TimeRule,
  ValueRule,
} from '../../../schema/ingest/payload-map.ts';
import { toIso } from '../../../schema/wire-format.ts';
import { parseDecimal } from '../reading-values.ts';
import { UnreadableMessageError } from './payload.ts';
import { fillPlaceholders, type TopicLevels } from './payload-map.ts';
import { type Convert, PAYLOAD_UNIT_CONVERSIONS, unchanged } from './payload-units.ts';

/** The units that were published, by topic. */
export interface TopicUnits {
  get(topic: string): string | undefined;
}

export const isMissingCode = (codes: ReadingsRule['missing'] = [], value: unknown): boolean => {
  if (codes.length === 0) return false;
  const number = toNumber(value);
  return codes.some((code) => (typeof code === 'number' ? code === number : code === value));
};

export function extractName(
  rule: string | { path: string },
  levels: TopicLevels,
  sample: Sample,
  field: 'module' | 'device' | 'channel' | 'imei',
  mapPath: string,
): string {
  const name =
    typeof rule === 'string' ? fillPlaceholders(rule, levels) : valueAt(sample, rule.path);
  if (typeof name === 'string' && name !== '' && name.length <= MAX_SHORT_TEXT) return name;
  if (typeof name === 'number') return String(name);
  throw new UnreadableMessageError(`the message names no ${field}`, `${mapPath}.${field}`);
}

export function extractTime(rule: TimeRule, sample: Sample, now: number, mapPath: string): string {
  if (rule === 'arrival') return toIso(now);

  const time = valueAt(sample, rule.path);
  const isMissing = time === undefined || time === null;
  if (isMissing && rule.default === 'arrival') return toIso(now);
  if (isMissing) throw new UnreadableMessageError('the message has no time', mapPath);
  if (rule.unit === 'iso' || rule.unit === 'utc') {
    const text = isoText(time, rule.unit === 'utc' ? 'Z' : (rule.utcOffset ?? ''));
    if (text !== null) return text;
    throw new UnreadableMessageError('the time is not an ISO 8601 text', mapPath);
  }

  const at = Math.round(toNumber(time) * (rule.unit === 's' ? 1000 : 1));
  // The largest time value of a Date. Source: ECMA-262, "Time Values and Time Range".
  if (Math.abs(at) <= 8.64e15) return toIso(at);

  throw new UnreadableMessageError(`the time is not a number of ${rule.unit}`, mapPath);
}

/** Null for what is not read. Local times, which have no offset here, may have other forms. */
function isoText(time: unknown, ownOffset: string): string | null {
  if (typeof time !== 'string' || time.length > MAX_SHORT_TEXT) return null;
  return toIsoText(time, ownOffset) ?? (ownOffset === '' ? time : null);
}

interface DepthSource {
  readonly levels: TopicLevels;
  readonly sample: Sample;
  readonly mapPath: string;
}

/** Undefined where the payload has no depth at the path of the rule. */
export function extractDepth(
  depth: ValueRule['depth'],
  { levels, sample, mapPath }: DepthSource,
): number | null | undefined {
  if (depth === undefined || depth === null || typeof depth === 'number') return depth;
  if (typeof depth === 'object') {
    const depthCm = toNumber(valueAt(sample, depth.path));
    return Number.isNaN(depthCm) ? undefined : depthCm;
  }

  const depthCm = parseDecimal(fillPlaceholders(depth, levels) ?? '');
  if (!Number.isNaN(depthCm)) return depthCm;
  throw new UnreadableMessageError('the depth in the topic is not a number of cm', mapPath);
}

/** Rounding hides binary errors: 0.1 * 3 is 0.30000000000000004. No sensor has more digits. */
const SIGNIFICANT_DIGITS = 12;

export const roundDigits = (value: number): number => Number(value.toPrecision(SIGNIFICANT_DIGITS));

/** Null if the rule names the unit, or the value has the stored one. */
export function symbolOf(
  { unit }: Scaling,
  { sample, levels }: { readonly sample: Sample; readonly levels: TopicLevels },
  units: TopicUnits,
): string | null {
  if (typeof unit !== 'object') return null;
  const symbol =
    ('topic' in unit
      ? units.get(fillPlaceholders(unit.topic, levels) ?? '')
      : valueAt(sample, unit.path)) ??
    unit.default ??
    '';
  return typeof symbol === 'object' ? '' : String(symbol).trim().slice(0, MAX_SHORT_TEXT);
}

/** Anything but a number is returned as text, so that the batch rejects the item. */
export function convertValue(
  { unit, scale = 1, offset = 0, isPotential = false }: Scaling,
  value: unknown,
  convertInPayload: Convert = unchanged,
): number | string {
  const number = toNumber(value);
  if (Number.isNaN(number)) return JSON.stringify(value).slice(0, MAX_SHORT_TEXT);
  const convert = typeof unit === 'string' ? PAYLOAD_UNIT_CONVERSIONS[unit] : convertInPayload;
  const converted = roundDigits(convert(number) * scale + offset);
  return isPotential ? Math.abs(converted) : converted;
}

export function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  const isFigure = typeof value === 'string' && value.length <= MAX_SHORT_TEXT;
  return isFigure ? parseDecimal(value.trim()) : Number.NaN;
}
