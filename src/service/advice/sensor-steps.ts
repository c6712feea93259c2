import { minRiseHeight, smallestSensorStep } from '../../domain/moisture/rises.ts';
import type { TimedValue } from '../../domain/moisture/series.ts';
import { DAY_MS, type Period } from '../../domain/periods.ts';
import { probeDepths } from '../moisture/probe-depths.ts';
import { toIso } from '../wire-format.ts';
import type { PerformedOperations } from './operation-reads.ts';

/** One answer holds the readings of so long a time, also where there is one every minute. */
const SAMPLE_MS = 6 * DAY_MS;
const MAX_READINGS = 10_000;
/** Earlier readings are read only while a depth has not changed. */
const MAX_SAMPLES = 5;

/**
 * The smallest step of each depth (cm) between readings of a period, in points. Means of an hour, or of a quarter of one,
 * have smaller steps than a coarse sensor.
 */
async function readingSteps(
  { getMoistureSeries }: Pick<PerformedOperations, 'getMoistureSeries'>,
  moduleId: number,
  { start, end }: Period,
): Promise<Map<number, number>> {
  const steps = new Map<number, number>();
  for (let to = end, sample = 0; to > start && sample < MAX_SAMPLES; to -= SAMPLE_MS, sample++) {
    const from = Math.max(start, to - SAMPLE_MS);
    const args = { moduleId, start: toIso(from), end: toIso(to), maxPoints: MAX_READINGS, depths: true };
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
  operations: Pick<PerformedOperations, 'getMoistureSeries'>,
  moduleId: number,
  depths: readonly D[],
  period: Period,
): Promise<(D & { readonly minRise: number })[]> {
  const steps = await readingSteps(operations, moduleId, period);
  return depths.map((depth) => ({ ...depth, minRise: minRiseHeight(depth.points, steps.get(depth.depthCm)) }));
}
