import { addCivilDays, type CivilDate, daysBetween } from '../calendar.ts';
import { bucketStart, countBuckets, DAY_MS, type Period } from '../periods.ts';
import { civilAt, midnightAt } from '../time-zone.ts';

/**
 * Points of whole days are days of a zone, and several days are counted from a Monday. Shorter points, and all of them
 * without a zone (null), are aligned to 1970 UTC.
 */
const FIRST_MONDAY: CivilDate = { year: 1970, month: 1, day: 5 };

export const isOfLocalDays = (intervalMs: number, zone: string | null): zone is string =>
  zone !== null && intervalMs % DAY_MS === 0;

const localIndex = (at: number, intervalMs: number, zone: string): number =>
  Math.floor(daysBetween(FIRST_MONDAY, civilAt(at, zone)) / (intervalMs / DAY_MS));

const localStart = (index: number, intervalMs: number, zone: string): number =>
  midnightAt(addCivilDays(FIRST_MONDAY, index * (intervalMs / DAY_MS)), zone);

export const pointStart = (at: number, intervalMs: number, zone: string | null): number =>
  isOfLocalDays(intervalMs, zone)
    ? localStart(localIndex(at, intervalMs, zone), intervalMs, zone)
    : bucketStart(at, intervalMs);

/** A local day may have 23 or 25 hours. */
export const pointEnd = (at: number, intervalMs: number, zone: string | null): number =>
  isOfLocalDays(intervalMs, zone)
    ? localStart(localIndex(at, intervalMs, zone) + 1, intervalMs, zone)
    : bucketStart(at, intervalMs) + intervalMs;

export function countPoints(period: Period, intervalMs: number, zone: string | null): number {
  if (!isOfLocalDays(intervalMs, zone)) return countBuckets(period, intervalMs);
  const { start, end } = period;
  return end <= start ? 0 : localIndex(end - 1, intervalMs, zone) - localIndex(start, intervalMs, zone) + 1;
}
