import { createHash } from 'node:crypto';
import { type Sample, toIsoText, valueAt } from '../../../domain/ingest/payload-values.ts';
import {
  fahrenheitToCelsius,
  inchesToMm,
  kilometresPerHourToMetresPerSecond,
  milesPerHourToMetresPerSecond,
} from '../../../domain/units.ts';
import { findNulPath } from '../../../operation/arguments/argument-validation.ts';
import { MAX_DEVICE_NAME } from '../../../schema/ingest/device.ts';
import type {
  PAYLOAD_UNITS,
  ReadingsRule,
  ScaledPath,
  TimeRule,
} from '../../../schema/ingest/payload-map.ts';
import { toIso } from '../../wire-format.ts';
import { parseDecimal } from '../reading-values.ts';
import { fillPlaceholders, type TopicLevels } from './payload-map.ts';

const MAX_TEXT_LENGTH = 200;

export const MAX_PAYLOAD_BYTES = 262_144;

export class UnreadableMessageError extends Error {
  /** `mapPath` names the entry of the map that could not be applied. */
  constructor(reason: string, mapPath?: string) {
    super(mapPath === undefined ? reason : `${reason} (${mapPath})`);
  }
}

type Format = NonNullable<ReadingsRule['format']>;

/** A body that its rules read in their formats; each format is decoded once. */
export interface Payload {
  as(format: Format, secrets?: readonly string[]): unknown;
}

export function createPayload(bytes: Uint8Array, maxBytes = MAX_PAYLOAD_BYTES): Payload {
  if (bytes.length > maxBytes)
    throw new UnreadableMessageError(`the payload is larger than ${maxBytes} bytes`);
  const decoded = new Map<Format, unknown>();
  return {
    as(format, secrets = []) {
      if (!decoded.has(format)) decoded.set(format, decode(bytes, format));
      return secrets.reduce(withoutSecret, decoded.get(format));
    },
  };
}

function decode(bytes: Uint8Array, format: Format): unknown {
  const payload = DECODERS[format](bytes);
  if (findNulPath(payload) !== null)
    throw new UnreadableMessageError('the payload has the character U+0000');
  return payload;
}

const DECODERS: Readonly<Record<Format, (bytes: Uint8Array) => unknown>> = {
  json(bytes) {
    try {
      return JSON.parse(decodeText(bytes));
    } catch (error) {
      if (error instanceof RangeError) throw error;
      throw new UnreadableMessageError('the payload is not JSON');
    }
  },
  form(bytes) {
    const text = decodeText(bytes);
    if (!text.includes('='))
      throw new UnreadableMessageError('the payload is not a form (name=value&…)');
    return Object.fromEntries(new URLSearchParams(text.trim()));
  },
  text: (bytes) => decodeText(bytes).trim(),
};

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableMessageError('the payload is not text in UTF-8');
  }
}

/**
 * A device may sign in with a secret that is also the only name it has; the hash still tells
 * devices apart.
 */
const HASH_LENGTH = 8;

function withoutSecret(payload: unknown, name: string): unknown {
  if (typeof payload !== 'object' || payload === null || !Object.hasOwn(payload, name))
    return payload;
  const hash = createHash('sha256').update(String((payload as Record<string, unknown>)[name]));
  return { ...payload, [name]: hash.digest('hex').slice(0, HASH_LENGTH) };
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
  if (typeof name === 'string' && name !== '' && name.length <= MAX_TEXT_LENGTH) return name;
  if (typeof name === 'number') return String(name);
  throw new UnreadableMessageError(`the message names no ${field}`, `${mapPath}.${field}`);
}

export function extractTime(rule: TimeRule, sample: Sample, now: number, mapPath: string): string {
  if (rule === 'arrival') return toIso(now);

  const time = valueAt(sample, rule.path);
  if (time === undefined || time === null)
    throw new UnreadableMessageError('the message has no time', mapPath);
  if (rule.unit === 'iso' || rule.unit === 'utc') {
    if (typeof time === 'string' && time.length <= MAX_TEXT_LENGTH)
      return toIsoText(time, rule.unit === 'utc');
    throw new UnreadableMessageError('the time is not an ISO 8601 text', mapPath);
  }

  const at = Math.round(toNumber(time) * (rule.unit === 's' ? 1000 : 1));
  // The largest time value of a Date. Source: ECMA-262, "Time Values and Time Range".
  if (Math.abs(at) <= 8.64e15) return toIso(at);

  throw new UnreadableMessageError(`the time is not a number of ${rule.unit}`, mapPath);
}

export function extractDepth(
  depth: number | string | null,
  levels: TopicLevels,
  mapPath: string,
): number | null {
  if (typeof depth !== 'string') return depth;
  const depthCm = parseDecimal(fillPlaceholders(depth, levels) ?? '');
  if (!Number.isNaN(depthCm)) return depthCm;
  throw new UnreadableMessageError('the depth in the topic is not a number of cm', mapPath);
}

/** To the units in which values are stored: °C, %, mm and m/s. */
const UNITS: Readonly<Record<(typeof PAYLOAD_UNITS)[number], (value: number) => number>> = {
  '°F': fahrenheitToCelsius,
  'm3/m3': (fraction) => fraction * 100,
  in: inchesToMm,
  mph: milesPerHourToMetresPerSecond,
  'km/h': kilometresPerHourToMetresPerSecond,
};

/** Rounding hides binary errors: 0.1 * 3 is 0.30000000000000004. No sensor has more digits. */
const SIGNIFICANT_DIGITS = 12;

export const roundDigits = (value: number): number => Number(value.toPrecision(SIGNIFICANT_DIGITS));

/** Anything but a number is passed on as text, so that its row is refused. */
export function convertValue(
  { unit, scale = 1, offset = 0 }: ScaledPath,
  value: unknown,
): number | string {
  const number = toNumber(value);
  if (Number.isNaN(number)) return JSON.stringify(value).slice(0, MAX_TEXT_LENGTH);
  const inStoredUnit = unit === undefined ? number : UNITS[unit](number);
  return roundDigits(inStoredUnit * scale + offset);
}

export function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? parseDecimal(value.trim()) : Number.NaN;
}

interface Link {
  gateway: string;
  rssi?: number;
  snr?: number;
}

/** The link to the gateway that received the message best. */
export function strongestLink(
  rule: NonNullable<ReadingsRule['link']>,
  sample: Sample,
): Link | undefined {
  const list = valueAt(sample, rule.each);
  const links = (Array.isArray(list) ? list : []).flatMap((item) => linkIn(item, rule) ?? []);
  const strength = ({ rssi = -MAX_RSSI_DBM }: Link): number => rssi;
  return links.sort((a, b) => strength(b) - strength(a))[0];
}

/** Null without a gateway. */
function linkIn(
  item: unknown,
  { gateway, rssi, snr }: NonNullable<ReadingsRule['link']>,
): Link | null {
  const name = valueAt([item], gateway);
  if (typeof name !== 'string' || name === '' || name.length > MAX_DEVICE_NAME) return null;

  const figureAt = (path: string | undefined): number =>
    path === undefined ? Number.NaN : toNumber(valueAt([item], path));
  const [rssiDbm, snrDb] = [figureAt(rssi), figureAt(snr)];

  const link: Link = { gateway: name };
  if (Math.abs(rssiDbm) <= MAX_RSSI_DBM) link.rssi = rssiDbm;
  if (Math.abs(snrDb) <= MAX_SNR_DB) link.snr = snrDb;
  return link;
}

/** The limits that the device rows of a batch have. */
const MAX_RSSI_DBM = 200;
const MAX_SNR_DB = 50;
