import {
  isOfOtherNetwork,
  isOtherPreset,
  nameOnNetwork,
} from '../../../domain/ingest/device-sources.ts';
import { normalizeDeviceId } from '../../../domain/ingest/payload-values.ts';
import { isObject } from '../../../domain/records.ts';
import { unreadReasons } from '../../../language/ingest/unread-reasons.ts';
import { MAX_DEVICE_NAME } from '../../../schema/ingest/device.ts';
import { devicesNamed, statusOfDevices } from '../../../store/ingest/devices.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import { type BatchItems, deviceNamesIn, isDeviceName } from '../batch/batch-names.ts';
import { type ItemReasons, rejected } from '../batch/parsed-items.ts';

/** The consequences of the source of a batch for the devices that it names. */
export interface DeviceSources {
  /** The names of devices whose plain names are those of devices of other networks. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Devices that another preset of the network reads. */
  readonly readByOthers: ReadonlySet<string>;
  /** The ones of these that are assigned, with the reason why their items are rejected. */
  readonly rejectionsByDevice: ReadonlyMap<string, ItemReasons>;
}

/** `source` is undefined if it is not known. */
export async function loadDeviceSources(
  db: CompanyDb,
  batch: BatchItems,
  source: string | undefined,
): Promise<DeviceSources> {
  const renamed = new Map<string, string>();
  const readByOthers = new Set<string>();
  const rejectionsByDevice = new Map<string, ItemReasons>();
  const sources = { renamed, readByOthers, rejectionsByDevice };
  const ownSources = sourcesOfItems(batch);
  if (source === undefined && ownSources.size === 0) return sources;

  const names = [...deviceNamesIn(batch)];
  const statuses = await statusOfDevices(db, names);
  const assigned = new Set(
    (await devicesNamed(db, names)).flatMap((row) => (row.module_id === null ? [] : row.name)),
  );

  for (const name of names) {
    const known = statuses.get(name)?.source ?? null;
    const sent = ownSources.get(name) ?? source;
    if (known === null || sent === undefined) continue;
    if (isOfOtherNetwork(known, sent))
      renamed.set(name, nameOnNetwork(name, sent).slice(0, MAX_DEVICE_NAME));
    if (!isOtherPreset(known, sent)) continue;

    readByOthers.add(name);
    if (assigned.has(name))
      rejectionsByDevice.set(name, rejected(unreadReasons.readByPreset(known)));
  }

  return sources;
}

/** The presets that the statuses of devices name. */
function sourcesOfItems({ devices = [] }: BatchItems): Map<string, string> {
  const sources = new Map<string, string>();
  for (const item of devices) {
    const { device, source } = Object(item);
    if (isDeviceName(device) && typeof source === 'string')
      sources.set(normalizeDeviceId(device), source);
  }
  return sources;
}

/** The same items with the names of their devices. */
export function withDeviceNames<Batch extends BatchItems>(
  batch: Batch,
  { renamed }: DeviceSources,
): Batch {
  if (renamed.size === 0) return batch;

  const rename = (field: 'device' | 'sender') => (item: unknown) => {
    if (!isObject(item)) return item;
    const name = item[field];
    const other = typeof name === 'string' ? renamed.get(normalizeDeviceId(name)) : undefined;
    return other === undefined ? item : { ...item, [field]: other };
  };
  const { readings, rain, weather, devices, unread } = batch;
  const items = (list: Iterable<unknown> | undefined) => list && [...list].map(rename('device'));
  return {
    ...batch,
    readings: items(readings),
    rain: items(rain),
    weather: items(weather),
    devices: items(devices),
    unread: unread && [...unread].map(rename('sender')),
  };
}
