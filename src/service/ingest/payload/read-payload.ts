import { finishAtOnce } from '../../../domain/event-loop.ts';
import { type Sample, valueAt } from '../../../domain/ingest/payload-path.ts';
import type { UnreadReason } from '../../../domain/ingest/unread-reason.ts';
import { MAX_TOPIC_TEXT } from '../../../domain/text/greatest-lengths.ts';
import { unreadReasons } from '../../../language/ingest/unread-reasons.ts';
import type { DeviceItem } from '../../../schema/ingest/ingest-items.ts';
import type { GatewaysRule, PayloadMap } from '../../../schema/ingest/payload-map.ts';
import type { RuleSample } from './message-devices.ts';
import { itemsInSteps, type RejectedValue, type UplinkItems } from './message-items.ts';
import { convertValue, extractName, extractTime, type TopicUnits } from './message-values.ts';
import { createPayload, MESSAGE_PAYLOAD, UnreadableMessageError } from './payload.ts';
import { matchRules, type TopicLevels } from './payload-map.ts';
import type { Failure, MessageRain, MessageReading } from './sample-values.ts';

const MESSAGE_LIMITS = { ...MESSAGE_PAYLOAD, maxReadings: 5_000, rejectsOldTimes: true };
const NO_UNITS: TopicUnits = new Map();
const ANSWER_LIMITS = {
  maxBytes: 16 * 1024 * 1024,
  maxFields: 150_000,
  maxItems: 500_000,
  maxReadings: 150_000,
  rejectsOldTimes: false,
};

export interface Message {
  /** Null for a body that came over HTTP: every rule of the map applies to it. */
  readonly topic: string | null;
  readonly payload: Uint8Array;
  /** True if the broker stored it before the subscription, so that its time may be long ago. */
  readonly isRetained?: boolean;
  /** The units that are published under other topics. */
  readonly units?: TopicUnits;
  /** True for the answer to a request, which may be long, and whose period was chosen. */
  readonly isAnswer?: boolean;
}

export interface ReadMessage {
  readonly kind: 'items';
  readonly readings: readonly MessageReading[];
  readonly rain: readonly MessageRain[];
  /** Wind and radiation. */
  readonly weather: readonly MessageReading[];
  readonly gateways: readonly object[];
  /** Values that stand for a failed measurement. */
  readonly failedMeasurements: number;
  readonly firstFailure: Failure | null;
  /** The preset that read the message; undefined for a map of one’s own. */
  readonly source: string | undefined;
  /** Values that are left out, such as those in an unknown unit. */
  readonly rejectedValues: readonly RejectedValue[];
  /** The status of the devices, with the payload of those that the map assigns to no module. */
  readonly devices: readonly DeviceItem[];
  /** Set for a message with nothing but a status, where its rule has values. */
  readonly sampleWithoutValues: RuleSample | null;
}

export type ParsedMessage =
  | ReadMessage
  /** `empty`: the message is valid, but no path of the map has a value in it. */
  | {
      readonly kind: 'empty';
      readonly reason: UnreadReason;
      readonly sampleWithoutValues: RuleSample | null;
    }
  | { readonly kind: 'unreadable'; readonly reason: UnreadReason }
  /** `isUnknownTopic` for a topic that no rule reads. */
  | { readonly kind: 'ignored'; readonly reason: UnreadReason; readonly isUnknownTopic?: true };

const ignored = (why: string) => ({ kind: 'ignored', reason: unreadReasons.ignored(why) }) as const;

export const readPayload = (map: PayloadMap, message: Message, now: number): ParsedMessage =>
  finishAtOnce(payloadInSteps(map, message, now));

/** Yields after each part of the message: a gateway may send thousands of uplinks at once. */
export function* payloadInSteps(
  map: PayloadMap,
  message: Message,
  now: number,
): Generator<void, ParsedMessage> {
  if (message.isRetained === true) return ignored('it was retained');
  try {
    return yield* messageInSteps(map, message, now);
  } catch (error) {
    if (error instanceof UnreadableMessageError)
      return { kind: 'unreadable', reason: error.reason };
    // Deeply nested JSON can overflow the stack of JSON.parse, or of the search for U+0000.
    if (error instanceof RangeError)
      return {
        kind: 'unreadable',
        reason: unreadReasons.unreadable('the payload is nested too deeply'),
      };
    throw error;
  }
}

function* messageInSteps(
  map: PayloadMap,
  { topic, payload: bytes, isAnswer = false, units = NO_UNITS }: Message,
  now: number,
): Generator<void, ParsedMessage> {
  if (topic !== null && topic.length > MAX_TOPIC_TEXT)
    return ignored(`its topic has more than ${MAX_TOPIC_TEXT} characters`);

  const limits = isAnswer ? ANSWER_LIMITS : MESSAGE_LIMITS;
  const payload = createPayload(bytes, limits);
  const readingsRules = matchRules(map.readings, topic);
  const gatewayRules = matchRules(map.gateways, topic);
  if (readingsRules.length + gatewayRules.length === 0)
    return { ...ignored('the map has no rule for the topic'), isUnknownTopic: true };

  const items = yield* itemsInSteps(payload, readingsRules, { map, now, units, ...limits });
  const { readings, rain, weather, devices, failures, rejectedValues, source, hasValues } = items;
  const gateways = gatewayRules.map(({ rule, levels, index }) =>
    readGatewayStatus(rule, levels, [payload.as({ format: 'json' })], now, `gateways[${index}]`),
  );
  if (gateways.length === 0 && !hasValues && devices.length === 0) return withoutItems(items);

  return {
    kind: 'items',
    source,
    readings,
    rain,
    weather,
    gateways,
    failedMeasurements: failures.length,
    firstFailure: failures[0] ?? null,
    rejectedValues,
    devices,
    sampleWithoutValues: hasValues || gateways.length > 0 ? null : items.sampleWithoutValues,
  };
}

function withoutItems({
  otherPreset,
  isIgnored,
  firstEmptyPath,
  sampleWithoutValues,
}: UplinkItems): ParsedMessage {
  if (otherPreset !== null) {
    const reason = unreadReasons.otherPreset(otherPreset);
    return { kind: 'empty', reason, sampleWithoutValues: null };
  }
  if (isIgnored) return ignored('the map says so');
  return { kind: 'empty', reason: unreadReasons.noValue(firstEmptyPath), sampleWithoutValues };
}

function readGatewayStatus(
  rule: GatewaysRule,
  levels: TopicLevels,
  sample: Sample,
  now: number,
  mapPath: string,
): object {
  const figures = (['batteryMv', 'level', 'lat', 'lon'] as const).flatMap((name) => {
    const path = rule[name];
    if (path === undefined) return [];
    const rawValue = valueAt(sample, path.path);
    if (rawValue === undefined || rawValue === null) return [];

    const value = convertValue(path, rawValue);
    // A batch accepts whole millivolts only.
    const isMillivolts = name === 'batteryMv' && typeof value === 'number';
    return [[name, isMillivolts ? Math.round(value) : value]];
  });

  return {
    imei: extractName(rule.imei ?? '{imei}', levels, sample, 'imei', mapPath),
    lastSeen: extractTime(rule.lastSeen ?? 'arrival', sample, now, `${mapPath}.lastSeen`),
    ...Object.fromEntries(figures),
  };
}
