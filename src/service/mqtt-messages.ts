import { nulIn } from '../operation/stored-text.ts';
import type { GatewaysRule, Linear, MqttMap, ReadingsRule, TimeRule } from '../schema/mqtt-map.ts';
import { filledIn, type Parts, partsOf } from './mqtt-topics.ts';
import { readValue } from './reading-value.ts';
import { isoOf } from './wire.ts';

/** Bytes of a payload, and readings in it, at most. */
const MOST_BYTES = 262_144;
const MOST_READINGS = 5_000;

/** Characters of a name, a time or what stands in place of a number, at most: rows stay small, whatever a message holds. */
const MOST_CHARACTERS = 200;

/** Digits that a scaled value keeps: no sensor has more, and a product of decimals is not exact. */
const DIGITS = 12;

/** What a message says, as rows of a batch, or why it says nothing: one of a handful of reasons. */
export type Understood =
  | { readonly readings: readonly object[]; readonly gateways: readonly object[] }
  | { readonly refused: string };

/** Thrown where a message cannot be understood. */
class Unreadable extends Error {}

/** Reads a message by every rule of the map whose topic is its own; `now` (ms) is when it came. */
export function understandMessage(map: MqttMap, topic: string, payload: Uint8Array, now: number): Understood {
  try {
    const json = jsonIn(payload);
    const about = <R extends { topic: string }>(rules: readonly R[] = []): { rule: R; parts: Parts }[] =>
      rules.flatMap((rule) => {
        const parts = partsOf(rule.topic, topic);
        return parts === null ? [] : [{ rule, parts }];
      });
    const readings = about(map.readings).flatMap(({ rule, parts }) => readingsIn(rule, parts, json, now));
    const gateways = about(map.gateways).map(({ rule, parts }) => statusIn(rule, parts, json, now));
    if (readings.length + gateways.length > 0) return { readings, gateways };
    return { refused: 'nothing stands at any path of the map' };
  } catch (error) {
    if (error instanceof Unreadable) return { refused: error.message };
    // The stack ends before brackets do.
    if (error instanceof RangeError) return { refused: 'the payload nests too deep' };
    throw error;
  }
}

function jsonIn(payload: Uint8Array): unknown {
  if (payload.length > MOST_BYTES) throw new Unreadable(`the payload is larger than ${MOST_BYTES} bytes`);
  const json = parsed(payload);
  if (nulIn(json) !== null) throw new Unreadable('the payload holds the character U+0000');
  return json;
}

function parsed(payload: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
  } catch {
    throw new Unreadable('the payload is not JSON');
  }
}

/** A value that is not there is no reading, not a bad one. */
function readingsIn(rule: ReadingsRule, parts: Parts, json: unknown, now: number): object[] {
  const module = nameAt(rule.module ?? '{module}', parts, json, 'module');
  const rows: object[] = [];
  for (const sample of samplesIn(rule, json)) {
    const time = timeAt(rule.time, sample, now);
    for (const { type, depth = null, ...place } of rule.values) {
      const value = numberAt(place, sample);
      if (value === undefined) continue;
      if (rows.length === MOST_READINGS) throw new Unreadable(`it holds more than ${MOST_READINGS} readings`);
      rows.push({ module, type: filledIn(type, parts), depth: depthOf(depth, parts), time, value });
    }
  }
  return rows;
}

function samplesIn({ each }: ReadingsRule, json: unknown): readonly unknown[] {
  if (each === undefined) return [json];
  const found = valueAt(json, each);
  if (Array.isArray(found)) return found;
  throw new Unreadable('no list stands where the samples should');
}

function statusIn(rule: GatewaysRule, parts: Parts, json: unknown, now: number): object {
  const figures = (['batteryMv', 'level', 'lat', 'lon'] as const).flatMap((name) => {
    const place = rule[name];
    const value = place && numberAt(place, json);
    if (value === undefined) return [];
    // Millivolts are whole ones.
    return [[name, name === 'batteryMv' && typeof value === 'number' ? Math.round(value) : value]];
  });
  return {
    imei: nameAt(rule.imei ?? '{imei}', parts, json, 'imei'),
    lastSeen: timeAt(rule.lastSeen ?? 'arrival', json, now),
    ...Object.fromEntries(figures),
  };
}

function nameAt(said: string | { path: string }, parts: Parts, json: unknown, what: string): string {
  const found = typeof said === 'string' ? filledIn(said, parts) : valueAt(json, said.path);
  if (typeof found === 'string' && found !== '' && found.length <= MOST_CHARACTERS) return found;
  if (typeof found === 'number') return String(found);
  throw new Unreadable(`no ${what} stands in the message`);
}

/** ISO 8601; without an offset it stays local time of the company. */
function timeAt(rule: TimeRule, json: unknown, now: number): string {
  if (rule === 'arrival') return isoOf(now);
  const found = valueAt(json, rule.path);
  if (found === undefined || found === null) throw new Unreadable('no time stands in the message');
  if (rule.unit === 'iso') {
    if (typeof found === 'string' && found.length <= MOST_CHARACTERS) return found;
    throw new Unreadable('the time is no text of ISO 8601');
  }
  const at = Math.round(numberIn(found) * (rule.unit === 's' ? 1000 : 1));
  // The most that a date holds. Source: ECMA-262, "Time Values and Time Range".
  if (Math.abs(at) <= 8.64e15) return isoOf(at);
  throw new Unreadable(`the time is no number of ${rule.unit}`);
}

const depthOf = (depth: number | string | null, parts: Parts): number | null => {
  if (typeof depth !== 'string') return depth;
  const found = readValue(filledIn(depth, parts) ?? '');
  if (!Number.isNaN(found)) return found;
  throw new Unreadable('the depth in the topic is no number of cm');
};

/** The number at a place, scaled; undefined where nothing stands. What is no number is given on, to be refused by its row. */
function numberAt({ path, scale = 1, offset = 0 }: Linear, json: unknown): unknown {
  const found = valueAt(json, path);
  if (found === undefined || found === null) return undefined;
  const number = numberIn(found);
  if (Number.isNaN(number)) return JSON.stringify(found).slice(0, MOST_CHARACTERS);
  return Number((number * scale + offset).toPrecision(DIGITS));
}

/** A number, be it written as a text; NaN for anything else. */
const numberIn = (found: unknown): number =>
  typeof found === 'number' ? found : typeof found === 'string' ? readValue(found) : Number.NaN;

function valueAt(json: unknown, path: string): unknown {
  if (path === '') return json;
  return path.split('.').reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    return (value as Record<string, unknown>)[name];
  }, json);
}
