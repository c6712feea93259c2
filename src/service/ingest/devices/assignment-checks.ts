import { fieldNameOf } from '../../../domain/ingest/field-choices.ts';
import { entryOf, withoutNulls } from '../../../domain/items.ts';
import type { MeasurementType } from '../../../domain/moisture/measurement.ts';
import { foldText } from '../../../domain/strings.ts';
import { exact } from '../../../domain/text/figures.ts';
import { code, description, operationName } from '../../../domain/text/program-names.ts';
import { programText, uniqueTexts } from '../../../domain/text/program-text.ts';
import { list, quotedName, say } from '../../../domain/text/say.ts';
import type { Text } from '../../../domain/text/text.ts';
import { measurementAt } from '../../../language/ingest/field-texts.ts';
import { invalidInputError } from '../../../schema/error.ts';
import { listOfType } from '../../../schema/ingest/ingest-items.ts';
import type { Sensor } from '../../../store/company/sensors.ts';
import type { UnassignedReading } from '../../../store/ingest/unassigned-readings.ts';
import { findSensor, type SensorIndex, sensorsOfModule } from '../sensor-index.ts';
import {
  type DeviceAssignment,
  depthOnDevice,
  isMoistureReading,
  toSensorReading,
} from './device-readings.ts';
import { parseFields } from './fields/field-grammar.ts';

const depthsOf = (index: SensorIndex, moduleId: number): (number | null)[] => [
  ...new Set(sensorsOfModule(index, moduleId).map(({ depth }) => depth)),
];

/** The depths of the sensors that have one. */
export const sensorDepthsOf = (index: SensorIndex, moduleId: number): number[] =>
  withoutNulls(depthsOf(index, moduleId));

/** In the unit in which depths are entered, never in inches. */
const centimetres = (depths: readonly number[]): Text =>
  say`${description(say`${exact(depths)} cm`, `${depths.join(', ')} cm`)}`;

/** The depth of all sensors of the module, so that a person need not name it; empty if they differ. */
export function onlyDepth(index: SensorIndex, moduleId: number): number[] {
  const [depth = null, ...others] = depthsOf(index, moduleId);
  return depth !== null && others.length === 0 ? [depth] : [];
}

export function sensorOfReading(
  index: SensorIndex,
  assignment: DeviceAssignment,
  stored: UnassignedReading,
): Sensor | undefined {
  const reading = toSensorReading(stored, assignment);
  if (reading === null) return undefined;
  return findSensor(index, assignment.moduleId, reading.type, depthOnDevice(assignment, reading));
}

export const isAssignedToStation = (index: SensorIndex, { moduleId }: DeviceAssignment): boolean =>
  entryOf(index.byId, moduleId).category === 'WEATHER_STATION';

export function assertNoSoilOnStation(
  index: SensorIndex,
  assignment: DeviceAssignment,
  readings: readonly UnassignedReading[],
): void {
  const isSoil = (stored: UnassignedReading): boolean => {
    const reading = toSensorReading(stored, assignment);
    return reading !== null && isMoistureReading(reading);
  };

  if (isAssignedToStation(index, assignment) && readings.some(isSoil))
    throw invalidInputError(
      'invalid_body',
      say`This device sends the moisture of the soil, and the module is a weather station.`,
      {
        hint: say`Assign it to a SOIL_PROBE. If it is the humidity of the air, its map needs "depth": null.`,
        field: 'device',
      },
    );
}

export const isWritableReading = (
  index: SensorIndex,
  assignment: DeviceAssignment,
  reading: UnassignedReading,
): boolean =>
  listOfType(reading.type) === 'readings'
    ? sensorOfReading(index, assignment, reading) !== undefined
    : isAssignedToStation(index, assignment);

/**
 * Throws if the module lacks a sensor at a depth, for a field that a person named, or for all that
 * the device sends. Returns what it sends beside that, such as "temperature at 30 cm".
 */
export function assertSensorsExist(
  index: SensorIndex,
  assignment: DeviceAssignment,
  readings: readonly UnassignedReading[],
  { depthsField, named }: { readonly depthsField: string; readonly named: readonly string[] },
): string[] {
  const existing = sensorDepthsOf(index, assignment.moduleId);
  const addSensors = say`add sensors with ${operationName('set_module')} or a farm file`;
  const hint =
    existing.length > 0
      ? say`The module has sensors at ${centimetres(existing)}. Give one of these, or ${addSensors}.`
      : say`No sensor of the module has a depth. Leave it out, or ${addSensors}.`;
  const refuse = (message: Text, field: string): never => {
    throw invalidInputError('invalid_body', message, { hint, field });
  };

  const missing = assignment.depths.find((depth) => !existing.includes(depth));
  if (missing !== undefined)
    refuse(say`The module has no sensor at ${centimetres([missing])}.`, depthsField);

  const namedFields = new Set(parseFields(named).map(({ name }) => foldText(name)));
  for (const { name, type, position } of assignment.fields) {
    const depth = position === null ? null : depthOnDevice(assignment, { position });
    if (namedFields.has(foldText(name)) && !hasSensor(index, assignment, type, depth))
      refuse(
        say`The module has no sensor of ${measurementAt(type, depth)} for the field ${quotedName(name)}.`,
        'fields',
      );
  }

  const measured = readings.filter((reading) => isMeasured(assignment, reading));
  const unwritable = measured.filter((reading) => !isWritableReading(index, assignment, reading));
  const texts = uniqueTexts(unwritable.map((reading) => unwritableText(assignment, reading)));
  if (unwritable.length > 0 && unwritable.length === measured.length)
    refuse(say`The module has no sensor for what this device sends: ${list(texts)}.`, depthsField);
  return texts.map((text) => programText(text));
}

/** False for a field of which nobody said what it measures, or with a value that cannot be that. */
const isMeasured = (assignment: DeviceAssignment, reading: UnassignedReading): boolean =>
  fieldNameOf(reading.type) === null || toSensorReading(reading, assignment) !== null;

const hasSensor = (
  index: SensorIndex,
  { moduleId }: DeviceAssignment,
  type: MeasurementType,
  depth: number | null,
): boolean => findSensor(index, moduleId, type, depth) !== undefined;

function unwritableText(assignment: DeviceAssignment, stored: UnassignedReading): Text {
  const reading = toSensorReading(stored, assignment);
  return reading === null
    ? say`${code(stored.type)}`
    : measurementAt(reading.type, depthOnDevice(assignment, reading));
}
