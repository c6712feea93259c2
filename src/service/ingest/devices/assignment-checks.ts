import { entryOf } from '../../../domain/items.ts';
import { DAY_MS } from '../../../domain/periods.ts';
import { quote } from '../../../domain/text.ts';
import { invalidInputError } from '../../../schema/error.ts';
import type { Sensor } from '../../../store/company/sensors.ts';
import type { DeviceRow } from '../../../store/ingest/devices.ts';
import type { UnassignedReading } from '../../../store/ingest/unassigned-readings.ts';
import { newestReadings } from '../../../store/moisture/reading-lookup.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import { findSensor, type SensorIndex, sensorsOfModule } from '../sensor-index.ts';
import {
  assignmentOf,
  type DeviceAssignment,
  depthOnDevice,
  isMoistureReading,
  isRainReading,
  isWeatherReading,
  toSensorReading,
} from './device-readings.ts';
import { matchDevice } from './device-text.ts';

const depthsOf = (index: SensorIndex, moduleId: number): (number | null)[] => [
  ...new Set(sensorsOfModule(index, moduleId).map(({ depth }) => depth)),
];

/** A person need not name the depth if all sensors of the module are at the same one. */
export function onlyDepth(index: SensorIndex, moduleId: number): number[] {
  const [depth = null, ...others] = depthsOf(index, moduleId);
  return depth !== null && others.length === 0 ? [depth] : [];
}

/**
 * Null if the device to replace is not assigned any more, so that the same assignment can be sent
 * again.
 */
export function deviceToReplace(
  devices: readonly DeviceRow[],
  {
    device,
    moduleId,
    replaces,
  }: { readonly device: string; readonly moduleId: number; readonly replaces: string },
): DeviceRow | null {
  const replaced = matchDevice(devices, replaces);
  if (replaced !== undefined && replaced.module_id === null) return null;
  if (replaced?.module_id === moduleId && replaced.name !== device) return replaced;

  throw invalidInputError(
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
  readonly devices: readonly DeviceRow[];
  readonly replaced: DeviceRow | null;
}

/** Throws if another device measures there already. */
export async function assertNoSecondDevice(
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
    (candidate) =>
      candidate.module_id === assignment.moduleId &&
      candidate.name !== device &&
      candidate !== replaced &&
      measuresAny(index, candidate, newest, sensors),
  );
  if (other === undefined) return;

  const { depths } = assignmentOf(other)!;
  const at = depths.length > 0 ? ` at ${depths.join(', ')} cm` : '';
  const text = [device, ...assignment.depths, 'replaces', other.name].join(' ');

  throw invalidInputError(
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
  index: SensorIndex,
  { moduleId, depths }: DeviceAssignment,
): Sensor[] =>
  sensorsOfModule(index, moduleId).filter(
    ({ depth }) => depths.length === 0 || (depth !== null && depths.includes(depth)),
  );

const sensorsOfReadings = (
  index: SensorIndex,
  assignment: DeviceAssignment,
  readings: readonly UnassignedReading[],
): Sensor[] => readings.flatMap((reading) => sensorOfReading(index, assignment, reading) ?? []);

function sensorOfReading(
  index: SensorIndex,
  assignment: DeviceAssignment,
  stored: UnassignedReading,
): Sensor | undefined {
  const reading = toSensorReading(stored);
  if (reading === null) return undefined;
  return findSensor(index, assignment.moduleId, reading.type, depthOnDevice(assignment, reading));
}

type NewestReadings = ReadonlyMap<number, number | null>;

/**
 * The sensors with readings within a day of the newest reading of the device; all of its assignment
 * if none has a reading.
 */
function measuredSensors(
  index: SensorIndex,
  device: DeviceRow,
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
  device: DeviceRow,
  newest: NewestReadings,
  sensors: ReadonlySet<Sensor>,
): boolean {
  const measured = measuredSensors(index, device, newest);
  if (measured.some(({ id }) => newest.get(id) != null))
    return measured.some((sensor) => sensors.has(sensor));
  return measured.some(({ depth }) =>
    measured.filter((sensor) => sensor.depth === depth).every((sensor) => sensors.has(sensor)),
  );
}

const isStation = (index: SensorIndex, { moduleId }: DeviceAssignment): boolean =>
  entryOf(index.byId, moduleId).category === 'WEATHER_STATION';

export function assertNoSoilOnStation(
  index: SensorIndex,
  assignment: DeviceAssignment,
  readings: readonly UnassignedReading[],
): void {
  const isSoil = (stored: UnassignedReading): boolean => {
    const reading = toSensorReading(stored);
    return reading !== null && isMoistureReading(reading);
  };

  if (isStation(index, assignment) && readings.some(isSoil))
    throw invalidInputError(
      'invalid_body',
      'This device sends the moisture of the soil, and the module is a weather station.',
      {
        hint: 'Assign it to a SOIL_PROBE. If it is the humidity of the air, its map needs "depth": null.',
        field: 'device',
      },
    );
}

export const isWritableReading = (
  index: SensorIndex,
  assignment: DeviceAssignment,
  reading: UnassignedReading,
): boolean =>
  isRainReading(reading) || isWeatherReading(reading)
    ? isStation(index, assignment)
    : sensorOfReading(index, assignment, reading) !== undefined;

export function assertSensorsExist(
  index: SensorIndex,
  assignment: DeviceAssignment,
  { sent, writable }: { readonly sent: number; readonly writable: number },
  field: string,
): void {
  const existing = depthsOf(index, assignment.moduleId).filter((depth) => depth !== null);
  const hint = `The module has sensors at ${existing.join(', ') || 'no depth'}${existing.length > 0 ? ' cm' : ''}. Give one of these, or add sensors with set_module or a farm file.`;
  const missing = assignment.depths.find((depth) => !existing.includes(depth));
  if (missing !== undefined)
    throw invalidInputError('invalid_body', `The module has no sensor at ${missing} cm.`, {
      hint,
      field,
    });

  if (sent > 0 && writable === 0)
    throw invalidInputError(
      'invalid_body',
      'The module has no sensor for what this device sends.',
      {
        hint,
        field,
      },
    );
}
