import { findNulPath } from '../../../operation/arguments/argument-validation.ts';
import type { GatewaysRule, MqttMap, ReadingsRule, ScaledPath, TimeRule } from '../../../schema/imports/mqtt-map.ts';
import { toIso } from '../../wire-format.ts';
import { parseDecimal } from '../reading-parsers.ts';
import { fillPlaceholders, matchTopic, type TopicLevels } from './mqtt-map.ts';

const MAX_PAYLOAD_BYTES = 262_144;
const MAX_READINGS = 5_000;

const MAX_TEXT_LENGTH = 200;

/** No sensor has more digits; the product of two decimals is not exact. */
const SIGNIFICANT_DIGITS = 12;

export type ParsedMessage =
  | { readonly readings: readonly object[]; readonly gateways: readonly object[] }
  | { readonly refused: string };

class UnreadableMessageError extends Error {}

export function parseMqttMessage(map: MqttMap, topic: string, payload: Uint8Array, now: number): ParsedMessage {
  try {
    const json = parsePayload(payload);
    const matches = <R extends { topic: string }>(rules: readonly R[] = []): { rule: R; levels: TopicLevels }[] =>
      rules.flatMap((rule) => {
        const levels = matchTopic(rule.topic, topic);
        return levels === null ? [] : [{ rule, levels }];
      });
    const readings = matches(map.readings).flatMap(({ rule, levels }) => extractReadings(rule, levels, json, now));
    const gateways = matches(map.gateways).map(({ rule, levels }) => extractGatewayStatus(rule, levels, json, now));
    if (readings.length + gateways.length > 0) return { readings, gateways };
    return { refused: 'no path of the map has a value' };
  } catch (error) {
    if (error instanceof UnreadableMessageError) return { refused: error.message };
    // Deeply nested JSON can overflow the stack of JSON.parse, or of the search for U+0000.
    if (error instanceof RangeError) return { refused: 'the payload is nested too deeply' };
    throw error;
  }
}

function parsePayload(payload: Uint8Array): unknown {
  if (payload.length > MAX_PAYLOAD_BYTES)
    throw new UnreadableMessageError(`the payload is larger than ${MAX_PAYLOAD_BYTES} bytes`);
  const json = decodeJson(payload);
  if (findNulPath(json) !== null) throw new UnreadableMessageError('the payload has the character U+0000');
  return json;
}

function decodeJson(payload: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
  } catch {
    throw new UnreadableMessageError('the payload is not JSON');
  }
}

/** A missing value is skipped: it is not an invalid reading. */
function extractReadings(rule: ReadingsRule, levels: TopicLevels, json: unknown, now: number): object[] {
  const module = extractName(rule.module ?? '{module}', levels, json, 'module');
  const rows: object[] = [];
  for (const sample of extractSamples(rule, json)) {
    const time = extractTime(rule.time, sample, now);
    for (const { type, depth = null, ...path } of rule.values) {
      const value = extractNumber(path, sample);
      if (value === undefined) continue;
      if (rows.length === MAX_READINGS)
        throw new UnreadableMessageError(`the message has more than ${MAX_READINGS} readings`);
      rows.push({ module, type: fillPlaceholders(type, levels), depth: depthFrom(depth, levels), time, value });
    }
  }
  return rows;
}

function extractSamples({ each }: ReadingsRule, json: unknown): readonly unknown[] {
  if (each === undefined) return [json];
  const samples = valueAt(json, each);
  if (Array.isArray(samples)) return samples;
  throw new UnreadableMessageError('the path of the samples does not hold a list');
}

function extractGatewayStatus(rule: GatewaysRule, levels: TopicLevels, json: unknown, now: number): object {
  const figures = (['batteryMv', 'level', 'lat', 'lon'] as const).flatMap((name) => {
    const path = rule[name];
    const value = path && extractNumber(path, json);
    if (value === undefined) return [];
    // A batch accepts whole millivolts only.
    return [[name, name === 'batteryMv' && typeof value === 'number' ? Math.round(value) : value]];
  });
  return {
    imei: extractName(rule.imei ?? '{imei}', levels, json, 'imei'),
    lastSeen: extractTime(rule.lastSeen ?? 'arrival', json, now),
    ...Object.fromEntries(figures),
  };
}

function extractName(rule: string | { path: string }, levels: TopicLevels, json: unknown, what: string): string {
  const name = typeof rule === 'string' ? fillPlaceholders(rule, levels) : valueAt(json, rule.path);
  if (typeof name === 'string' && name !== '' && name.length <= MAX_TEXT_LENGTH) return name;
  if (typeof name === 'number') return String(name);
  throw new UnreadableMessageError(`the message names no ${what}`);
}

function extractTime(rule: TimeRule, json: unknown, now: number): string {
  if (rule === 'arrival') return toIso(now);
  const time = valueAt(json, rule.path);
  if (time === undefined || time === null) throw new UnreadableMessageError('the message has no time');
  if (rule.unit === 'iso') {
    if (typeof time === 'string' && time.length <= MAX_TEXT_LENGTH) return time;
    throw new UnreadableMessageError('the time is not an ISO 8601 text');
  }
  const at = Math.round(toNumber(time) * (rule.unit === 's' ? 1000 : 1));
  // The largest time value of a Date. Source: ECMA-262, "Time Values and Time Range".
  if (Math.abs(at) <= 8.64e15) return toIso(at);
  throw new UnreadableMessageError(`the time is not a number of ${rule.unit}`);
}

const depthFrom = (depth: number | string | null, levels: TopicLevels): number | null => {
  if (typeof depth !== 'string') return depth;
  const depthCm = parseDecimal(fillPlaceholders(depth, levels) ?? '');
  if (!Number.isNaN(depthCm)) return depthCm;
  throw new UnreadableMessageError('the depth in the topic is not a number of cm');
};

/** Anything but a number is passed on as text, so that its row is refused. */
function extractNumber({ path, scale = 1, offset = 0 }: ScaledPath, json: unknown): unknown {
  const value = valueAt(json, path);
  if (value === undefined || value === null) return undefined;
  const number = toNumber(value);
  if (Number.isNaN(number)) return JSON.stringify(value).slice(0, MAX_TEXT_LENGTH);
  return Number((number * scale + offset).toPrecision(SIGNIFICANT_DIGITS));
}

const toNumber = (value: unknown): number =>
  typeof value === 'number' ? value : typeof value === 'string' ? parseDecimal(value) : Number.NaN;

function valueAt(json: unknown, path: string): unknown {
  if (path === '') return json;
  return path.split('.').reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    return (value as Record<string, unknown>)[name];
  }, json);
}
