import { entryOf, withoutNulls } from '../../../domain/items.ts';
import { invalidInputError } from '../../../schema/error.ts';
import type { Sensor } from '../../../store/company/sensors.ts';
import type { UnassignedReading } from '../../../store/ingest/unassigned-readings.ts';
import { findSensor, type SensorIndex, sensorsOfModule } from '../sensor-index.ts';
import {
  type DeviceAssignment,
  depthOnDevice,
  isMoistureReading,
  isRainReading,
  isWeatherReading,
  toSensorReading,
} from './device-readings.ts';

const depthsOf = (index: SensorIndex, moduleId: number): (number | null)[] => [
  ...new Set(sensorsOfModule(index, moduleId).map(({ depth }) => depth)),
];

/** Without the sensors that have none. */
export const sensorDepthsOf = (index: SensorIndex, moduleId: number): number[] =>
  withoutNulls(depthsOf(index, moduleId));

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
    ? isAssignedToStation(index, assignment)
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
