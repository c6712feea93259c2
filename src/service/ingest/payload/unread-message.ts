import { finishAtOnce, finishInSlices, type TimeSlice } from '../../../domain/event-loop.ts';
import { valueAt } from '../../../domain/ingest/payload-path.ts';
import { MAX_SENDERS } from '../../../domain/ingest/unread-messages.ts';
import type { UnreadReason } from '../../../domain/ingest/unread-reason.ts';
import { unreadReasons } from '../../../language/ingest/unread-reasons.ts';
import { MAX_DEVICE_NAME } from '../../../schema/ingest/device.ts';
import {
  MAX_DEVICE_PAYLOAD,
  MAX_UNREAD_REASON,
  type UnreadItem,
} from '../../../schema/ingest/ingest-items.ts';
import type { PayloadMap, ReadingsRule } from '../../../schema/ingest/payload-map.ts';
import { networkOfRule } from './lorawan/networks.ts';
import { deviceNames } from './message-devices.ts';
import { namesMeasurement, unknownFields } from './message-fields.ts';
import { extractName } from './message-values.ts';
import { createPayload, type Payload, UnreadableMessageError } from './payload.ts';
import {
  mapTopics,
  matchRules,
  matchTopic,
  type TopicLevels,
  toSubscription,
} from './payload-map.ts';
import { allPresets, mapOfPresets } from './presets.ts';
import {
  type Message,
  type ParsedMessage,
  payloadInSteps,
  type ReadMessage,
} from './read-payload.ts';
import type { Failure } from './sample-values.ts';

/** Every other preset reads the message again, which would take long for a large one. */
const MAX_BYTES_TO_TRY_PRESETS = 16_384;

/** A message, the map that reads it, and what this gave. */
export interface MessageRead {
  readonly map: PayloadMap;
  readonly message: Message;
  /** The topic, or the preset or map of the webhook. */
  readonly via: string;
  readonly parsed: ParsedMessage;
  readonly now: number;
}

/**
 * The items to store of a message that gave nothing, or of which values were left out. None of one
 * that is ignored on purpose.
 */
export const unreadItems = (read: MessageRead): UnreadItem[] => finishAtOnce(unreadInSteps(read));

/** Reads a message, and what is stored of it if it gave nothing, in slices. */
export const readInSlices = (
  received: Omit<MessageRead, 'parsed'>,
  slice: TimeSlice,
): Promise<{ readonly parsed: ParsedMessage; readonly unread: readonly UnreadItem[] }> =>
  finishInSlices(receivedInSteps(received), slice);

function* receivedInSteps(received: Omit<MessageRead, 'parsed'>) {
  const parsed = yield* payloadInSteps(received.map, received.message, received.now);
  return { parsed, unread: yield* unreadInSteps({ ...received, parsed }) };
}

function* unreadInSteps(read: MessageRead): Generator<void, UnreadItem[]> {
  const { parsed } = read;
  if (hasFailed(parsed)) {
    const { path, value } = parsed.firstFailure;
    const name = path.split('.').at(-1) ?? '';
    return [
      unreadItem(read, { ...describeMessage(read), reason: unreadReasons.failed(name, value) }),
    ];
  }
  if (parsed.kind !== 'items' || parsed.sampleWithoutValues !== null) {
    const unread = yield* unreadMessage(read);
    return unread === null ? [] : [unread];
  }

  if (parsed.rejectedValues.length === 0) return [];
  const { payload } = describeMessage(read);
  const isReadInPart = givesValues(parsed);
  return parsed.rejectedValues.slice(0, MAX_SENDERS.devices).map(({ sender, reason: ofValue }) => {
    const reason = isReadInPart ? unreadReasons.valueRefused(ofValue.text) : ofValue;
    return unreadItem(read, { sender, reason, payload });
  });
}

const givesValues = ({
  readings,
  rain,
  weather,
}: Pick<ReadMessage, 'readings' | 'rain' | 'weather'>): boolean =>
  readings.length + rain.length + weather.length > 0;

/** A message in which all measurements failed. */
function hasFailed(
  parsed: ParsedMessage,
): parsed is ReadMessage & { readonly firstFailure: Failure } {
  if (parsed.kind !== 'items' || parsed.firstFailure === null) return false;
  return !givesValues(parsed) && parsed.rejectedValues.length === 0;
}

function* unreadMessage(read: MessageRead): Generator<void, UnreadItem | null> {
  const { parsed } = read;
  const described = describeMessage(read);
  const reason =
    parsed.kind === 'ignored'
      ? reasonOfTopic(read, parsed)
      : yield* reasonOf(read, parsed, described.sender !== null);
  return reason === null ? null : unreadItem(read, { ...described, reason });
}

function unreadItem(
  { via }: MessageRead,
  { sender, reason, payload }: DescribedMessage & { readonly reason: UnreadReason },
): UnreadItem {
  const shortVia = via.slice(0, MAX_DEVICE_NAME);
  const item = {
    sender: sender ?? shortVia,
    via: shortVia,
    reason: { ...reason, text: reason.text.slice(0, MAX_UNREAD_REASON) },
  };
  return payload === null ? item : { ...item, payload: payload.slice(0, MAX_DEVICE_PAYLOAD) };
}
/** The word for what is measured in the soil, in the name of a topic. */
const SOIL_WORD = /soil|moist|vwc|tension|potential/i;

/**
 * A map subscribes to more topics than it reads, such as those of all entities of Home Assistant;
 * other topics are those of an earlier map, which the broker still sends.
 */
function reasonOfTopic(
  { map, message: { topic } }: MessageRead,
  { isUnknownTopic }: Extract<ParsedMessage, { readonly kind: 'ignored' }>,
): UnreadReason | null {
  if (!isUnknownTopic || topic === null) return null;
  const isSubscribed = mapTopics(map)
    .map(toSubscription)
    .some((pattern) => matchTopic(pattern, topic) !== null);
  return isSubscribed && !SOIL_WORD.test(topic) ? null : unreadReasons.unreadTopic(mapTopics(map));
}

function* reasonOf(
  read: MessageRead,
  parsed: Exclude<ParsedMessage, { readonly kind: 'ignored' }>,
  namesDevice: boolean,
): Generator<void, UnreadReason | null> {
  if (parsed.kind === 'unreadable') return parsed.reason;
  if (parsed.sampleWithoutValues === null) return parsed.kind === 'empty' ? parsed.reason : null;

  const { rule, sample } = parsed.sampleWithoutValues;
  const network = networkOfRule(rule);
  const decoded = network && valueAt(sample, network.decoded);
  const isDecoded = (decoded ?? null) !== null;
  if (network !== undefined && namesDevice && !isDecoded) {
    // The network reports more than uplinks, such as that a device joined.
    const isUplink = (valueAt(sample, network.uplink) ?? null) !== null;
    return isUplink ? unreadReasons.notDecoded(network.decoded, network.decoder) : null;
  }

  const fields = unknownFields(parsed.sampleWithoutValues);
  if (isStatus(parsed, fields)) return null;

  // Of the presets of a network of LoRaWAN, the one that fits was found when the message was read.
  const fitting = network === undefined ? yield* fittingPreset(read) : null;
  return fitting === null ? unreadReasons.noKnownField(fields) : unreadReasons.otherPreset(fitting);
}

const isStatus = (parsed: ParsedMessage, fields: ReturnType<typeof unknownFields>): boolean =>
  parsed.kind === 'items' && parsed.readings.length === 0 && !namesMeasurement(fields);

function* fittingPreset({ message, now }: MessageRead): Generator<void, string | null> {
  if (message.payload.length > MAX_BYTES_TO_TRY_PRESETS) return null;
  for (const preset of allPresets()) {
    const parsed = yield* payloadInSteps(mapOfPresets([preset], undefined), message, now);
    // Without a value of its own, a preset finds no more than fields by their names.
    if (parsed.kind === 'items' && parsed.sampleWithoutValues === null && givesValues(parsed))
      return preset.name;
  }
  return null;
}

interface DescribedMessage {
  /** The device or module that the message names. */
  readonly sender: string | null;
  /** Null if it cannot be decoded and may hold a secret. */
  readonly payload: string | null;
}

function describeMessage({ map, message }: MessageRead): DescribedMessage {
  const { topic, payload: bytes } = message;
  const text = Buffer.from(bytes.subarray(0, MAX_DEVICE_PAYLOAD)).toString();
  const rules = matchRules(map.readings, topic);
  const secrets = (map.readings ?? []).flatMap((rule) => rule.secrets ?? []);

  const payload = withoutErrors(() => createPayload(bytes));
  const sender = firstNotNull(rules, ({ rule, levels }) =>
    withoutErrors(() => payload && senderOf(rule, levels, payload)),
  );
  const decoded = firstNotNull(rules, ({ rule }) =>
    withoutErrors(() => payload && shownText(payload.as({ ...rule, secrets }))),
  );
  return { sender, payload: decoded ?? (secrets.length > 0 ? null : text) };
}

const shownText = (decoded: unknown): string =>
  typeof decoded === 'string' ? decoded : JSON.stringify(decoded);

function firstNotNull<T, R>(items: readonly T[], read: (item: T) => R | null): R | null {
  for (const item of items) {
    const found = read(item);
    if (found !== null) return found;
  }
  return null;
}

function senderOf(rule: ReadingsRule, levels: TopicLevels, payload: Payload): string {
  const sample = [payload.as(rule)];
  if (rule.device === undefined)
    return extractName(rule.module ?? '{module}', levels, sample, 'module', '');
  return deviceNames(rule.device, { rule, levels, sample, mapPath: '' }).device;
}

/** Null if the message cannot be decoded, or lacks what is read. */
function withoutErrors<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableMessageError || error instanceof RangeError) return null;
    throw error;
  }
}
