import { normalizeDeviceId } from '../../../domain/ingest/payload-values.ts';
import {
  admitDevices,
  MAX_UNASSIGNED_DEVICES,
  type NewDevices,
} from '../../../domain/ingest/unassigned-devices.ts';
import { firstOf } from '../../../domain/items.ts';
import { visibleText } from '../../../domain/text.ts';
import { type DeviceItem, deviceItem } from '../../../schema/ingest/ingest-batch.ts';
import {
  type DeviceRow,
  type DeviceStatus,
  deleteDevices,
  devicesNamed,
  insertDevice,
  saveDeviceStatus,
  statusOfDevices,
  unassignedDevicesOfCompany,
  updateDeviceAssignment,
} from '../../../store/ingest/devices.ts';
import {
  deleteUnassignedReadings,
  upsertUnassignedReadings,
} from '../../../store/ingest/unassigned-readings.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import type { BatchContext } from '../batch/batch-context.ts';
import { ItemRejections, itemExcerpt } from '../batch/item-rejections.ts';
import { type ParsedItems, rejected, type UnassignedItem } from '../batch/parsed-items.ts';
import { ReadingTimeParser } from '../reading-times.ts';
import { findModules, type SensorIndex } from '../sensor-index.ts';
import { type Receiver, recordReceivers } from './receivers.ts';

/** What devices report about themselves, by name. */
export type DeviceItems = ReadonlyMap<string, DeviceItem>;

/** Invalid items are passed over, because they are no more than a status. */
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

interface DeviceContext extends Pick<BatchContext, 'index' | 'devices' | 'zone' | 'now'> {
  readonly sender: string;
}

/** What a batch says about devices, without the readings of assigned ones. */
interface SentByDevices {
  /** All devices that sent readings. */
  readonly senders: ReadonlySet<string>;
  readonly unassigned: readonly UnassignedItem[];
  readonly items: DeviceItems;
}

export function sentByDevices(
  kinds: readonly Pick<ParsedItems<unknown>, 'senders' | 'unassigned'>[],
  items: DeviceItems,
): SentByDevices {
  return {
    senders: new Set(kinds.flatMap(({ senders }) => [...senders])),
    unassigned: kinds.flatMap(({ unassigned }) => unassigned),
    items,
  };
}

export interface UpdatedDevices {
  /** All that were not left out because there are too many. */
  readonly names: ReadonlySet<string>;
  /** New readings of unassigned devices. */
  readonly stored: number;
  /** Readings that were stored already. */
  readonly unchanged: number;
}

/**
 * Deletes the readings that the batch wrote to their modules, and stores those of unassigned
 * devices.
 */
export async function updateDevices(
  db: CompanyDb,
  context: DeviceContext,
  sent: SentByDevices,
): Promise<UpdatedDevices> {
  await deleteUnassignedReadings(db, context.devices.unassignedReadings);
  const names = new Set([...sent.senders, ...sent.items.keys()]);
  if (names.size === 0) return { names, stored: 0, unchanged: 0 };

  const devices = await saveDevices(db, context, sent, names);
  await saveStatuses(db, context, sent, devices);

  const readings = sent.unassigned
    .map(({ reading }) => reading)
    .filter(({ device }) => devices.has(device));
  const stored = await upsertUnassignedReadings(db, readings);
  return { names: new Set(devices.keys()), stored, unchanged: readings.length - stored };
}

type DevicesByName = ReadonlyMap<string, DeviceRow>;

/**
 * Adds the new devices below the limit, and assigns those that the payload map of the sender
 * assigns. Returns all devices of the batch that exist now.
 */
async function saveDevices(
  db: CompanyDb,
  context: DeviceContext,
  { unassigned, items }: SentByDevices,
  names: ReadonlySet<string>,
): Promise<DevicesByName> {
  const { index, now } = context;
  const stored = new Map((await devicesNamed(db, [...names])).map((row) => [row.name, row]));
  const sending = new Set(unassigned.map(({ reading }) => reading.device));
  const newNames = [...sending].filter(
    (name) => !stored.has(name) && assignmentOfItem(items.get(name), index) === null,
  );
  const added = await admitNewDevices(db, newNames, { sender: context.sender, sending, now });

  const saved = new Map<string, DeviceRow>();
  for (const name of names) {
    const assignment = assignmentOfItem(items.get(name), index);
    const addedAs = added.has(name) ? UNASSIGNED : null;
    const device = await saveDevice(db, name, stored.get(name), assignment ?? addedAs, now);
    if (device !== null) saved.set(name, device);
  }

  return saved;
}

type AssignmentColumns = Pick<DeviceRow, 'module_id' | 'depths'>;

const UNASSIGNED: AssignmentColumns = { module_id: null, depths: null };

/** Null for a new device above the limit. A device that is assigned stays as it is. */
async function saveDevice(
  db: CompanyDb,
  name: string,
  stored: DeviceRow | undefined,
  columns: AssignmentColumns | null,
  now: number,
): Promise<DeviceRow | null> {
  const isAssigned = stored !== undefined && stored.module_id !== null;
  if (isAssigned || columns === null) return stored ?? null;

  const device = { name, ...columns, first_seen_at: stored?.first_seen_at ?? now };
  await (stored === undefined ? insertDevice(db, device) : updateDeviceAssignment(db, device));
  return device;
}

/** Deletes the devices that the new ones replace. Returns the new ones below the limit. */
async function admitNewDevices(
  db: CompanyDb,
  names: readonly string[],
  batch: Omit<NewDevices, 'names'>,
): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();

  const stored = await unassignedDevicesOfCompany(db);
  const { added, replaced } = admitDevices(stored, { ...batch, names });
  await deleteDevices(db, replaced);
  return added;
}

/** The assignment that the payload map of the sender names. */
function assignmentOfItem(
  { module, depths = [] }: Partial<DeviceItem> = {},
  index: SensorIndex,
): AssignmentColumns | null {
  const found = module === undefined ? [] : findModules(index, module);
  return found.length === 1
    ? { module_id: firstOf(found).id, depths: JSON.stringify(depths) }
    : null;
}

/** The items of devices above the limit, each with its reason. */
export function rejectedDevices(
  unassigned: readonly UnassignedItem[],
  { names }: UpdatedDevices,
): ItemRejections {
  const rejections = new ItemRejections();
  for (const { reading, location, item } of unassigned)
    if (!names.has(reading.device))
      rejections.add(location, () => itemExcerpt(item), TOO_MANY_DEVICES);
  return rejections;
}

const TOO_MANY_DEVICES = rejected({
  text: `the limit of ${MAX_UNASSIGNED_DEVICES} unassigned devices is reached, and this sender has its share of them: assign some, or narrow what is read`,
});

async function saveStatuses(
  db: CompanyDb,
  { now, zone, sender }: DeviceContext,
  { unassigned, items }: SentByDevices,
  devices: DevicesByName,
): Promise<void> {
  const statuses = await statusOfDevices(db, [...devices.keys()]);
  const sending = new Set(unassigned.map(({ reading }) => reading.device));
  const times = new ReadingTimeParser({ zone, now });
  const receivers: Receiver[] = [];

  for (const [name, { module_id: moduleId }] of devices) {
    const { payload, ...item }: Partial<DeviceItem> = items.get(name) ?? {};
    const at = item.time === undefined ? now : times.parse(item.time);
    // A payload without a reading is only the status that a network sends, so it is not shown.
    const payloadToShow = sending.has(name) ? payload : undefined;
    const stored = statuses.get(name);
    const status = mergeStatus(
      { ...item, payload: payloadToShow },
      Number.isNaN(at) ? now : Math.min(at, now),
      stored,
    );

    await saveDeviceStatus(db, {
      ...status,
      device: name,
      payload: moduleId === null ? status.payload : null,
      sender: stored?.sender ?? sender,
      listed_at: stored?.listed_at ?? null,
    });
    if (moduleId !== null && status.gateway !== null)
      receivers.push({ moduleId, imei: status.gateway, at: status.last_seen_at });
  }

  await recordReceivers(db, receivers, now);
}

type ReportedStatus = Omit<DeviceStatus, 'device' | 'sender' | 'listed_at'>;

/**
 * A message has part of the status: one of the network has the battery, a reading the signal. A
 * message older than the stored status only adds values that the stored status lacks.
 */
function mergeStatus(
  item: Partial<DeviceItem>,
  at: number,
  stored: DeviceStatus | undefined,
): ReportedStatus {
  const { payload, batteryPercent, batteryV } = item;
  const isOld = stored !== undefined && at < stored.last_seen_at;
  const preferred = <T>(sent: T | null | undefined, before: T | null | undefined): T | null =>
    (isOld ? (before ?? sent) : (sent ?? before)) ?? null;

  return {
    last_seen_at: Math.max(at, stored?.last_seen_at ?? at),
    payload: preferred(payload === undefined ? null : visibleText(payload), stored?.payload),
    battery_percent: preferred(batteryPercent, stored?.battery_percent),
    battery_v: preferred(batteryV, stored?.battery_v),
    ...(preferred(linkOfItem(item), linkOfStatus(stored)) ?? NO_LINK),
  };
}

/** The radio link to the gateway that received the message best. */
type Link = Pick<DeviceStatus, 'gateway' | 'rssi' | 'snr'>;

const NO_LINK: Link = { gateway: null, rssi: null, snr: null };

const linkOfItem = ({ gateway, rssi, snr }: Partial<DeviceItem>): Link | null =>
  gateway === undefined
    ? null
    : { gateway: normalizeDeviceId(gateway), rssi: rssi ?? null, snr: snr ?? null };

const linkOfStatus = (status: DeviceStatus | undefined): Link | null =>
  status?.gateway == null ? null : { gateway: status.gateway, rssi: status.rssi, snr: status.snr };
