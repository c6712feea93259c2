import type { TimedValue } from '../../moisture/series.ts';
import { wettingEventsIn } from '../../moisture/wetting-events.ts';
import { HOUR_MS, type Period } from '../../periods.ts';
import type { DepthCurve } from '../watering-response.ts';

/** Heavy rain reaches a sensor this near to the surface within hours. */
const MAX_TOP_DEPTH_CM = 15;
/** A longer gap may hide a rise. */
const MAX_GAP_MS = 3 * HOUR_MS;

interface StillSoil {
  /** Hourly means, from the surface down. */
  readonly curves: readonly DepthCurve[];
  /** Their weighted mean in %. */
  readonly curve: readonly TimedValue[];
  /** That of the mean in %; null if unknown. */
  readonly fieldCapacity: number | null;
}

/**
 * When the uppermost sensor had readings without a gap, no depth rose, and the soil held less than
 * its field capacity: heavy rain would have shown. None where that sensor lies too deep to tell.
 */
export function stillPeriods({ curves, curve, fieldCapacity }: StillSoil): Period[] {
  const top = curves.find(({ points }) => points.length > 0);
  if (top === undefined || top.depthCm > MAX_TOP_DEPTH_CM || fieldCapacity === null) return [];

  const belowCapacityAt = new Set(
    curve.flatMap(({ at, value }) => (value < fieldCapacity ? [at] : [])),
  );
  const rises = curves.flatMap(({ points, minRise }) => wettingEventsIn(points, minRise));
  const isStill = (at: number): boolean =>
    belowCapacityAt.has(at) && !rises.some(({ startAt, peakAt }) => at >= startAt && at <= peakAt);

  const periods: Period[] = [];
  let before: number | null = null;
  for (const { at } of top.points) {
    const goesOn: boolean = before !== null && at - before <= MAX_GAP_MS;
    before = isStill(at) ? at : null;
    if (before === null) continue;
    const start = goesOn ? (periods.pop()?.start ?? at) : at;
    periods.push({ start, end: at + HOUR_MS });
  }
  return periods;
}
