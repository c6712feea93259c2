import {
  admitDevices,
  MAX_UNASSIGNED_DEVICES,
  type NewDevices,
} from '../../../domain/ingest/unassigned-devices.ts';
import { firstOf } from '../../../domain/items.ts';
import type { DeviceItem } from '../../../schema/ingest/ingest-items.ts';
import {
  allDevices,
  type DeviceRow,
  deleteDevices,
  devicesNamed,
  insertDevice,
  unassignedDevicesOfCompany,
  updateDeviceAssignment,
} from '../../../store/ingest/devices.ts';
import {
  deleteUnassignedReadings,
  type UnassignedReading,
  unassignedReadings,
  upsertUnassignedReadings,
} from '../../../store/ingest/unassigned-readings.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import type { BatchContext } from '../batch/batch-context.ts';
import { ItemRejections, itemExcerpt } from '../batch/item-rejections.ts';
import { rejected, type UnassignedItem } from '../batch/parsed-items.ts';
import { findModules, type SensorIndex } from '../sensor-index.ts';
import { saveEarlyStatuses, saveStatuses } from './device-status.ts';
import { wasAssigned } from './known-device.ts';
import type { SentByDevices } from './sent-by-devices.ts';

export interface DeviceContext extends Pick<BatchContext, 'index' | 'devices' | 'zone' | 'now'> {
  readonly sender: string;
  readonly source: string | undefined;
}

/** Readings of devices that are not assigned, which the last stage of a batch stores. */
export interface LastUnassigned {
  readonly last: readonly UnassignedReading[];
  /** How many readings of the earlier stages were new or had another value. */
  readonly storedBefore: number;
  /** The devices that the first stage admitted; null if the last stage is the only one. */
  readonly admitted: ReadonlySet<string> | null;
}

export interface UpdatedDevices {
  /** The devices of the batch that exist now: all but those above the limit. */
  readonly names: ReadonlySet<string>;
  /** New readings of unassigned devices. */
  readonly stored: number;
  /** Readings that were stored already. */
  readonly unchanged: number;
}

export const namesSent = ({ senders, items, unassigned }: SentByDevices): ReadonlySet<string> =>
  new Set([...senders, ...items.keys(), ...unassigned.map(({ reading }) => reading.device)]);

/**
 * Deletes the readings that were stored unassigned until this batch wrote them to modules, and stores
 * the last of devices that are still unassigned.
 */
export async function updateDevices(
  db: CompanyDb,
  context: DeviceContext,
  sent: SentByDevices,
  { storedBefore, last, admitted }: LastUnassigned,
): Promise<UpdatedDevices> {
  await deleteUnassignedReadings(db, context.devices.unassignedReadings);
  const names = namesSent(sent);
  if (names.size === 0) return { names, stored: 0, unchanged: 0 };

  // Admitted devices have no status yet: a second admission would not count them for their sender.
  const devices =
    admitted === null
      ? await saveDevices(db, context, sent, names)
      : await storedDevices(db, admitted);
  await saveStatuses(db, context, sent, devices);
  await saveEarlyStatuses(db, context, sent, devices);

  const lastOfDevices = last.filter(({ device }) => devices.has(device));
  const stored = storedBefore + (await upsertUnassignedReadings(db, lastOfDevices));
  const ofDevices = sent.unassigned.filter(({ reading }) => devices.has(reading.device));
  return { names: new Set(devices.keys()), stored, unchanged: ofDevices.length - stored };
}

type DevicesByName = ReadonlyMap<string, DeviceRow>;

const storedDevices = async (db: CompanyDb, names: ReadonlySet<string>): Promise<DevicesByName> =>
  new Map((await devicesNamed(db, [...names])).map((row) => [row.name, row]));

/** With more names, all devices of the company are read, which are far fewer. */
const MAX_NAMES = 1_000;

/**
 * Adds the new devices below the limit, and assigns those that the payload map of the sender
 * assigns. Returns all devices of the batch that exist now.
 */
export async function saveDevices(
  db: CompanyDb,
  context: DeviceContext,
  { unassigned, items }: SentByDevices,
  names: ReadonlySet<string>,
): Promise<DevicesByName> {
  const { index, now } = context;
  const isShort = names.size <= MAX_NAMES;
  const rows = await (isShort ? devicesNamed(db, [...names]) : allDevices(db));
  const stored = new Map(rows.map((row) => [row.name, row]));
  const sending = new Set(unassigned.map(({ reading }) => reading.device));
  const newNames = [...sending].filter(
    (name) => !stored.has(name) && assignmentOfItem(items.get(name), index) === null,
  );
  const added = await admitNewDevices(db, newNames, { sender: context.sender, sending, now });

  const saved = new Map<string, DeviceRow>();
  for (const name of names) {
    const assignment = assignmentOfItem(items.get(name), index);
    const columns = assignment ?? (added.has(name) ? UNASSIGNED : null);
    // Spares a promise for each of the thousands of names that a batch may have beyond the limit.
    if (columns === null && !stored.has(name)) continue;
    const device = await saveDevice(db, name, stored.get(name), columns, now);
    if (device !== null) saved.set(name, device);
  }

  return saved;
}

type AssignmentColumns = Pick<DeviceRow, 'module_id' | 'depths' | 'fields'>;

const UNASSIGNED: AssignmentColumns = { module_id: null, depths: null, fields: null };

/**
 * `columns` is null for a device that is not added or changed. An assigned device stays as it is.
 * Returns null if the device does not exist.
 */
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
  const isMoved = columns.module_id !== null && wasAssigned(stored);
  if (isMoved) await deleteUnassignedReadings(db, await unassignedReadings(db, name));
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

/** The assignment that the payload map of the sender names; null if it names none. */
function assignmentOfItem(
  { module, depths = [] }: Partial<DeviceItem> = {},
  index: SensorIndex,
): AssignmentColumns | null {
  const found = module === undefined ? [] : findModules(index, module);
  return found.length === 1
    ? { module_id: firstOf(found).id, depths: JSON.stringify(depths), fields: null }
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
