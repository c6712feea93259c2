import { roundTo } from '../../decimal.ts';
import type { ProbeSeries } from '../../facts/probe-facts.ts';
import { MEASUREMENTS } from '../../moisture/measurement.ts';
import { bucketStart, countBuckets, DAY_MS, HOUR_MS, type Period } from '../../periods.ts';

const SPARKLINE_MS = 7 * DAY_MS;
/** Fine enough to show each night, and few enough for a farm of hundreds of probes. */
export const SPARKLINE_STEP_MS = 3 * HOUR_MS;

export const sparklinePeriod = (now: number): Period => ({
  start: bucketStart(now - SPARKLINE_MS, SPARKLINE_STEP_MS),
  end: now,
});

/** Means of `SPARKLINE_STEP_MS` of at least the period of the sparkline. */
export type SparklineCurve = Pick<ProbeSeries, 'type' | 'curve'>;

/** A value for each step of the period, null where there is a gap. Null without any value. */
export function sparklineValues(
  { type, curve }: SparklineCurve,
  period: Period,
): (number | null)[] | null {
  if (!curve.some(({ at }) => at >= period.start)) return null;

  const { decimals } = MEASUREMENTS[type];
  const values = new Array<number | null>(countBuckets(period, SPARKLINE_STEP_MS)).fill(null);
  // Some loggers send the water potential, which is the negative tension.
  for (const { at, value } of curve)
    if (at >= period.start)
      values[(at - period.start) / SPARKLINE_STEP_MS] = Math.abs(roundTo(value, decimals));

  return values;
}
