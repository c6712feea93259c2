import { firstOf, itemAt } from '../items.ts';
import { isSoilMoisture, type MeasurementType } from '../moisture/measurement.ts';
import { moistureWithoutDropouts } from '../moisture/sensor-readings.ts';
import type { TimedValue } from '../moisture/series.ts';
import type { SummarySource } from '../moisture/summary-source.ts';
import type { Slice } from '../soil/slices.ts';
import type { SoilConstants } from '../soil/soil-catalog.ts';
import { type DatedLayer, soilAt, soilOfSlice } from '../soil/soil-profile.ts';
import type { DepthFacts, ModuleFacts, ProbeSeries } from './probe-facts.ts';

/** The readings of one sensor, and its share of the curve. */
export interface SensorSeries {
  readonly depthCm: number | null;
  readonly weight: number;
  readonly slice: Slice | null;
  /** Means over the slice in m3/m3. */
  readonly fieldCapacity: number | null;
  readonly wiltingPoint: number | null;
  readonly saturation: number | null;
  /** Oldest first, dropouts included. */
  readonly points: readonly TimedValue[];
}

interface SeriesOfSensors {
  readonly type: MeasurementType;
  readonly rootDepthCm: number | null;
  readonly sensors: readonly SensorSeries[];
}

export function probeSeries({ type, rootDepthCm, sensors }: SeriesOfSensors): ProbeSeries {
  const readings = sensors.map((sensor) => ({
    ...sensor,
    // A tension of 0 is a value.
    points: type === 'humidity' ? moistureWithoutDropouts(sensor.points) : sensor.points,
  }));
  const depthsCm = [...new Set(readings.flatMap(({ depthCm }) => depthCm ?? []))];

  return {
    type,
    hasSensors: sensors.length > 0,
    rootDepthCm,
    depths: depthsCm
      .sort((a, b) => a - b)
      .map((depthCm) =>
        depthFacts(
          depthCm,
          readings.filter((sensor) => sensor.depthCm === depthCm),
        ),
      ),
    curve: weightedMean(readings),
  };
}

/** False for the humidity of the air, and without sensors. */
export const hasSoilMoisture = ({ type, hasSensors }: ProbeSeries, module: ModuleFacts): boolean =>
  hasSensors && isSoilMoisture({ type, sensors: [type] }, module);

function depthFacts(depthCm: number, sensors: readonly SensorSeries[]): DepthFacts {
  const { slice, fieldCapacity, wiltingPoint, saturation } = firstOf(sensors);
  return {
    depthCm,
    slice,
    weight: sensors.reduce((sum, { weight }) => sum + weight, 0),
    fieldCapacity,
    wiltingPoint,
    saturation,
    points: weightedMean(sensors.map(({ points }) => ({ points, weight: 1 }))),
  };
}

/** The values of a column with their instants. Null or NaN counts as missing and is left out. */
export function timedValues(
  instants: ArrayLike<number>,
  values: ArrayLike<number | null>,
): TimedValue[] {
  const points: TimedValue[] = [];
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? Number.NaN;
    if (!Number.isNaN(value)) points.push({ at: itemAt(instants, index), value });
  }
  return points;
}

/** The values of a sensor, oldest first. */
export interface SensorValues {
  readonly at: readonly number[];
  readonly values: readonly number[];
}

/** `values` has an entry for each sensor of the source; the soil is that of the instant `at`. */
export function seriesOfSource(
  { type, rootDepthCm, sensors, curve, layers }: SummarySource,
  values: readonly SensorValues[],
  at: number,
): ProbeSeries {
  return probeSeries({
    type,
    rootDepthCm,
    sensors: sensors.map(({ depth: depthCm }, index) => {
      const slice = curve.slices[index] ?? null;
      const soil = soilOf(layers, depthCm, slice, at);
      return {
        depthCm,
        weight: itemAt(curve.weights, index),
        slice,
        fieldCapacity: soil?.fieldCapacity ?? null,
        wiltingPoint: soil?.wiltingPoint ?? null,
        saturation: soil?.saturation ?? null,
        points: pointsOf(itemAt(values, index)),
      };
    }),
  });
}

function soilOf(
  layers: readonly DatedLayer[],
  depthCm: number | null,
  slice: Slice | null,
  at: number,
): SoilConstants | null {
  if (slice !== null) return soilOfSlice(layers, slice, at);
  return depthCm === null ? null : soilAt(layers, depthCm, at);
}

/** The weighted mean of the sensors as a series shows it, dropouts included. */
export const meanCurve = (
  { curve }: SummarySource,
  values: readonly SensorValues[],
): TimedValue[] =>
  weightedMean(
    values.map((sensor, index) => ({
      points: pointsOf(sensor),
      weight: itemAt(curve.weights, index),
    })),
  );

const pointsOf = ({ at, values }: SensorValues): TimedValue[] => timedValues(at, values);

export const curveOfDepths = (depths: readonly DepthFacts[]): TimedValue[] => weightedMean(depths);

/** The mean at each instant is that of the sensors that have a value then. */
function weightedMean(
  sensors: readonly { readonly points: readonly TimedValue[]; readonly weight: number }[],
): TimedValue[] {
  const weighted = sensors.filter(({ weight }) => weight > 0);
  const rows = weighted.map(() => 0);
  const means: TimedValue[] = [];

  for (;;) {
    let at = Number.POSITIVE_INFINITY;
    for (let sensor = 0; sensor < weighted.length; sensor++)
      at = Math.min(at, weighted[sensor]!.points[rows[sensor]!]?.at ?? at);
    if (at === Number.POSITIVE_INFINITY) return means;

    let water = 0;
    let total = 0;
    for (let sensor = 0; sensor < weighted.length; sensor++) {
      const { points, weight } = weighted[sensor]!;
      const point = points[rows[sensor]!];
      if (point?.at !== at) continue;
      water += weight * point.value;
      total += weight;
      rows[sensor]! += 1;
    }
    means.push({ at, value: water / total });
  }
}
