import { bucketStart, countBuckets, DAY_MS, HOUR_MS, type Period } from '../periods.ts';
import { localMsAt, offsetSpans, resolveLocal } from '../time-zone.ts';

/*
 * The points of a series are aligned to 1970 in local time, or in UTC if the zone is null. Points
 * of whole days are counted from a Monday. Around a clock change a point of more than an hour, such
 * as a day, is shorter or longer; a point of up to an hour ends at the change.
 */

const FIRST_MONDAY_MS = 4 * DAY_MS;

export const hasLocalDayPoints = (intervalMs: number, zone: string | null): zone is string =>
  zone !== null && intervalMs % DAY_MS === 0;

const originMs = (intervalMs: number): number => (intervalMs % DAY_MS === 0 ? FIRST_MONDAY_MS : 0);

const startOfIndex = (index: number, intervalMs: number, zone: string): number =>
  resolveLocal(originMs(intervalMs) + index * intervalMs, zone).at;

function localIndex(at: number, intervalMs: number, zone: string): number {
  const index = Math.floor((localMsAt(at, zone) - originMs(intervalMs)) / intervalMs);
  // A point whose start falls in a skipped hour starts after that hour, possibly after `at`.
  if (startOfIndex(index, intervalMs, zone) > at) return index - 1;
  // Clocks may show in the second pass of a repeated hour a time before the start of a point that
  // has begun already.
  return startOfIndex(index + 1, intervalMs, zone) <= at ? index + 1 : index;
}

function shortLocalPoint(at: number, intervalMs: number, zone: string): Period {
  const start = at - (localMsAt(at, zone) - bucketStart(localMsAt(at, zone), intervalMs));
  return offsetSpans({ start, end: start + intervalMs }, zone).find(({ end }) => at < end)!;
}

export function pointStart(at: number, intervalMs: number, zone: string | null): number {
  if (zone === null) return bucketStart(at, intervalMs);
  return intervalMs > HOUR_MS
    ? startOfIndex(localIndex(at, intervalMs, zone), intervalMs, zone)
    : shortLocalPoint(at, intervalMs, zone).start;
}

export function pointEnd(at: number, intervalMs: number, zone: string | null): number {
  if (zone === null) return bucketStart(at, intervalMs) + intervalMs;
  return intervalMs > HOUR_MS
    ? startOfIndex(localIndex(at, intervalMs, zone) + 1, intervalMs, zone)
    : shortLocalPoint(at, intervalMs, zone).end;
}

export function countPoints(period: Period, intervalMs: number, zone: string | null): number {
  const { start, end } = period;
  if (zone === null) return countBuckets(period, intervalMs);
  if (end <= start) return 0;
  if (intervalMs > HOUR_MS)
    return localIndex(end - 1, intervalMs, zone) - localIndex(start, intervalMs, zone) + 1;

  return offsetSpans(period, zone).reduce(
    (count, span) =>
      count +
      countBuckets(
        { start: span.start + span.offsetMs, end: span.end + span.offsetMs },
        intervalMs,
      ),
    0,
  );
}
