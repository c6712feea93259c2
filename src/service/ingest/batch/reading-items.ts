import { choiceOf, fieldNameOf, isFieldType } from '../../../domain/ingest/field-choices.ts';
import { normalizeDeviceId } from '../../../domain/ingest/payload-values.ts';
import type { MeasurementType } from '../../../domain/moisture/measurement.ts';
import type { Rejection } from '../../../language/ingest/import-report.ts';
import { type ReadingItem, readingItem } from '../../../schema/ingest/ingest-items.ts';
import type { RejectionCode, RejectionReason } from '../../../schema/ingest/rejection.ts';
import type { ModuleName } from '../../../store/company/modules.ts';
import type { Sensor } from '../../../store/company/sensors.ts';
import {
  depthOnDevice,
  fromReadingItem,
  isMoistureReading,
  sensorReadingsOfDevices,
} from '../devices/device-readings.ts';
import { measureField } from '../devices/fields/field-measurements.ts';
import { measurementRange, rejectionOfValue } from '../reading-values.ts';
import { RowsBySensor } from '../rows-by-sensor.ts';
import { findSensor, modulesOfItem, modulesWithId, type SensorIndex } from '../sensor-index.ts';
import type { BatchContext } from './batch-context.ts';
import {
  addCounts,
  type InsertContext,
  type InsertPart,
  type ItemKind,
  type Target,
  timeReasons,
} from './item-kind.ts';
import { ACCEPTED, type ParsedItems, rejected } from './parsed-items.ts';
import { ReadingBuffer, writeReadings } from './reading-buffer.ts';
import { stationWithId } from './station-target.ts';

const SOIL_ON_STATION: RejectionReason = {
  text: 'soil moisture from a device assigned to a weather station',
};

/** A reading of which it is known what it measures. */
type Measurement = ReadingItem & { readonly type: MeasurementType };

const isMeasurement = (item: ReadingItem): item is Measurement => !isFieldType(item.type);

type ReadingTarget =
  | {
      readonly reading: Measurement;
      readonly device: string | null;
      /** The sensor, or the reason why there is none. */
      readonly sensor: Sensor | RejectionCode;
    }
  /** The device is not assigned, or nobody chose what the field measures. */
  | { readonly device: string; readonly sensor: null };

export interface ReadingRows {
  readonly readings: ReadingBuffer;
  readonly sequences: RowsBySensor;
  /** The devices whose fields are read, or stored until their assignment. */
  readonly sendersOfFields: Set<string>;
}

/** Readings of sensors in the soil and in the air. */
export const readingItems: ItemKind<typeof readingItem, ReadingTarget, ReadingRows> = {
  schema: readingItem,
  isOfReadings: true,

  target: (item, context, parsed) =>
    isMeasurement(item)
      ? targetOfMeasurement(item, context, parsed)
      : targetOfField(item, context, parsed),

  time: ({ time }, times) => times.parse(time),

  checks({ item, to, at }, times) {
    const ofTime = timeReasons(at, times);
    if (to.sensor === null)
      return ofTime.length > 0 || !isMeasurement(item) ? ofTime : valueReasons(item);

    // A row names all that is wrong with it, also to those who correct a file.
    const ofSensor = typeof to.sensor === 'string' ? rejected(to.sensor) : ACCEPTED;
    return [...ofSensor, ...ofTime, ...valueReasons(to.reading)];
  },

  add({ item, to, at, value, location }, { rows, unassigned }) {
    if (to.sensor === null)
      unassigned.push({ reading: fromReadingItem(to.device, at, item), location, item: value });
    else if (typeof to.sensor !== 'string')
      rows.readings.add(to.sensor.id, at, to.reading.value, to.device);
    return ACCEPTED;
  },

  insert: ({ readings }, context) => insertReadings(readings, context),

  newRows: ({ clocks }) => ({
    readings: new ReadingBuffer(),
    sequences: new RowsBySensor(clocks.onClockRunsOn),
    sendersOfFields: new Set(),
  }),

  complete({ rows: { sequences, readings }, rejections }, { devices, index, isRecorded }) {
    sequences.storeDeferred();
    for (const { device, moduleId, type, depth, at, value } of sensorReadingsOfDevices(devices)) {
      const sensor = findSensor(index, moduleId, type, depth);
      if (at < (index.keptFrom ?? at))
        rejections.add(`waiting reading of ${device}`, String(value), rejected('before_kept'));
      else if (sensor !== undefined && !isMoistureOfStation(index, moduleId, { type, depth }))
        readings.add(sensor.id, at, value, isRecorded ? null : device);
    }
  },

  sequenceOf: ({ sensor }, { sequences }) =>
    sensor === null || typeof sensor === 'string' ? null : sequences.of(sensor).sequence,
};

/** Also those of a CSV. */
export function* insertReadings(
  readings: ReadingBuffer,
  { steps, now }: InsertContext,
): Generator<InsertPart, void> {
  for (const part of readings.parts(steps.readings))
    yield async (db, counts) =>
      addCounts(counts.readings, await writeReadings(db, part, readings, now));
}

function targetOfMeasurement(
  reading: Measurement,
  { index, devices }: BatchContext,
  { senders }: ParsedItems<ReadingRows>,
): Target<ReadingTarget> {
  if (reading.device === undefined) {
    const modules = modulesOfItem(index, reading.module);
    return sensorTarget(index, modules, reading.depth ?? null, { reading, device: null });
  }

  const device = normalizeDeviceId(reading.device);
  const assignment = devices.assignments.get(device);
  // A device sends readings even if one of them is rejected.
  senders.add(device);
  if (assignment === undefined)
    return { to: { device, sensor: null }, clock: device, reason: null };
  if (isMoistureOfStation(index, assignment.moduleId, reading)) return { reason: SOIL_ON_STATION };

  const modules = modulesWithId(index, assignment.moduleId);
  return sensorTarget(index, modules, depthOnDevice(assignment, reading), { reading, device });
}

/** A field is a measurement once a person chose which one. */
function targetOfField(
  item: ReadingItem,
  context: BatchContext,
  parsed: ParsedItems<ReadingRows>,
): Target<ReadingTarget> {
  if (item.device === undefined) return { reason: { text: 'a field without its device' } };

  const device = normalizeDeviceId(item.device);
  const assignment = context.devices.assignments.get(device);
  const choice = choiceOf(assignment?.fields ?? [], fieldNameOf(item.type));
  // An assigned device of which nothing is read stays among those that give nothing.
  if (assignment === undefined || choice !== undefined) {
    parsed.rows.sendersOfFields.add(device);
    parsed.senders.add(device);
  }
  if (choice === undefined) return { to: { device, sensor: null }, clock: device, reason: null };

  const measured = measureField(choice, item.value);
  if (!measured.ok) return { reason: measured.failure };
  return targetOfMeasurement({ device, time: item.time, ...measured.value }, context, parsed);
}

function sensorTarget(
  index: SensorIndex,
  [module, another]: readonly ModuleName[],
  depth: number | null,
  sent: { readonly reading: Measurement; readonly device: string | null },
): Target<ReadingTarget> {
  const target = (sensor: Sensor | RejectionCode): Target<ReadingTarget> => ({
    to: { ...sent, sensor },
    clock: module?.id ?? null,
    reason: null,
  });

  if (module === undefined) return target('unknown_module');
  if (another !== undefined) return target('several_modules');
  if (depth !== null && !Number.isFinite(depth)) return target('invalid_depth');
  return target(findSensor(index, module.id, sent.reading.type, depth) ?? 'no_such_sensor');
}

const isMoistureOfStation = (
  index: SensorIndex,
  moduleId: number,
  reading: Parameters<typeof isMoistureReading>[0],
): boolean => stationWithId(index, moduleId) !== null && isMoistureReading(reading);

function valueReasons({ type, value }: Measurement): readonly Rejection[] {
  const reason = rejectionOfValue(value, measurementRange(type));
  return reason === null ? ACCEPTED : rejected(reason);
}
