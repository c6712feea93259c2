import {
  type ChosenFields,
  choiceOf,
  fieldNameOf,
  fieldType,
  NO_FIELDS,
} from '../../../domain/ingest/field-choices.ts';
import { MEASUREMENT_TYPES, type MeasurementType } from '../../../domain/moisture/measurement.ts';
import {
  isStationMeasure,
  listOfType,
  type ReadingItem,
  type WeatherItem,
} from '../../../schema/ingest/ingest-items.ts';
import { allDevices, type DeviceRow, devicesNamed } from '../../../store/ingest/devices.ts';
import {
  readingsOfDevices,
  type StoredReading,
  type UnassignedReading,
} from '../../../store/ingest/unassigned-readings.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import { measureField, numberOfField } from './fields/field-measurements.ts';

/** The depths are those of its sensors in cm, from the top. */
export interface DeviceAssignment extends ChosenFields {
  readonly moduleId: number;
}

export interface DeviceDirectory {
  readonly assignments: ReadonlyMap<string, DeviceAssignment>;
  /** Readings that came before their device was assigned. */
  readonly unassignedReadings: readonly StoredReading[];
}

/** Devices, and what they sent before they were assigned. */
type SentBefore = Pick<DeviceDirectory, 'assignments'> & {
  readonly unassignedReadings: readonly UnassignedReading[];
};

/** One transaction writes at most as many, also of those that wait when a message arrives. */
export const WAITING_READINGS_PER_STEP = 500;

/** `names` is null for all devices of the company. */
export async function loadDevices(
  db: CompanyDb,
  names: ReadonlySet<string> | null,
  limit = WAITING_READINGS_PER_STEP,
): Promise<DeviceDirectory> {
  const devices = names === null ? await allDevices(db) : await devicesNamed(db, [...names]);
  const assignments = new Map<string, DeviceAssignment>();
  for (const device of devices) {
    const assignment = assignmentOf(device);
    if (assignment !== null) assignments.set(device.name, assignment);
  }

  const chosen = new Map([...assignments].map(([name, { fields }]) => [name, fields]));
  const readings = await readingsOfDevices(db, chosen, limit);
  return { assignments, unassignedReadings: readings };
}

/** True if a device was assigned, and not all that it sent before was written yet. */
export const hasWaitingReadings = async (db: CompanyDb): Promise<boolean> =>
  (await loadDevices(db, null, 1)).unassignedReadings.length > 0;

export const assignmentOf = (device: DeviceRow): DeviceAssignment | null =>
  device.module_id === null ? null : { moduleId: device.module_id, ...chosenFieldsOf(device) };

export const chosenColumns = ({ fields, depths }: ChosenFields) => ({
  fields: JSON.stringify(fields),
  depths: JSON.stringify(depths),
});

/** The chosen fields of a device or model. */
export const chosenFieldsOf = (
  row: Readonly<Record<'fields' | 'depths', string | null>> | undefined,
): ChosenFields =>
  row === undefined
    ? NO_FIELDS
    : {
        fields: row.fields === null ? [] : JSON.parse(row.fields),
        depths: row.depths === null ? [] : JSON.parse(row.depths),
      };

/** Names the sensor of a device: the one at a depth, or else the one at a position. */
type SensorOnDevice = Pick<ReadingItem, 'position' | 'depth'>;

/** Null for a sensor that has no depth. */
export const depthOnDevice = (
  { depths }: Pick<DeviceAssignment, 'depths'>,
  { position = 0, depth }: SensorOnDevice,
): number | null => (depth !== undefined ? depth : (depths[position] ?? null));

/** Readings of the humidity of the air have a depth of null or 0. */
export const isMoistureReading = ({
  type,
  depth,
}: Pick<ReadingItem, 'depth'> & { readonly type: string | null }): boolean =>
  type === 'humidity' && depth !== null && depth !== 0;

const isMeasurementType = (type: string): type is MeasurementType =>
  MEASUREMENT_TYPES.some((measurement) => measurement === type);

/** Over how long rain fell: some minutes, the day so far, or a time that the device leaves open. */
export interface RainInterval {
  readonly minutes: number | null;
  readonly isDayTotal: boolean;
}

const NO_SENSOR = { position: null, depthCm: null } as const;
const NO_INTERVAL = { minutes: null, isDayTotal: false } as const;

export const fromReadingItem = (
  device: string,
  at: number,
  { type, value, position = 0, depth }: ReadingItem,
): UnassignedReading => {
  const sensor =
    depth === undefined ? { position, depthCm: null } : { position: null, depthCm: depth };
  return { device, at, type, value, ...sensor, ...NO_INTERVAL };
};

interface DeviceRain extends RainInterval {
  readonly device: string;
  readonly at: number;
  readonly mm: number;
}

export const fromRainItem = ({
  device,
  at,
  mm,
  minutes,
  isDayTotal,
}: DeviceRain): UnassignedReading => ({
  device,
  at,
  type: 'rain',
  value: mm,
  ...NO_SENSOR,
  minutes: isDayTotal ? null : minutes,
  isDayTotal,
});

export const fromWeatherItem = (
  device: string,
  at: number,
  { type, value }: WeatherItem,
): UnassignedReading => ({ device, at, type, value, ...NO_SENSOR, ...NO_INTERVAL });

/** A reading of a device that is neither rain, wind nor radiation. */
export interface SensorReading extends SensorOnDevice {
  readonly device: string;
  readonly type: MeasurementType;
  readonly at: number;
  readonly value: number;
}

/**
 * Null for rain, wind and radiation, for a field that nobody chose, and for a value of a chosen one
 * that cannot be.
 */
export function toSensorReading(
  reading: UnassignedReading,
  { fields }: Pick<ChosenFields, 'fields'>,
): SensorReading | null {
  const { device, type, at, value, position, depthCm } = reading;
  const choice = choiceOf(fields, fieldNameOf(type));
  if (choice !== undefined) {
    const measured = measureField(choice, value);
    return measured.ok ? { device, at, ...measured.value } : null;
  }

  if (!isMeasurementType(type)) return null;
  const sensor = position === null ? { depth: depthCm } : { position };
  return { device, type, at, value, ...sensor };
}

/** The reading of a sensor as the device sent it, and as it would wait for an assignment. */
export function unassignedReadingOf(
  { fields, depths }: ChosenFields,
  device: string,
  { type, depth, at, value }: SensorValue,
): UnassignedReading {
  const position = depth === null ? -1 : depths.indexOf(depth);
  const choice = fields.find((field) => field.type === type && (field.position ?? -1) === position);
  const sent = { device, at, ...NO_SENSOR, ...NO_INTERVAL };
  if (choice !== undefined)
    return { ...sent, type: fieldType(choice.name), value: numberOfField(choice, value) };

  const sensor = position < 0 ? { depthCm: depth } : { position };
  return { ...sent, type, value, ...sensor };
}

interface SensorValue {
  readonly type: MeasurementType;
  readonly depth: number | null;
  readonly at: number;
  readonly value: number;
}

// The following functions return what devices sent before, for the modules to which they are now
// assigned.

export const sensorReadingsOfDevices = ({ assignments, unassignedReadings }: SentBefore) =>
  unassignedReadings.flatMap((stored) => {
    const assignment = assignments.get(stored.device);
    const reading = assignment === undefined ? null : toSensorReading(stored, assignment);
    if (reading === null || assignment === undefined) return [];

    const { type, at, value } = reading;
    const depth = depthOnDevice(assignment, reading);
    const { device } = stored;
    return [{ device, moduleId: assignment.moduleId, type, depth, at, value }];
  });

export const rainOfDevices = ({ assignments, unassignedReadings }: SentBefore) =>
  unassignedReadings.flatMap((reading) => {
    const assignment = assignments.get(reading.device);
    if (assignment === undefined || listOfType(reading.type) !== 'rain') return [];

    const { at, value: mm, minutes, isDayTotal } = reading;
    return [{ moduleId: assignment.moduleId, at, mm, minutes, isDayTotal }];
  });

export const weatherOfDevices = ({ assignments, unassignedReadings }: SentBefore) =>
  unassignedReadings.flatMap(({ device, type, at, value }) => {
    const assignment = assignments.get(device);
    if (assignment === undefined || !isStationMeasure(type)) return [];
    return [{ moduleId: assignment.moduleId, type, at, value }];
  });
