import { commonSource, isOfOtherNetwork } from '../../domain/ingest/device-sources.ts';
import { MAX_INGEST_DEVICES, MAX_INGEST_UNREAD } from '../../schema/ingest/ingest-batch.ts';
import {
  type DeviceItem,
  ITEM_LISTS,
  type ItemList,
  type UnreadItem,
} from '../../schema/ingest/ingest-items.ts';

export const MAX_MESSAGES_PER_BATCH = 300;
const COUNTED_LISTS = ['readings', 'rain', 'weather', 'devices', 'unread'] as const;
/** The counts of devices and unread messages are all that a service accepts in a batch. */
const MAX_ITEMS_PER_BATCH: Readonly<Record<(typeof COUNTED_LISTS)[number], number>> = {
  readings: 20_000,
  rain: 20_000,
  weather: 20_000,
  devices: MAX_INGEST_DEVICES,
  unread: MAX_INGEST_UNREAD,
};

export interface BrokerMessage {
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly isRetained: boolean;
  acknowledge(): void;
}

/** The contents of one or more messages, in the lists of a batch. */
export interface ItemLists extends Readonly<Record<ItemList, readonly object[]>> {
  readonly devices: readonly DeviceItem[];
  readonly unread: readonly UnreadItem[];
  /** The preset or network; undefined if it is not known. */
  readonly source?: string | undefined;
}

export interface PendingMessage extends ItemLists {
  readonly message: BrokerMessage;
}

/**
 * The oldest messages of one network, each device of which one preset reads, within all
 * limits; one with too many items is a batch of its own.
 */
export function firstBatch(pending: readonly PendingMessage[]): PendingMessage[] {
  const batch: PendingMessage[] = [];
  const presets = new Map<string, string>();
  const counts = { readings: 0, rain: 0, weather: 0, devices: 0, unread: 0 };
  let source: string | undefined;

  for (const pendingMessage of pending) {
    for (const list of COUNTED_LISTS) counts[list] += pendingMessage[list].length;
    const isTooLarge = COUNTED_LISTS.some((list) => counts[list] > MAX_ITEMS_PER_BATCH[list]);
    if ((isTooLarge && batch.length > 0) || batch.length === MAX_MESSAGES_PER_BATCH) break;

    const { source: next } = pendingMessage;
    if (source !== undefined && next !== undefined && isOfOtherNetwork(source, next)) break;
    source ??= next;

    const devices = pendingMessage.devices.flatMap(({ device, source: preset }) =>
      preset === undefined ? [] : [{ device, preset }],
    );
    if (devices.some(({ device, preset }) => (presets.get(device) ?? preset) !== preset)) break;
    for (const { device, preset } of devices) presets.set(device, preset);
    batch.push(pendingMessage);
  }
  return batch;
}

export const itemsOfBatch = (batch: readonly PendingMessage[]): ItemLists => ({
  readings: batch.flatMap(({ readings }) => readings),
  rain: batch.flatMap(({ rain }) => rain),
  weather: batch.flatMap(({ weather }) => weather),
  gateways: batch.flatMap(({ gateways }) => gateways),
  devices: mergedDevices(batch.flatMap(({ devices }) => devices)),
  unread: batch.flatMap(({ unread }) => unread),
  source: commonSource(batch.map(({ source }) => source)),
});

/** One item for each device, with the last value of every field. */
function mergedDevices(devices: readonly DeviceItem[]): DeviceItem[] {
  const merged = new Map<string, DeviceItem>();
  for (const item of devices) merged.set(item.device, { ...merged.get(item.device), ...item });
  return [...merged.values()];
}

const ITEM_LOCATION = /^(.+)\[(\d+)\]$/;

/** `location` counts through all messages: "readings[3]" is the fourth reading of the batch. */
export function messageOfItem(batch: readonly PendingMessage[], location: string): BrokerMessage {
  const [, name, index] = ITEM_LOCATION.exec(location) ?? [];
  const list = ITEM_LISTS.find((itemList) => itemList === name);
  let end = 0;
  for (const pending of batch) {
    end += list === undefined ? 0 : pending[list].length;
    if (Number(index) < end) return pending.message;
  }
  throw new Error(`The batch has no item ${location}`);
}
