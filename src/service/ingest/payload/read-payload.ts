import { finishAtOnce } from '../../../domain/event-loop.ts';
import { commonSource } from '../../../domain/ingest/device-sources.ts';
import { type Sample, valueAt } from '../../../domain/ingest/payload-path.ts';
import type { UnreadReason } from '../../../domain/ingest/unread-reason.ts';
import { MAX_TOPIC_TEXT } from '../../../domain/text/greatest-lengths.ts';
import { unreadReasons } from '../../../language/ingest/unread-reasons.ts';
import type { DeviceItem } from '../../../schema/ingest/ingest-items.ts';
import type { GatewaysRule, PayloadMap, ReadingsRule } from '../../../schema/ingest/payload-map.ts';
import { bestPreset } from './lorawan/best-preset.ts';
import { assertEnvelope } from './lorawan/networks.ts';
import { uplinksIn } from './lorawan/uplinks.ts';
import type { RuleSample } from './message-devices.ts';
import type { Failure } from './message-failures.ts';
import { MessageItems, type MessageReading } from './message-items.ts';
import type { MessageRain } from './message-rain.ts';
import type { Refusal } from './message-refusals.ts';
import { convertValue, extractName, extractTime, type TopicUnits } from './message-values.ts';
import { createPayload, MESSAGE_PAYLOAD, type Payload, UnreadableMessageError } from './payload.ts';
import { type MatchedRule, matchRules, type TopicLevels } from './payload-map.ts';

const MESSAGE_LIMITS = { ...MESSAGE_PAYLOAD, maxReadings: 5_000, refusesOldTimes: true };
const NO_UNITS: TopicUnits = new Map();
const ANSWER_LIMITS = {
  maxBytes: 16 * 1024 * 1024,
  maxFields: 150_000,
  maxReadings: 150_000,
  refusesOldTimes: false,
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
  readonly refusals: readonly Refusal[];
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

  const items = new MessageItems(map, now, limits, units);
  const { source, otherPreset } = yield* uplinksInSteps(items, payload, readingsRules);
  items.end();
  const gateways = gatewayRules.map(({ rule, levels, index }) =>
    readGatewayStatus(rule, levels, [payload.as({})], now, `gateways[${index}]`),
  );

  if (gateways.length === 0 && items.isEmpty) {
    if (otherPreset !== null) {
      const reason = unreadReasons.otherPreset(otherPreset);
      return { kind: 'empty', reason, sampleWithoutValues: null };
    }
    if (items.isIgnored) return ignored('the map says so');
    const reason = unreadReasons.noValue(items.firstEmptyPath);
    return { kind: 'empty', reason, sampleWithoutValues: items.sampleWithoutValues };
  }

  const { readings, rain, weather, failedMeasurements, firstFailure, refusals, foundCount } = items;
  return {
    kind: 'items',
    source,
    readings,
    rain,
    weather,
    gateways,
    failedMeasurements,
    firstFailure,
    refusals,
    devices: items.devices.items,
    sampleWithoutValues: foundCount > 0 || gateways.length > 0 ? null : items.sampleWithoutValues,
  };
}

interface ReadUplinks {
  /** The preset of the uplinks that are read, or their network if they have several. */
  readonly source: string | undefined;
  /** The preset that reads an uplink better than those of the map; null without one. */
  readonly otherPreset: string | null;
}

function* uplinksInSteps(
  items: MessageItems,
  payload: Payload,
  matched: readonly MatchedRule<ReadingsRule>[],
): Generator<void, ReadUplinks> {
  const allRules = matched.map(({ rule }) => rule);
  const sources: (string | undefined)[] = [];
  let otherPreset: string | null = null;

  for (const uplink of uplinksIn(payload, allRules)) {
    assertEnvelope(allRules, uplink);
    const best = yield* bestPreset(allRules, uplink);
    if (best !== null && !allRules.some(({ preset }) => preset === best)) {
      otherPreset = best;
      continue;
    }

    const fits = ({ preset }: ReadingsRule): boolean =>
      best === null || preset === undefined || preset === best;
    const fitting = matched.filter(({ rule }) => fits(rule));
    sources.push(best ?? commonSource(fitting.map(({ rule }) => rule.preset)));
    const foundBefore = items.foundCount;
    let withoutValues: RuleSample | null = null;
    for (const { rule, levels, index } of fitting) {
      const sample = yield* items.readInSteps(uplink, rule, levels, `readings[${index}]`);
      withoutValues ??= sample;
    }
    if (withoutValues !== null && items.foundCount === foundBefore) items.readFields(withoutValues);
  }

  return { source: commonSource(sources), otherPreset };
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
