import { normalizeDeviceId } from '../../domain/ingest/payload-values.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { moduleDisplayName } from '../../language/default-names.ts';
import { foldText, quote } from '../../language/text.ts';
import type { Call } from '../../operation/call.ts';
import type { AssignedDevice } from '../../schema/device.ts';
import { invalidInput } from '../../schema/error.ts';
import { type Reversal, storedImages } from '../../store/changes/changes.ts';
import type { Sensor } from '../../store/company/places.ts';
import {
  allDevices,
  type DeviceRecord,
  deviceNamed,
  insertDevice,
  type KeptReading,
  keptReadings,
  placeDevice,
} from '../../store/ingest/devices.ts';
import { deleteReadings } from '../../store/ingest/reading-writes.ts';
import { newestReadings } from '../../store/moisture/reading-lookup.ts';
import { type ChangedRow, isSameImage } from '../../store/recorded-rows.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { deleteStationReadings, type StationReading } from '../../store/weather/station-readings.ts';
import { requireOwnModule } from '../ownership.ts';
import { ingestBatch } from './batch-ingest.ts';
import {
  type DevicePlace,
  depthOnDevice,
  isKeptRain,
  isKeptWeather,
  isMoistureReading,
  placeOf,
  rowOfKept,
} from './device-readings.ts';
import { findSensor, loadSensorIndex, type SensorIndex } from './sensor-index.ts';

export interface DeviceAssignmentEntry {
  readonly device: string;
  readonly moduleId: number;
  readonly depths: readonly number[];
  readonly replaces?: string | undefined;
}

/** Assigns a device, which may not have sent yet. */
export async function assignDevice(
  call: Call,
  { device: text, moduleId, depths: namedDepths, replaces }: DeviceAssignmentEntry,
  depthsField = 'depths',
): Promise<AssignedDevice> {
  const { db, now, lang } = call;
  const device = normalizeDeviceId(text);
  if (device === '')
    throw invalidInput('invalid_body', 'The device has no name.', {
      hint: 'Give its EUI or name; GET /devices and "acequia ingest devices" list those that send.',
      field: 'device',
    });
  await requireOwnModule(call, moduleId);
  const index = await loadSensorIndex(db);
  const place: DevicePlace = { moduleId, depths: namedDepths.length > 0 ? namedDepths : onlyDepth(index, moduleId) };
  const kept = await keptReadings(db, device);
  refuseSoilOnStation(index, place, kept);
  const writable = kept.filter((reading) => isWritable(index, place, reading));
  refuseMissingSensors(index, place, { kept: kept.length, writable: writable.length }, depthsField);
  const devices = await allDevices(db);
  const replaced = replaces === undefined ? null : replacedDevice(devices, { device, moduleId, replaces });
  await refuseSecondDevice(db, index, { device, place, kept, devices, replaced });
  if (replaced !== null) await placeDevice(db, { ...replaced, module_id: null, depths: null });
  const row = { name: device, module_id: moduleId, depths: JSON.stringify(place.depths), first_seen_at: now };
  await ((await deviceNamed(db, device)) === undefined ? insertDevice(db, row) : placeDevice(db, row));
  if (kept.length > 0) await writeKeptReadings(call);
  const module = index.byId.get(moduleId)!;
  return {
    device,
    moduleId,
    module: moduleDisplayName(module, lang) ?? module.uid,
    depths: [...place.depths],
    kept: writable.length,
  };
}

/**
 * Writes the kept readings of every assigned device in the transaction of the call, so that its change records them.
 */
export async function writeKeptReadings({ db, now, zone, existsAnywhere }: Call): Promise<void> {
  const inTransaction = <T>(body: (db: CompanyDb) => Promise<T>): Promise<T> => body(db);
  const call = { now, zone, existsAnywhere, read: inTransaction, write: inTransaction };
  await (await ingestBatch(call, { readings: [] }))(db);
}

/**
 * Leaves out rain that later totals of the device changed: an undo keeps it, as it keeps later readings of the device.
 */
export async function withoutRainSince(
  { db }: Pick<Call, 'db'>,
  rows: readonly ChangedRow[],
): Promise<readonly ChangedRow[]> {
  if (!rows.some(({ table }) => table === 'device_readings')) return rows;
  const keys = rows.flatMap(({ table, key }) => (table === 'rain' ? [key] : []));
  const stored = await storedImages(db, 'rain', keys);
  const isNewer = ({ key, after }: ChangedRow): boolean =>
    stored.get(key)?.source === 'gauge' && !isSameImage(stored.get(key)!, after);
  return rows.filter((row) => row.table !== 'rain' || !isNewer(row));
}

/**
 * Deletes what the assignment wrote, unless another value has replaced it since. The reversals then store it as kept.
 */
export async function takeBackKeptReadings({ db }: Pick<Call, 'db'>, reversals: readonly Reversal[]): Promise<void> {
  const places = new Map(
    reversals.flatMap(({ table, key, from }) =>
      table === 'devices' && from !== null ? [[key, placeOf(from as unknown as DeviceRecord)] as const] : [],
    ),
  );
  const index = await loadSensorIndex(db);
  const written = reversals.flatMap(({ table, to }) => {
    const kept = to as unknown as KeptReading | null;
    const place = table === 'device_readings' && kept !== null ? places.get(kept.device) : null;
    return kept !== null && place ? [{ ...kept, place, row: rowOfKept(kept) }] : [];
  });
  await deleteStationReadings(
    db,
    written.flatMap(({ type, at, value, place }) => ({ module_id: place.moduleId, type, at, value }) as StationReading),
  );
  await deleteReadings(
    db,
    written.flatMap(({ at, value, place, row }) => {
      const sensor = findSensor(index, place.moduleId, row.type, depthOnDevice(place, row));
      return sensor ? [{ sensorId: sensor.id, at, value }] : [];
    }),
  );
}

const depthsOf = ({ sensors }: SensorIndex, moduleId: number): (number | null)[] => [
  ...new Set(sensors.filter((sensor) => sensor.moduleId === moduleId).map(({ depth }) => depth)),
];

/** A person need not name the depth if all sensors of the module are at the same one. */
function onlyDepth(index: SensorIndex, moduleId: number): number[] {
  const [depth = null, ...others] = depthsOf(index, moduleId);
  return depth !== null && others.length === 0 ? [depth] : [];
}

/** Null if the device to replace is not assigned any more, so that the same assignment can be sent again. */
function replacedDevice(
  devices: readonly DeviceRecord[],
  { device, moduleId, replaces }: Pick<DeviceAssignmentEntry, 'device' | 'moduleId'> & { readonly replaces: string },
): DeviceRecord | null {
  const named = deviceCalled(devices, replaces);
  if (named !== undefined && named.module_id === null) return null;
  if (named?.module_id === moduleId && named.name !== device) return named;
  throw invalidInput('invalid_body', `No other device called ${quote(replaces)} is assigned to this module.`, {
    hint: 'GET /devices and "acequia ingest devices" list the devices with their modules.',
    field: 'device',
  });
}

interface DeviceToPlace {
  readonly device: string;
  readonly place: DevicePlace;
  readonly kept: readonly KeptReading[];
  readonly devices: readonly DeviceRecord[];
  readonly replaced: DeviceRecord | null;
}

/** Refuses a device at a place where another one measures already. */
async function refuseSecondDevice(
  db: CompanyDb,
  index: SensorIndex,
  { device, place, kept, devices, replaced }: DeviceToPlace,
): Promise<void> {
  // A weather station has several instruments.
  if (isStation(index, place)) return;
  const newest = new Map((await newestReadings(db)).map(({ id, at }) => [id, at]));
  const taken = new Set(kept.length === 0 ? sensorsOfPlace(index, place) : sensorsOfKept(index, place, kept));
  if (replaced !== null) for (const sensor of measuredSensors(index, replaced, newest)) taken.delete(sensor);
  const other = devices.find(
    (each) =>
      each.module_id === place.moduleId &&
      each.name !== device &&
      each !== replaced &&
      measuresAny(index, each, newest, taken),
  );
  if (other === undefined) return;
  const { depths } = placeOf(other)!;
  const at = depths.length > 0 ? ` at ${depths.join(', ')} cm` : '';
  const assignment = [device, ...place.depths, 'replaces', other.name].join(' ');
  throw invalidInput('invalid_body', `The device ${quote(other.name)} measures there already${at}.`, {
    hint: `Ask which of the two is right. If ${quote(device)} takes its place, say so: set_module with device "${assignment}", or replaces in PUT /devices (acequia ingest assign --replaces). Otherwise assign one of them to its own module and depth.`,
    field: 'device',
  });
}

/** All sensors of the module if the device has no depths, because its readings then name them. */
const sensorsOfPlace = ({ sensors }: SensorIndex, { moduleId, depths }: DevicePlace): Sensor[] =>
  sensors.filter(
    ({ moduleId: id, depth }) => id === moduleId && (depths.length === 0 || (depth !== null && depths.includes(depth))),
  );

const sensorsOfKept = (index: SensorIndex, place: DevicePlace, kept: readonly KeptReading[]): Sensor[] =>
  kept.flatMap((reading) => {
    const row = rowOfKept(reading);
    return findSensor(index, place.moduleId, row.type, depthOnDevice(place, row)) ?? [];
  });

type NewestReadings = ReadonlyMap<number, number | null>;

/**
 * The sensors of a device that have readings from its last day with any; all at its place if none has a reading yet.
 */
function measuredSensors(index: SensorIndex, device: DeviceRecord, newest: NewestReadings): readonly Sensor[] {
  const sensors = sensorsOfPlace(index, placeOf(device)!);
  const newestOf = ({ id }: Sensor): number => newest.get(id) ?? Number.NEGATIVE_INFINITY;
  const last = Math.max(...sensors.map(newestOf));
  const measured = sensors.filter((sensor) => newestOf(sensor) > last - DAY_MS);
  return measured.length > 0 ? measured : sensors;
}

/**
 * True if the device measures one of the taken sensors. A device that has not sent yet may measure another quantity, so
 * all sensors of a depth must be taken.
 */
function measuresAny(
  index: SensorIndex,
  device: DeviceRecord,
  newest: NewestReadings,
  taken: ReadonlySet<Sensor>,
): boolean {
  const measured = measuredSensors(index, device, newest);
  if (measured.some(({ id }) => newest.get(id) != null)) return measured.some((sensor) => taken.has(sensor));
  return measured.some(({ depth }) => measured.filter((each) => each.depth === depth).every((each) => taken.has(each)));
}

const isStation = (index: SensorIndex, { moduleId }: DevicePlace): boolean =>
  index.byId.get(moduleId)!.category === 'WEATHER_STATION';

function refuseSoilOnStation(index: SensorIndex, place: DevicePlace, kept: readonly KeptReading[]): void {
  if (isStation(index, place) && kept.map(rowOfKept).some(isMoistureReading))
    throw invalidInput(
      'invalid_body',
      'This device sends the moisture of the soil, and the module is a weather station.',
      {
        hint: 'Assign it to a SOIL_PROBE. If it is the humidity of the air, its map needs "depth": null.',
        field: 'device',
      },
    );
}

function isWritable(index: SensorIndex, place: DevicePlace, reading: KeptReading): boolean {
  if (isKeptRain(reading) || isKeptWeather(reading)) return isStation(index, place);
  const row = rowOfKept(reading);
  return findSensor(index, place.moduleId, row.type, depthOnDevice(place, row)) !== undefined;
}

function refuseMissingSensors(
  index: SensorIndex,
  place: DevicePlace,
  { kept, writable }: { readonly kept: number; readonly writable: number },
  field: string,
): void {
  const existing = depthsOf(index, place.moduleId).filter((depth) => depth !== null);
  const hint = `The module has sensors at ${existing.join(', ') || 'no depth'}${existing.length > 0 ? ' cm' : ''}. Give one of these, or add sensors with set_module or a farm file.`;
  const missing = place.depths.find((depth) => !existing.includes(depth));
  if (missing !== undefined)
    throw invalidInput('invalid_body', `The module has no sensor at ${missing} cm.`, { hint, field });
  if (kept > 0 && writable === 0)
    throw invalidInput('invalid_body', 'The module has no sensor for what this device sends.', {
      hint,
      field,
    });
}

export function deviceCalled(devices: readonly DeviceRecord[], text: string): DeviceRecord | undefined {
  const id = normalizeDeviceId(text);
  return devices.find(({ name }) => name === id) ?? devices.find(({ name }) => foldText(name) === foldText(id));
}
