import { normalizeDeviceId } from '../../../domain/ingest/payload-values.ts';
import type { RainCounter } from '../../../domain/weather/rain-counter.ts';
import { type DeviceItem, deviceItem } from '../../../schema/ingest/ingest-items.ts';
import type { ParsedItems, UnassignedItem } from '../batch/parsed-items.ts';

/** Items that devices report about themselves, by name. */
export type DeviceItems = ReadonlyMap<string, DeviceItem>;

/** Invalid items are left out, because they hold nothing but a status. */
export function parseDevices(values: Iterable<unknown> = []): DeviceItems {
  const items = new Map<string, DeviceItem>();
  for (const value of values) {
    const { success, data } = deviceItem.safeParse(value);
    if (!success) continue;
    const name = normalizeDeviceId(data.device);
    items.set(name, { ...items.get(name), ...data });
  }
  return items;
}

/**
 * The contents of a batch that devices sent, without the readings of those assigned to a module.
 */
export interface SentByDevices {
  /** All devices that sent readings. */
  readonly senders: ReadonlySet<string>;
  readonly unassigned: readonly UnassignedItem[];
  readonly items: DeviceItems;
  /** The running totals of rain gauges after the batch. */
  readonly rainCounters: ReadonlyMap<string, RainCounter>;
}

export function sentByDevices(
  kinds: readonly Pick<ParsedItems<unknown>, 'senders' | 'unassigned'>[],
  items: DeviceItems,
  rainCounters: SentByDevices['rainCounters'],
): SentByDevices {
  return {
    senders: new Set(kinds.flatMap(({ senders }) => [...senders])),
    unassigned: kinds.flatMap(({ unassigned }) => unassigned),
    items,
    rainCounters,
  };
}
