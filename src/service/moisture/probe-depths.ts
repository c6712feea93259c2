import type { MoistureValue } from '../../domain/moisture/rises.ts';
import { moistureWithoutDropouts } from '../../domain/moisture/sensor-readings.ts';
import type { Slice } from '../../domain/soil/soil-slices.ts';
import type { ModuleBody } from '../../schema/company.ts';
import type { MoistureSeriesBody, SeriesSensorBody } from '../../schema/series.ts';

/** What a probe tells of one depth, in a series that was asked for with its depths. */
export interface ProbeDepth {
  readonly depthCm: number;
  readonly slice: Slice | null;
  /** Over the slice, m3/m3; null without a layer. */
  readonly fieldCapacity: number | null;
  /** Likewise. */
  readonly wiltingPoint: number | null;
  readonly points: readonly MoistureValue[];
}

/** Whether a module tells of the water in a soil: what a station calls humidity is that of the air. */
export const measuresSoilMoisture = ({ category }: ModuleBody, { type, sensors }: MoistureSeriesBody): boolean =>
  type === 'humidity' && category !== 'WEATHER_STATION' && (sensors ?? []).length > 0;

/** The depths of a probe from above, each once: sensors at one depth share its slice, and tell it together. */
export function probeDepths({ data, sensors = [] }: MoistureSeriesBody): ProbeDepth[] {
  const at = data.map(({ time }) => Date.parse(time));
  const depths = [...new Set(sensors.flatMap(({ depth }) => depth ?? []))].sort((a, b) => a - b);
  return depths.map((depthCm) => {
    const here = sensors.filter(({ depth }) => depth === depthCm);
    const { topCm, bottomCm, fieldCapacity, wiltingPoint } = here[0]!;
    return {
      depthCm,
      slice: topCm === null || bottomCm === null ? null : { topCm, bottomCm },
      fieldCapacity,
      wiltingPoint,
      points: weightedMean(
        at,
        here.map((sensor) => ({ sensor, weight: 1 })),
      ),
    };
  });
}

/** The summary curve of a probe, finer than it is served. */
export const unroundedSummaryCurve = ({ data, sensors = [] }: MoistureSeriesBody): MoistureValue[] =>
  weightedMean(
    data.map(({ time }) => Date.parse(time)),
    sensors.map((sensor) => ({ sensor, weight: sensor.weight })),
  );

/** The mean of some sensors at each instant at which one of them is to be believed, by weight. */
function weightedMean(
  at: readonly number[],
  weightedSensors: readonly { readonly sensor: SeriesSensorBody; readonly weight: number }[],
): MoistureValue[] {
  const sums = new Map<number, { water: number; weight: number }>();
  for (const { sensor, weight } of weightedSensors) {
    if (weight === 0) continue;
    const points = sensor.values.flatMap((value, row) => (value === null ? [] : [{ at: at[row]!, value }]));
    for (const point of moistureWithoutDropouts(points)) {
      const sum = sums.get(point.at) ?? { water: 0, weight: 0 };
      sums.set(point.at, { water: sum.water + weight * point.value, weight: sum.weight + weight });
    }
  }
  return [...sums]
    .map(([instant, { water, weight }]) => ({ at: instant, value: water / weight }))
    .sort((a, b) => a.at - b.at);
}
