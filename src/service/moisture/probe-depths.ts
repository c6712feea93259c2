import { moistureWithoutDropouts } from '../../domain/moisture/sensor-readings.ts';
import type { TimedValue } from '../../domain/moisture/series.ts';
import { followDrawnCapacity, type Slice } from '../../domain/soil/soil-profile.ts';
import type { MoistureSeriesBody, SeriesSensorBody } from '../../schema/series.ts';

interface ProbeDepth {
  readonly depthCm: number;
  readonly slice: Slice | null;
  /** Share of the summary curve. */
  readonly weight: number;
  /** Means over the slice, m3/m3; null without a soil layer. */
  readonly fieldCapacity: number | null;
  readonly wiltingPoint: number | null;
  readonly points: readonly TimedValue[];
}

/** With a drawn field capacity (m3/m3), those of the depths follow it. */
export function probeDepths(
  { data, sensors = [] }: MoistureSeriesBody,
  drawnFieldCapacity: number | null = null,
): ProbeDepth[] {
  const at = data.map(({ time }) => Date.parse(time));
  const depths = [...new Set(sensors.flatMap(({ depth }) => depth ?? []))].sort((a, b) => a - b);
  const probed = depths.map((depthCm) => {
    const sensorsHere = sensors.filter(({ depth }) => depth === depthCm);
    const { topCm, bottomCm, fieldCapacity, wiltingPoint } = sensorsHere[0]!;
    return {
      depthCm,
      weight: sensorsHere.reduce((sum, { weight }) => sum + weight, 0),
      slice: topCm === null || bottomCm === null ? null : { topCm, bottomCm },
      fieldCapacity,
      wiltingPoint,
      points: weightedMean(
        at,
        sensorsHere.map((sensor) => ({ sensor, weight: 1 })),
      ),
    };
  });
  return followDrawnCapacity(probed, drawnFieldCapacity);
}

export const unroundedSummaryCurve = ({ data, sensors = [] }: MoistureSeriesBody): TimedValue[] =>
  weightedMean(
    data.map(({ time }) => Date.parse(time)),
    sensors.map((sensor) => ({ sensor, weight: sensor.weight })),
  );

function weightedMean(
  at: readonly number[],
  weightedSensors: readonly { readonly sensor: SeriesSensorBody; readonly weight: number }[],
): TimedValue[] {
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
