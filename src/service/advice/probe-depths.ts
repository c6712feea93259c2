import { firstOf, itemAt } from '../../domain/items.ts';
import { moistureWithoutDropouts } from '../../domain/moisture/sensor-readings.ts';
import type { TimedValue } from '../../domain/moisture/series.ts';
import { minRiseHeight, smallestSensorStep } from '../../domain/moisture/wetting-events.ts';
import { DAY_MS, type Period } from '../../domain/periods.ts';
import type { Slice } from '../../domain/soil/slices.ts';
import { shiftToDrawnCapacity } from '../../domain/soil/soil-profile.ts';
import type { MoistureSeriesBody, SeriesSensorBody } from '../../schema/moisture/series.ts';
import { toIso } from '../wire-format.ts';
import type { PartReads } from './operation-reads.ts';

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

/** A drawn field capacity (m3/m3) shifts those of the depths. */
export function probeDepths(
  { data, sensors = [] }: MoistureSeriesBody,
  drawnFieldCapacity: number | null = null,
): ProbeDepth[] {
  const instants = data.map(({ time }) => Date.parse(time));
  const depths = [...new Set(sensors.flatMap(({ depth }) => depth ?? []))].sort((a, b) => a - b);
  const depthsWithPoints = depths.map((depthCm) => {
    const sensorsOfDepth = sensors.filter(({ depth }) => depth === depthCm);
    const { topCm, bottomCm, fieldCapacity, wiltingPoint } = firstOf(sensorsOfDepth);
    return {
      depthCm,
      weight: sensorsOfDepth.reduce((sum, { weight }) => sum + weight, 0),
      slice: topCm === null || bottomCm === null ? null : { topCm, bottomCm },
      fieldCapacity,
      wiltingPoint,
      points: weightedMean(
        instants,
        sensorsOfDepth.map((sensor) => ({ sensor, weight: 1 })),
      ),
    };
  });

  return shiftToDrawnCapacity(depthsWithPoints, drawnFieldCapacity);
}

export const unroundedSummaryCurve = ({ data, sensors = [] }: MoistureSeriesBody): TimedValue[] =>
  weightedMean(
    data.map(({ time }) => Date.parse(time)),
    sensors.map((sensor) => ({ sensor, weight: sensor.weight })),
  );

function weightedMean(
  instants: readonly number[],
  weightedSensors: readonly { readonly sensor: SeriesSensorBody; readonly weight: number }[],
): TimedValue[] {
  const sums = new Map<number, { water: number; weight: number }>();
  for (const { sensor, weight } of weightedSensors) {
    if (weight === 0) continue;
    const points = sensor.values.flatMap((value, index) =>
      value === null ? [] : [{ at: itemAt(instants, index), value }],
    );
    for (const point of moistureWithoutDropouts(points)) {
      const sum = sums.get(point.at) ?? { water: 0, weight: 0 };
      sums.set(point.at, { water: sum.water + weight * point.value, weight: sum.weight + weight });
    }
  }

  return [...sums]
    .map(([at, { water, weight }]) => ({ at, value: water / weight }))
    .sort((a, b) => a.at - b.at);
}

/** One answer holds the readings of this period, even if there is one every minute. */
const SAMPLE_MS = 6 * DAY_MS;
const MAX_READINGS = 10_000;
/** An earlier sample is read only while some depth has shown no step. */
const MAX_SAMPLES = 5;

/**
 * The smallest step of each depth (cm) between readings of a period, in points. Means of an hour,
 * or of a quarter of one, have smaller steps than a coarse sensor.
 */
async function readingSteps(
  { getMoistureSeries }: Pick<PartReads, 'getMoistureSeries'>,
  moduleId: number,
  { start, end }: Period,
): Promise<Map<number, number>> {
  const steps = new Map<number, number>();
  for (let to = end, sample = 0; to > start && sample < MAX_SAMPLES; to -= SAMPLE_MS, sample++) {
    const from = Math.max(start, to - SAMPLE_MS);
    const args = {
      moduleId,
      start: toIso(from),
      end: toIso(to),
      maxPoints: MAX_READINGS,
      depths: true,
    };
    const series = await getMoistureSeries(args);

    const depths = series.interval_seconds === null ? probeDepths(series) : [];
    for (const { depthCm, points } of depths) {
      const step = smallestSensorStep(points);
      if (step > 0 && !steps.has(depthCm)) steps.set(depthCm, step);
    }

    if (depths.every(({ depthCm }) => steps.has(depthCm))) break;
  }

  return steps;
}

interface DepthPoints {
  readonly depthCm: number;
  readonly points: readonly TimedValue[];
}

/** Adds the least height of a rise, which follows from the noise and the steps of each sensor. */
export async function withMinRise<D extends DepthPoints>(
  operations: Pick<PartReads, 'getMoistureSeries'>,
  moduleId: number,
  depths: readonly D[],
  period: Period,
): Promise<(D & { readonly minRise: number })[]> {
  const steps = await readingSteps(operations, moduleId, period);
  return depths.map((depth) => ({
    ...depth,
    minRise: minRiseHeight(depth.points, steps.get(depth.depthCm)),
  }));
}
