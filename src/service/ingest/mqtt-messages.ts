import { findNulPath } from '../../operation/argument-validation.ts';
import type { GatewaysRule, MqttMap, ReadingsRule, ScaledPath, TimeRule } from '../../schema/mqtt-map.ts';
import { toIso } from '../wire-format.ts';
import { fillPlaceholders, matchTopic, type TopicLevels } from './mqtt-map.ts';
import { parseDecimal } from './reading-parsers.ts';

/** Bytes of a payload, and readings in it, at most. */
const MAX_PAYLOAD_BYTES = 262_144;
const MAX_READINGS = 5_000;

/** Characters of a name, a time or what stands in place of a number, at most: rows stay small, whatever a message holds. */
const MAX_TEXT_LENGTH = 200;

/** Digits that a scaled value keeps: no sensor has more, and a product of decimals is not exact. */
const SIGNIFICANT_DIGITS = 12;

/** What a message says, as rows of a batch, or why it says nothing: one of a handful of reasons. */
export type ParsedMessage =
  | { readonly readings: readonly object[]; readonly gateways: readonly object[] }
  | { readonly refused: string };

/** Thrown where a message cannot be understood. */
class UnreadableMessageError extends Error {}

/** Reads a message by every rule of the map whose topic is its own; `now` (ms) is when it came. */
export function parseMqttMessage(map: MqttMap, topic: string, payload: Uint8Array, now: number): ParsedMessage {
  try {
    const json = parsePayload(payload);
    const about = <R extends { topic: string }>(rules: readonly R[] = []): { rule: R; parts: TopicLevels }[] =>
      rules.flatMap((rule) => {
        const parts = matchTopic(rule.topic, topic);
        return parts === null ? [] : [{ rule, parts }];
      });
    const readings = about(map.readings).flatMap(({ rule, parts }) => extractReadings(rule, parts, json, now));
    const gateways = about(map.gateways).map(({ rule, parts }) => extractGatewayStatus(rule, parts, json, now));
    if (readings.length + gateways.length > 0) return { readings, gateways };
    return { refused: 'nothing stands at any path of the map' };
  } catch (error) {
    if (error instanceof UnreadableMessageError) return { refused: error.message };
    // The stack ends before brackets do.
    if (error instanceof RangeError) return { refused: 'the payload nests too deep' };
    throw error;
  }
}

function parsePayload(payload: Uint8Array): unknown {
  if (payload.length > MAX_PAYLOAD_BYTES)
    throw new UnreadableMessageError(`the payload is larger than ${MAX_PAYLOAD_BYTES} bytes`);
  const json = decodeJson(payload);
  if (findNulPath(json) !== null) throw new UnreadableMessageError('the payload holds the character U+0000');
  return json;
}

function decodeJson(payload: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
  } catch {
    throw new UnreadableMessageError('the payload is not JSON');
  }
}

/** A value that is not there is no reading, not a bad one. */
function extractReadings(rule: ReadingsRule, parts: TopicLevels, json: unknown, now: number): object[] {
  const module = extractName(rule.module ?? '{module}', parts, json, 'module');
  const rows: object[] = [];
  for (const sample of extractSamples(rule, json)) {
    const time = extractTime(rule.time, sample, now);
    for (const { type, depth = null, ...place } of rule.values) {
      const value = extractNumber(place, sample);
      if (value === undefined) continue;
      if (rows.length === MAX_READINGS) throw new UnreadableMessageError(`it holds more than ${MAX_READINGS} readings`);
      rows.push({ module, type: fillPlaceholders(type, parts), depth: depthFrom(depth, parts), time, value });
    }
  }
  return rows;
}

function extractSamples({ each }: ReadingsRule, json: unknown): readonly unknown[] {
  if (each === undefined) return [json];
  const found = valueAt(json, each);
  if (Array.isArray(found)) return found;
  throw new UnreadableMessageError('no list stands where the samples should');
}

function extractGatewayStatus(rule: GatewaysRule, parts: TopicLevels, json: unknown, now: number): object {
  const figures = (['batteryMv', 'level', 'lat', 'lon'] as const).flatMap((name) => {
    const place = rule[name];
    const value = place && extractNumber(place, json);
    if (value === undefined) return [];
    // Millivolts are whole ones.
    return [[name, name === 'batteryMv' && typeof value === 'number' ? Math.round(value) : value]];
  });
  return {
    imei: extractName(rule.imei ?? '{imei}', parts, json, 'imei'),
    lastSeen: extractTime(rule.lastSeen ?? 'arrival', json, now),
    ...Object.fromEntries(figures),
  };
}

function extractName(rule: string | { path: string }, parts: TopicLevels, json: unknown, what: string): string {
  const found = typeof rule === 'string' ? fillPlaceholders(rule, parts) : valueAt(json, rule.path);
  if (typeof found === 'string' && found !== '' && found.length <= MAX_TEXT_LENGTH) return found;
  if (typeof found === 'number') return String(found);
  throw new UnreadableMessageError(`no ${what} stands in the message`);
}

/** ISO 8601; without an offset it stays local time of the company. */
function extractTime(rule: TimeRule, json: unknown, now: number): string {
  if (rule === 'arrival') return toIso(now);
  const found = valueAt(json, rule.path);
  if (found === undefined || found === null) throw new UnreadableMessageError('no time stands in the message');
  if (rule.unit === 'iso') {
    if (typeof found === 'string' && found.length <= MAX_TEXT_LENGTH) return found;
    throw new UnreadableMessageError('the time is no text of ISO 8601');
  }
  const at = Math.round(toNumber(found) * (rule.unit === 's' ? 1000 : 1));
  // The most that a date holds. Source: ECMA-262, "Time Values and Time Range".
  if (Math.abs(at) <= 8.64e15) return toIso(at);
  throw new UnreadableMessageError(`the time is no number of ${rule.unit}`);
}

const depthFrom = (depth: number | string | null, parts: TopicLevels): number | null => {
  if (typeof depth !== 'string') return depth;
  const found = parseDecimal(fillPlaceholders(depth, parts) ?? '');
  if (!Number.isNaN(found)) return found;
  throw new UnreadableMessageError('the depth in the topic is no number of cm');
};

/** The number at a place, scaled; undefined where nothing stands. What is no number is given on, to be refused by its row. */
function extractNumber({ path, scale = 1, offset = 0 }: ScaledPath, json: unknown): unknown {
  const found = valueAt(json, path);
  if (found === undefined || found === null) return undefined;
  const number = toNumber(found);
  if (Number.isNaN(number)) return JSON.stringify(found).slice(0, MAX_TEXT_LENGTH);
  return Number((number * scale + offset).toPrecision(SIGNIFICANT_DIGITS));
}

/** A number, be it written as a text; NaN for anything else. */
const toNumber = (found: unknown): number =>
  typeof found === 'number' ? found : typeof found === 'string' ? parseDecimal(found) : Number.NaN;

function valueAt(json: unknown, path: string): unknown {
  if (path === '') return json;
  return path.split('.').reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    return (value as Record<string, unknown>)[name];
  }, json);
}
