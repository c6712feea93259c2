import { countPoints, pointStart } from '../../domain/moisture/series-points.ts';
import { DAY_MS, type Period, smallestInterval } from '../../domain/periods.ts';
import { argument } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { invalidInputError } from '../../schema/error.ts';
import type { SensorReadingBounds } from '../../store/moisture/reading-lookup.ts';
import { bucketStartsWithReadings } from '../../store/moisture/series.ts';
import type { CompanyDb } from '../../store/tables.ts';

export interface IntervalQuery {
  readonly interval?: number | undefined;
  readonly maxPoints: number;
  readonly refuseAbovePoints: number;
  /** The shortest interval that may be chosen; null allows single instants. */
  readonly shortestMs: number | null;
  /** The time zone in which points begin; null: UTC. */
  readonly zone: string | null;
}

/** The next longer of the intervals that may be chosen. */
const nextInterval = (intervalMs: number): number =>
  // The smallest that covers 1 ms more in a single point.
  smallestInterval({ start: 0, end: intervalMs + 1 }, 1);

/** The requested interval, unless the stored readings must be counted to know if it fits. */
export function guaranteedInterval(
  period: Period,
  { interval, refuseAbovePoints, zone }: IntervalQuery,
): number | null {
  const intervalMs = (interval ?? 0) * 1000;
  // Checked before the points are counted, because a period may span thousands of years.
  if (period.end - period.start > refuseAbovePoints * intervalMs) return null;
  return countPoints(period, intervalMs, zone) <= refuseAbovePoints ? intervalMs : null;
}

/**
 * Null for raw instants. Only buckets with readings count, so that a series with gaps is not too
 * coarse.
 */
export async function chooseInterval(
  db: CompanyDb,
  spans: readonly SensorReadingBounds[],
  { interval, maxPoints, refuseAbovePoints, shortestMs, zone }: IntervalQuery,
  pagingHint: Text | null,
): Promise<number | null> {
  const points = createPointCounter(db, spans, zone);
  if (interval === undefined)
    return shortestMs === null && (await points.fits(null, maxPoints))
      ? null
      : points.finest(maxPoints, shortestMs);

  const intervalMs = interval * 1000;
  if (!(await points.fits(intervalMs, refuseAbovePoints))) {
    const finest = (await points.finest(refuseAbovePoints)) / 1000;
    throw invalidInputError(
      'invalid_parameter',
      say`An interval of ${interval} s gives more than ${refuseAbovePoints} points in this period.`,
      {
        hint: say`Use ${argument('interval')} ${finest} or a longer one, a shorter period, or leave ${argument('interval')} out.${pagingHint}`,
        field: 'interval',
      },
    );
  }

  return intervalMs;
}

/** Counts points in the store, but no more than are asked about. */
function createPointCounter(
  db: CompanyDb,
  spans: readonly SensorReadingBounds[],
  zone: string | null,
) {
  const nonEmpty = spans.filter((span) => span.first !== null);
  const ids = nonEmpty.map(({ sensorId }) => sensorId);
  const first = Math.min(...nonEmpty.map((span) => span.first!));
  const last = Math.max(...nonEmpty.map((span) => span.last!));
  const starts = (intervalMs: number | null, atMost: number) =>
    bucketStartsWithReadings(db, ids, { first, last }, intervalMs, atMost, zone);

  /** The days with readings, of which all longer intervals are made. */
  let days: Promise<number[]> | undefined;

  async function fits(intervalMs: number | null, maxPoints: number): Promise<boolean> {
    if (nonEmpty.length === 0) return true;
    const fitsWithoutGaps =
      intervalMs !== null &&
      countPoints({ start: first, end: last + 1 }, intervalMs, zone) <= maxPoints;
    if (fitsWithoutGaps) return true;

    if (intervalMs === null || intervalMs % DAY_MS !== 0)
      return (await starts(intervalMs, maxPoints + 1)).length <= maxPoints;

    days ??= starts(DAY_MS, Number.MAX_SAFE_INTEGER);
    return new Set((await days).map((day) => pointStart(day, intervalMs, zone))).size <= maxPoints;
  }

  async function finest(maxPoints: number, shortestMs: number | null = null): Promise<number> {
    let intervalMs = shortestMs ?? nextInterval(0);
    while (!(await fits(intervalMs, maxPoints))) intervalMs = nextInterval(intervalMs);
    return intervalMs;
  }

  return { fits, finest };
}
