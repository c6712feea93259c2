import { firstOf, itemAt } from '../items.ts';
import type { MeasurementType } from '../moisture/measurement.ts';
import { moistureWithoutDropouts } from '../moisture/sensor-readings.ts';
import type { TimedValue } from '../moisture/series.ts';
import type { Slice } from '../soil/slices.ts';
import type { DepthFacts, ProbeSeries } from './probe-facts.ts';

/** What one sensor measured, and its share of the curve. */
export interface SensorSeries {
  readonly depthCm: number | null;
  readonly weight: number;
  readonly slice: Slice | null;
  /** Means over the slice in m3/m3. */
  readonly fieldCapacity: number | null;
  readonly wiltingPoint: number | null;
  /** One for each instant; null, or NaN, where the sensor has none. */
  readonly values: ArrayLike<number | null>;
}

interface SeriesOfSensors {
  readonly type: MeasurementType;
  readonly rootDepthCm: number | null;
  /** In ascending order. */
  readonly instants: ArrayLike<number>;
  readonly sensors: readonly SensorSeries[];
}

export function probeSeries({
  type,
  rootDepthCm,
  instants,
  sensors,
}: SeriesOfSensors): ProbeSeries {
  const readings = sensors.map((sensor) => ({
    ...sensor,
    points: moistureWithoutDropouts(pointsOf(instants, sensor.values)),
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

interface SensorReadings extends SensorSeries {
  readonly points: readonly TimedValue[];
}

function depthFacts(depthCm: number, sensors: readonly SensorReadings[]): DepthFacts {
  const { slice, fieldCapacity, wiltingPoint } = firstOf(sensors);
  return {
    depthCm,
    slice,
    weight: sensors.reduce((sum, { weight }) => sum + weight, 0),
    fieldCapacity,
    wiltingPoint,
    points: weightedMean(sensors.map(({ points }) => ({ points, weight: 1 }))),
  };
}

function pointsOf(
  instants: ArrayLike<number>,
  values: ArrayLike<number | null>,
): readonly TimedValue[] {
  const points: TimedValue[] = [];
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? Number.NaN;
    if (!Number.isNaN(value)) points.push({ at: itemAt(instants, index), value });
  }
  return points;
}

/** At each instant, that of the sensors that have a value then. */
function weightedMean(
  sensors: readonly { readonly points: readonly TimedValue[]; readonly weight: number }[],
): TimedValue[] {
  const sums = new Map<number, { water: number; weight: number }>();
  for (const { points, weight } of sensors) {
    if (weight === 0) continue;
    for (const { at, value } of points) {
      const sum = sums.get(at) ?? { water: 0, weight: 0 };
      sums.set(at, { water: sum.water + weight * value, weight: sum.weight + weight });
    }
  }

  return [...sums]
    .map(([at, { water, weight }]) => ({ at, value: water / weight }))
    .sort((a, b) => a.at - b.at);
}
