import { normalizeDeviceId } from '../../domain/ingest/payload-values.ts';
import {
  MAX_UNASSIGNED_DEVICES,
  type NewDevices,
  placesOfNewDevices,
} from '../../domain/ingest/unassigned-devices.ts';
import type { MeasurementType } from '../../domain/moisture/series.ts';
import { visibleText } from '../../domain/text.ts';
import type { CheckContext } from '../../operation/call.ts';
import {
  type DeviceRow,
  deviceRow,
  type RainRow,
  type ReadingRow,
  STATION_MEASURES,
  type WeatherRow,
} from '../../schema/ingest/ingest-batch.ts';
import {
  allDevices,
  type DeviceRecord,
  type DeviceStatus,
  deleteDevices,
  devicesNamed,
  insertDevice,
  saveDeviceStatus,
  statusOfDevices,
  unassignedDevicesOfCompany,
  updateDeviceAssignment,
} from '../../store/ingest/devices.ts';
import {
  deleteUnassignedReadings,
  type StoredReading,
  type UnassignedReading,
  unassignedReadings,
  upsertUnassignedReadings,
} from '../../store/ingest/unassigned-readings.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { toIso } from '../wire-format.ts';
import { type Receiver, recordReceivers } from './gateways.ts';
import { createReadingTimeParser } from './reading-times.ts';
import { type BatchRejections, rowExcerpt } from './rejected-rows.ts';
import { findModules, type SensorIndex } from './sensor-index.ts';

export interface DeviceAssignment {
  readonly moduleId: number;
  readonly depths: readonly number[];
}

export interface DeviceDirectory {
  readonly assignments: ReadonlyMap<string, DeviceAssignment>;
  /** Readings that came before their device was assigned. */
  readonly unassignedReadings: readonly StoredReading[];
}

/** Null for all devices of the company. */
export async function loadDevices(
  db: CompanyDb,
  names: ReadonlySet<string> | null,
): Promise<DeviceDirectory> {
  const devices = names === null ? await allDevices(db) : await devicesNamed(db, [...names]);
  const assignments = new Map<string, DeviceAssignment>();
  for (const device of devices) {
    const assignment = assignmentOf(device);
    if (assignment !== null) assignments.set(device.name, assignment);
  }
  const readings = await unassignedReadings(db, [...assignments.keys()]);
  return { assignments, unassignedReadings: readings };
}

export const assignmentOf = ({
  module_id: moduleId,
  depths,
}: DeviceRecord): DeviceAssignment | null =>
  moduleId === null ? null : { moduleId, depths: depths === null ? [] : JSON.parse(depths) };

type DeviceReading = Pick<ReadingRow, 'position' | 'depth'>;

/** Null for a sensor that has no depth. */
export const depthOnDevice = (
  { depths }: DeviceAssignment,
  { position = 0, depth }: DeviceReading,
): number | null => (depth !== undefined ? depth : (depths[position] ?? null));

/** Readings of the humidity of the air have a depth of null or 0. */
export const isMoistureReading = ({ type, depth }: Pick<ReadingRow, 'type' | 'depth'>): boolean =>
  type === 'humidity' && depth !== null && depth !== 0;

/** Where the device measures, as an unassigned reading stores it. */
export const sourceOnDevice = ({
  position = 0,
  depth,
}: DeviceReading): Pick<UnassignedReading, 'position' | 'depthCm'> =>
  depth === undefined ? { position, depthCm: null } : { position: null, depthCm: depth };

const NO_SOURCE = { position: null, depthCm: null } as const;

/** Of readings other than rain. */
export const NO_PERIOD = { minutes: null, isDayTotal: false } as const;

export const isRainReading = ({ type }: UnassignedReading): boolean => type === 'rain';

export const toUnassignedRain = (
  device: string,
  at: number,
  { mm, minutes, isDayTotal = false }: RainRow,
): UnassignedReading => ({
  device,
  at,
  type: 'rain',
  value: mm,
  ...NO_SOURCE,
  minutes: isDayTotal ? null : (minutes ?? null),
  isDayTotal,
});

const WEATHER_TYPES: readonly string[] = STATION_MEASURES;

export const isWeatherReading = ({ type }: UnassignedReading): boolean =>
  WEATHER_TYPES.includes(type);

export const toUnassignedWeather = (
  device: string,
  at: number,
  { type, value }: WeatherRow,
): UnassignedReading => ({
  device,
  at,
  type,
  value,
  ...NO_SOURCE,
  ...NO_PERIOD,
});

// The following functions turn a stored reading back into a row of a batch.

export const toWeatherRow = ({ device, at, type, value }: UnassignedReading) => ({
  device,
  type,
  time: toIso(at),
  value,
});

export function toRainRow({ device, at, value, minutes, isDayTotal }: UnassignedReading): RainRow {
  const row: RainRow = { device, time: toIso(at), mm: value };
  if (isDayTotal) return { ...row, isDayTotal };
  return minutes === null ? row : { ...row, minutes };
}

export function toReadingRow({
  device,
  at,
  type,
  position,
  depthCm,
  value,
}: UnassignedReading): ReadingRow {
  const row = { device, type: type as MeasurementType, time: toIso(at), value };
  return position === null ? { ...row, depth: depthCm } : { ...row, position };
}

interface UnassignedRow {
  readonly reading: UnassignedReading;
  /** The row in the batch: "readings[3]". */
  readonly rowPath: string;
  readonly row: unknown;
}

/** What a batch says about devices, without the readings of assigned ones. */
export interface DeviceUpdates {
  /** Readings of devices that are not assigned. */
  readonly readings: UnassignedRow[];
  /** All devices that sent readings. */
  readonly senders: Set<string>;
  readonly rows: Map<string, DeviceRow>;
}

export function readDeviceRows(values: Iterable<unknown>): DeviceUpdates['rows'] {
  const rows: DeviceUpdates['rows'] = new Map();
  for (const value of values) {
    const row = deviceRow.safeParse(value);
    if (!row.success) continue;
    const name = normalizeDeviceId(row.data.device);
    rows.set(name, { ...rows.get(name), ...row.data });
  }
  return rows;
}

interface DeviceContext extends CheckContext {
  readonly index: SensorIndex;
  readonly sender: string;
}

interface StoredReadings {
  readonly kept: number;
  /** Readings that were stored already. */
  readonly unchanged: number;
}

/**
 * Deletes the readings that the batch wrote to their modules, and stores those of unassigned
 * devices.
 */
export async function updateDevices(
  db: CompanyDb,
  { now, zone, index, sender }: DeviceContext,
  written: readonly StoredReading[],
  updates: DeviceUpdates,
  rejections: BatchRejections,
): Promise<StoredReadings> {
  await deleteUnassignedReadings(db, written);
  const names = new Set([...updates.senders, ...updates.rows.keys()]);
  if (names.size === 0) return { kept: 0, unchanged: 0 };

  const devices = new Map((await devicesNamed(db, [...names])).map((row) => [row.name, row]));
  const statuses = await statusOfDevices(db, [...names]);
  const unassignedNames = new Set(updates.readings.map(({ reading }) => reading.device));
  const isNew = (name: string): boolean =>
    !devices.has(name) && assignmentFromRow(updates.rows.get(name), index) === null;

  const newNames = [...unassignedNames].filter(isNew);
  const added = await makePlaces(db, newNames, { sender, sending: unassignedNames, now });
  const times = createReadingTimeParser(zone, now);
  const receivers: Receiver[] = [];

  for (const name of names) {
    const assigned = assignmentFromRow(updates.rows.get(name), index);
    if (assigned !== null && devices.get(name)?.module_id == null) {
      const row = { name, ...assigned, first_seen_at: devices.get(name)?.first_seen_at ?? now };
      await (devices.has(name) ? updateDeviceAssignment(db, row) : insertDevice(db, row));
      devices.set(name, row);
    } else if (!devices.has(name)) {
      if (!added.has(name)) continue;
      const row = { name, module_id: null, depths: null, first_seen_at: now };
      await insertDevice(db, row);
      devices.set(name, row);
    }

    const moduleId = devices.get(name)!.module_id;
    const { payload, ...row }: Partial<DeviceRow> = updates.rows.get(name) ?? {};
    const at = row.time === undefined ? now : times.parse(row.time);
    // A payload without a reading is only the status that a network sends, so it is not shown.
    const payloadToShow = unassignedNames.has(name) ? payload : undefined;
    const stored = statuses.get(name);
    const status = mergeStatus(
      { ...row, payload: payloadToShow },
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
  const readings: UnassignedReading[] = [];
  for (const { reading, rowPath, row } of updates.readings)
    if (devices.has(reading.device)) readings.push(reading);
    else rejections.add(rowPath, () => rowExcerpt(row), [{ reason: TOO_MANY_DEVICES }]);

  const kept = await upsertUnassignedReadings(db, readings);
  return { kept, unchanged: readings.length - kept };
}

const TOO_MANY_DEVICES = {
  text: `${MAX_UNASSIGNED_DEVICES} devices that are not assigned are kept, and this sender has its share of them: assign some, or narrow what is read`,
};

/** Deletes the devices that the new ones replace. Returns the new ones that have a place. */
async function makePlaces(
  db: CompanyDb,
  names: readonly string[],
  batch: Omit<NewDevices, 'names'>,
): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  const stored = await unassignedDevicesOfCompany(db);

  const { added, replaced } = placesOfNewDevices(stored, { ...batch, names });

  await deleteDevices(db, replaced);
  return added;
}

/** The assignment that the payload map of the sender names. */
function assignmentFromRow({ module, depths = [] }: Partial<DeviceRow> = {}, index: SensorIndex) {
  const found = module === undefined ? [] : findModules(index, module);
  return found.length === 1 ? { module_id: found[0]!.id, depths: JSON.stringify(depths) } : null;
}

/**
 * A message has part of the status: one of the network has the battery, a reading the signal. A
 * message older than the stored status only adds values that are still missing.
 */
function mergeStatus(
  row: Partial<DeviceRow>,
  at: number,
  stored: DeviceStatus | undefined,
): Omit<DeviceStatus, 'device' | 'sender' | 'listed_at'> {
  const { payload, batteryPercent, batteryV, gateway, rssi = null, snr = null } = row;
  const isOld = stored !== undefined && at < stored.last_seen_at;
  const newest = <T>(value: T | undefined, before: T | null | undefined): T | null =>
    (isOld ? (before ?? value) : (value ?? before)) ?? null;

  const link = gateway === undefined ? null : { gateway: normalizeDeviceId(gateway), rssi, snr };
  const storedLink =
    stored?.gateway == null
      ? null
      : { gateway: stored.gateway, rssi: stored.rssi, snr: stored.snr };

  return {
    last_seen_at: Math.max(at, stored?.last_seen_at ?? at),
    payload: newest(payload === undefined ? undefined : visibleText(payload), stored?.payload),
    battery_percent: newest(batteryPercent, stored?.battery_percent),
    battery_v: newest(batteryV, stored?.battery_v),
    ...((isOld ? (storedLink ?? link) : (link ?? storedLink)) ?? {
      gateway: null,
      rssi: null,
      snr: null,
    }),
  };
}
