import { normalizeDeviceId } from '../../../domain/ingest/payload-values.ts';
import { MAX_DEVICE_NAME } from '../../../schema/ingest/device.ts';
import { ITEM_LISTS, type ItemList } from '../../../schema/ingest/ingest-items.ts';

/** The lists of a batch, each of which may be read twice; `unread` are messages not read in full. */
export type BatchItems = {
  readonly [List in ItemList | 'devices' | 'unread']?: Iterable<unknown> | undefined;
};

/** The names in the items of a batch, which may turn out to be invalid. */
export interface BatchNames {
  readonly devices: ReadonlySet<string>;
  readonly imeis: ReadonlySet<string>;
}

/** Finding the names takes a pass over all items, which would take long in a large batch. */
const MAX_ITEMS = 1_000;

/** Also those whose messages gave nothing. */
export function deviceNamesIn(batch: BatchItems): Set<string> {
  const names = new Set<string>();
  for (const item of [...allItems(batch), ...(batch.unread ?? [])]) {
    const { device, sender = device } = Object(item);
    if (isDeviceName(sender)) names.add(normalizeDeviceId(sender));
  }
  return names;
}

export const isDeviceName = (device: unknown): device is string =>
  typeof device === 'string' && device !== '' && device.length <= MAX_DEVICE_NAME;

/**
 * Null if the batch has so many items that loading all devices and gateways takes little time in
 * comparison.
 */
export function namesInBatch(batch: BatchItems): BatchNames | null {
  const names = {
    devices: new Set<string>(),
    imeis: new Set<string>(),
  };

  let count = 0;
  for (const item of allItems(batch)) {
    if (++count > MAX_ITEMS) return null;
    const { device, imei } = Object(item);
    if (isDeviceName(device)) names.devices.add(normalizeDeviceId(device));
    if (typeof imei === 'string') names.imeis.add(imei);
  }

  return names;
}

function* allItems(batch: BatchItems): Generator<unknown> {
  for (const list of [...ITEM_LISTS, 'devices'] as const) yield* batch[list] ?? [];
}
