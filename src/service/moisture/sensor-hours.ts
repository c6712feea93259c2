import { DRYING_RATE_DAYS } from '../../domain/facts/probe-facts.ts';
import { type SensorValues, timedValues } from '../../domain/facts/probe-series.ts';
import {
  soilTemperatureAt,
  type Thermometer,
  thermometersInSoil,
} from '../../domain/facts/soil-temperature.ts';
import type { TensionHours } from '../../domain/facts/suspect-tension.ts';
import {
  type CalibratedSensor,
  withoutCalibrationSteps,
} from '../../domain/moisture/calibration.ts';
import type { SensorHours } from '../../domain/moisture/sensor-faults.ts';
import { moistureWithoutDropouts } from '../../domain/moisture/sensor-readings.ts';
import type { SummarySource } from '../../domain/moisture/summary-source.ts';
import { DAY_MS, HOUR_MS } from '../../domain/periods.ts';
import type { Sensor } from '../../store/company/sensors.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { type MeansOfSensor, meansOfSensors } from './sensor-means.ts';

/** The hourly means of the last `DRYING_RATE_DAYS`. */
export const loadHours = (
  db: CompanyDb,
  sensors: readonly CalibratedSensor[],
  now: number,
): Promise<MeansOfSensor> =>
  meansOfSensors(db, sensors, { start: now - DRYING_RATE_DAYS * DAY_MS, end: now }, HOUR_MS);

export type ValuesOfSensor = (sensor: CalibratedSensor) => SensorValues;

export const withoutSteps =
  (hours: MeansOfSensor): ValuesOfSensor =>
  ({ id, calibration }) =>
    withoutCalibrationSteps(calibration, hours(id), HOUR_MS);

export const isSoilThermometer = ({ type, depth }: Sensor): boolean =>
  type === 'temperature' && depth !== null;

export const thermometersOf = (
  sensors: readonly Sensor[],
  valuesOf: ValuesOfSensor,
): Thermometer[] =>
  sensors.map((sensor) => {
    const { at, values } = valuesOf(sensor);
    return { depthCm: sensor.depth, points: timedValues(at, values) };
  });

/** The hours of the sensors of a tension; a 0 is a value of theirs. */
export function tensionHours(
  { sensors }: SummarySource,
  thermometers: readonly Sensor[],
  valuesOf: ValuesOfSensor,
): TensionHours[] {
  const inSoil = thermometersInSoil(thermometersOf(thermometers, valuesOf));
  return sensors.map((sensor) => {
    const { at, values } = valuesOf(sensor);
    return {
      depthCm: sensor.depth,
      points: timedValues(at, values),
      soilTemperature: soilTemperatureAt(sensor.depth ?? 0, inSoil),
    };
  });
}

/** Each sensor alone, although several may be at one depth. */
export function hoursOfSource(
  { sensors }: SummarySource,
  thermometers: readonly Sensor[],
  valuesOf: ValuesOfSensor,
): SensorHours[] {
  const inSoil = thermometersInSoil(thermometersOf(thermometers, valuesOf));
  return sensors.map((sensor) => {
    const { at, values } = valuesOf(sensor);
    return {
      points: moistureWithoutDropouts(timedValues(at, values)),
      soilTemperature: soilTemperatureAt(sensor.depth ?? 0, inSoil),
    };
  });
}
