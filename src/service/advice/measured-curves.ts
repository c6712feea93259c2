import { depthCurves, sensorSteps } from '../../domain/advice/depth-curves.ts';
import type { DepthCurve } from '../../domain/advice/watering-response.ts';
import type { ProbeSeries } from '../../domain/facts/probe-facts.ts';
import { DAY_MS, type Period } from '../../domain/periods.ts';
import type { FactSource } from '../../operation/fact-source.ts';

/** So few days that their readings are read at once, even if there is one every minute. */
const SAMPLE_MS = 6 * DAY_MS;
/** An earlier sample is read only while some depth has shown no step. */
const MAX_SAMPLES = 5;

/**
 * The depths of a series of means over the period. Calls `onHours` where hours stand in place of
 * single readings before an instant.
 */
export async function measuredCurves(
  facts: Pick<FactSource, 'readings'>,
  moduleId: number,
  series: ProbeSeries,
  { start, end }: Period,
  curveFacts: Parameters<typeof depthCurves>[2] = {},
  onHours: (before: number) => void = () => undefined,
): Promise<DepthCurve[]> {
  const steps = new Map<number, number>();
  for (let to = end, sample = 0; to > start && sample < MAX_SAMPLES; to -= SAMPLE_MS, sample++) {
    const readings = await facts.readings(moduleId, {
      start: Math.max(start, to - SAMPLE_MS),
      end: to,
    });
    if (readings === null) break;
    if (readings.hoursBefore !== undefined) onHours(readings.hoursBefore);

    for (const [depthCm, step] of sensorSteps(readings))
      if (!steps.has(depthCm)) steps.set(depthCm, step);
    if (series.depths.every(({ depthCm }) => steps.has(depthCm))) break;
  }

  return depthCurves(series.depths, steps, curveFacts);
}
