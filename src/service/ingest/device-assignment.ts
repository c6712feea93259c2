import { normalizeDeviceId } from '../../domain/ingest/payload-values.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { foldText, quote } from '../../domain/text.ts';
import { moduleDisplayName } from '../../language/default-names.ts';
import type { Call } from '../../operation/call.ts';
import { invalidInput } from '../../schema/error.ts';
import type { AssignedDevice } from '../../schema/ingest/device.ts';
import { type Reversal, storedImages } from '../../store/changes/changes.ts';
import type { Sensor } from '../../store/company/places.ts';
import {
  allDevices,
  type DeviceRecord,
  deviceNamed,
  insertDevice,
  markDevicesListed,
  updateDeviceAssignment,
} from '../../store/ingest/devices.ts';
import { deleteReadings } from '../../store/ingest/reading-writes.ts';
import {
  type RecordedReading,
  toUnassignedReading,
  type UnassignedReading,
  unassignedReadings,
} from '../../store/ingest/unassigned-readings.ts';
import { newestReadings } from '../../store/moisture/reading-lookup.ts';
import { type ChangedRow, isSameImage } from '../../store/scope/recorded-rows.ts';
import type { CompanyDb } from '../../store/tables.ts';
import {
  deleteStationReadings,
  type StationReading,
} from '../../store/weather/station-readings.ts';
import { requireOwnModule } from '../ownership.ts';
import { ingestBatch } from './batch-ingest.ts';
import {
  assignmentOf,
  type DeviceAssignment,
  depthOnDevice,
  isMoistureReading,
  isRainReading,
  isWeatherReading,
  toReadingRow,
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
  const assignment: DeviceAssignment = {
    moduleId,
    depths: namedDepths.length > 0 ? namedDepths : onlyDepth(index, moduleId),
  };
  const readings = await unassignedReadings(db, [device]);

  refuseSoilOnStation(index, assignment, readings);
  const writable = readings.filter((reading) => isWritable(index, assignment, reading));
  refuseMissingSensors(
    index,
    assignment,
    { sent: readings.length, writable: writable.length },
    depthsField,
  );

  const devices = await allDevices(db);
  const replaced =
    replaces === undefined ? null : replacedDevice(devices, { device, moduleId, replaces });
  await refuseSecondDevice(db, index, { device, assignment, readings, devices, replaced });
  if (replaced !== null)
    await updateDeviceAssignment(db, { ...replaced, module_id: null, depths: null });
  const row = {
    name: device,
    module_id: moduleId,
    depths: JSON.stringify(assignment.depths),
    first_seen_at: now,
  };

  await ((await deviceNamed(db, device)) === undefined
    ? insertDevice(db, row)
    : updateDeviceAssignment(db, row));
  // They keep their place also once the assignment is taken back.
  await markDevicesListed(db, replaced === null ? [device] : [device, replaced.name], now);
  if (readings.length > 0) await writeUnassignedReadings(call);
  const module = index.byId.get(moduleId)!;

  return {
    device,
    moduleId,
    module: moduleDisplayName(module, lang) ?? module.uid,
    depths: [...assignment.depths],
    kept: writable.length,
  };
}

/**
 * Writes what assigned devices sent before, in the transaction of the call, so that its change
 * records these readings.
 */
export async function writeUnassignedReadings({
  db,
  now,
  zone,
  caller,
  existsAnywhere,
}: Call): Promise<void> {
  const inTransaction = <T>(body: (db: CompanyDb) => Promise<T>): Promise<T> => body(db);
  const { id: sender } = caller;
  const call = { sender, now, zone, existsAnywhere, read: inTransaction, write: inTransaction };
  await (await ingestBatch(call, { readings: [] }, null))(db);
}

/**
 * Leaves out rain that later totals of the device changed: an undo keeps it, as it keeps later
 * readings of the device.
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
 * Deletes the readings that the assignment wrote, unless another value has replaced them since. The
 * reversals then store them as those of an unassigned device.
 */
export async function deleteReadingsOfAssignment(
  { db }: Pick<Call, 'db'>,
  reversals: readonly Reversal[],
): Promise<void> {
  const assignments = new Map(
    reversals.flatMap(({ table, key, from }) =>
      table === 'devices' && from !== null
        ? [[key, assignmentOf(from as unknown as DeviceRecord)] as const]
        : [],
    ),
  );

  const index = await loadSensorIndex(db);
  const written = reversals.flatMap(({ table, to }) => {
    if (table !== 'device_readings' || to === null) return [];
    const reading = toUnassignedReading(to as unknown as RecordedReading);
    const assignment = assignments.get(reading.device);
    return assignment ? [{ ...reading, assignment, row: toReadingRow(reading) }] : [];
  });
  await deleteStationReadings(
    db,
    written
      .filter(isWeatherReading)
      .map(
        ({ type, at, value, assignment }) =>
          ({ module_id: assignment.moduleId, type, at, value }) as StationReading,
      ),
  );
  await deleteReadings(
    db,
    written.flatMap(({ at, value, assignment, row }) => {
      const sensor = findSensor(
        index,
        assignment.moduleId,
        row.type,
        depthOnDevice(assignment, row),
      );
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

/**
 * Null if the device to replace is not assigned any more, so that the same assignment can be sent
 * again.
 */
function replacedDevice(
  devices: readonly DeviceRecord[],
  {
    device,
    moduleId,
    replaces,
  }: Pick<DeviceAssignmentEntry, 'device' | 'moduleId'> & { readonly replaces: string },
): DeviceRecord | null {
  const replaced = matchDevice(devices, replaces);
  if (replaced !== undefined && replaced.module_id === null) return null;
  if (replaced?.module_id === moduleId && replaced.name !== device) return replaced;

  throw invalidInput(
    'invalid_body',
    `No other device called ${quote(replaces)} is assigned to this module.`,
    {
      hint: 'GET /devices and "acequia ingest devices" list the devices with their modules.',
      field: 'device',
    },
  );
}

interface CheckedAssignment {
  readonly device: string;
  readonly assignment: DeviceAssignment;
  readonly readings: readonly UnassignedReading[];
  readonly devices: readonly DeviceRecord[];
  readonly replaced: DeviceRecord | null;
}

/** Refuses a device where another one measures already. */
async function refuseSecondDevice(
  db: CompanyDb,
  index: SensorIndex,
  { device, assignment, readings, devices, replaced }: CheckedAssignment,
): Promise<void> {
  // A weather station has several instruments.
  if (isStation(index, assignment)) return;

  const newest = new Map((await newestReadings(db)).map(({ id, at }) => [id, at]));
  const sensors = new Set(
    readings.length === 0
      ? sensorsOfAssignment(index, assignment)
      : sensorsOfReadings(index, assignment, readings),
  );
  if (replaced !== null)
    for (const sensor of measuredSensors(index, replaced, newest)) sensors.delete(sensor);
  const other = devices.find(
    (each) =>
      each.module_id === assignment.moduleId &&
      each.name !== device &&
      each !== replaced &&
      measuresAny(index, each, newest, sensors),
  );
  if (other === undefined) return;

  const { depths } = assignmentOf(other)!;
  const at = depths.length > 0 ? ` at ${depths.join(', ')} cm` : '';
  const text = [device, ...assignment.depths, 'replaces', other.name].join(' ');

  throw invalidInput(
    'invalid_body',
    `The device ${quote(other.name)} measures there already${at}.`,
    {
      hint: `Ask which of the two is right. If ${quote(device)} takes its place, say so: set_module with device "${text}", or replaces in PUT /devices (acequia ingest assign --replaces). Otherwise assign one of them to its own module and depth.`,
      field: 'device',
    },
  );
}

/** All sensors of the module if the device has no depths, because its readings then name them. */
const sensorsOfAssignment = (
  { sensors }: SensorIndex,
  { moduleId, depths }: DeviceAssignment,
): Sensor[] =>
  sensors.filter(
    ({ moduleId: id, depth }) =>
      id === moduleId && (depths.length === 0 || (depth !== null && depths.includes(depth))),
  );

const sensorsOfReadings = (
  index: SensorIndex,
  assignment: DeviceAssignment,
  readings: readonly UnassignedReading[],
): Sensor[] =>
  readings.flatMap((reading) => {
    const row = toReadingRow(reading);
    return findSensor(index, assignment.moduleId, row.type, depthOnDevice(assignment, row)) ?? [];
  });

type NewestReadings = ReadonlyMap<number, number | null>;

/**
 * The sensors with readings within a day of the newest reading of the device; all of its assignment
 * if none has a reading.
 */
function measuredSensors(
  index: SensorIndex,
  device: DeviceRecord,
  newest: NewestReadings,
): readonly Sensor[] {
  const sensors = sensorsOfAssignment(index, assignmentOf(device)!);
  const newestOf = ({ id }: Sensor): number => newest.get(id) ?? Number.NEGATIVE_INFINITY;
  const last = Math.max(...sensors.map(newestOf));
  const measured = sensors.filter((sensor) => newestOf(sensor) > last - DAY_MS);
  return measured.length > 0 ? measured : sensors;
}

/**
 * True if the device measures one of these sensors. It is not known which sensors of its depths a
 * device that has not sent yet measures, so all sensors of one depth must be among these.
 */
function measuresAny(
  index: SensorIndex,
  device: DeviceRecord,
  newest: NewestReadings,
  sensors: ReadonlySet<Sensor>,
): boolean {
  const measured = measuredSensors(index, device, newest);
  if (measured.some(({ id }) => newest.get(id) != null))
    return measured.some((sensor) => sensors.has(sensor));
  return measured.some(({ depth }) =>
    measured.filter((each) => each.depth === depth).every((each) => sensors.has(each)),
  );
}

const isStation = (index: SensorIndex, { moduleId }: DeviceAssignment): boolean =>
  index.byId.get(moduleId)!.category === 'WEATHER_STATION';

function refuseSoilOnStation(
  index: SensorIndex,
  assignment: DeviceAssignment,
  readings: readonly UnassignedReading[],
): void {
  if (isStation(index, assignment) && readings.map(toReadingRow).some(isMoistureReading))
    throw invalidInput(
      'invalid_body',
      'This device sends the moisture of the soil, and the module is a weather station.',
      {
        hint: 'Assign it to a SOIL_PROBE. If it is the humidity of the air, its map needs "depth": null.',
        field: 'device',
      },
    );
}

function isWritable(
  index: SensorIndex,
  assignment: DeviceAssignment,
  reading: UnassignedReading,
): boolean {
  if (isRainReading(reading) || isWeatherReading(reading)) return isStation(index, assignment);
  const row = toReadingRow(reading);
  return (
    findSensor(index, assignment.moduleId, row.type, depthOnDevice(assignment, row)) !== undefined
  );
}

function refuseMissingSensors(
  index: SensorIndex,
  assignment: DeviceAssignment,
  { sent, writable }: { readonly sent: number; readonly writable: number },
  field: string,
): void {
  const existing = depthsOf(index, assignment.moduleId).filter((depth) => depth !== null);
  const hint = `The module has sensors at ${existing.join(', ') || 'no depth'}${existing.length > 0 ? ' cm' : ''}. Give one of these, or add sensors with set_module or a farm file.`;
  const missing = assignment.depths.find((depth) => !existing.includes(depth));
  if (missing !== undefined)
    throw invalidInput('invalid_body', `The module has no sensor at ${missing} cm.`, {
      hint,
      field,
    });

  if (sent > 0 && writable === 0)
    throw invalidInput('invalid_body', 'The module has no sensor for what this device sends.', {
      hint,
      field,
    });
}

export function matchDevice(
  devices: readonly DeviceRecord[],
  text: string,
): DeviceRecord | undefined {
  const id = normalizeDeviceId(text);
  return (
    devices.find(({ name }) => name === id) ??
    devices.find(({ name }) => foldText(name) === foldText(id))
  );
}
