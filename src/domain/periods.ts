/** A period lasts from `start` (included) to `end` (excluded), in ms since 1970 UTC. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const HOUR_MIN = 60;
export const DAY_MIN = 24 * HOUR_MIN;
/** The day on which summer time ends. */
export const LONGEST_DAY_MS = 25 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

const STANDARD_INTERVALS_MS = [
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
  WEEK_MS,
];

/** All buckets, even those of weeks, are aligned to 1970-01-01 UTC. */
export const bucketStart = (at: number, intervalMs: number): number =>
  Math.floor(at / intervalMs) * intervalMs;

export const countBuckets = ({ start, end }: Period, intervalMs: number): number =>
  end <= start
    ? 0
    : (bucketStart(end - 1, intervalMs) - bucketStart(start, intervalMs)) / intervalMs + 1;

/** A standard interval, or else a multiple of 7 days. */
export function smallestInterval(period: Period, maxPoints: number): number {
  const fits = (intervalMs: number): boolean => countBuckets(period, intervalMs) <= maxPoints;
  const standard = STANDARD_INTERVALS_MS.find(fits);
  if (standard !== undefined) return standard;
  // At `widest` the period lies in one bucket, or in two if it contains the start of 1970. A wider
  // interval would not lower that count.
  const widest = Math.max(Math.abs(period.start), Math.abs(period.end)) + WEEK_MS;
  const minWeeks = Math.max(2, Math.floor((period.end - period.start) / (maxPoints * WEEK_MS)));
  let intervalMs = minWeeks * WEEK_MS;
  while (!fits(intervalMs) && intervalMs < widest) intervalMs += WEEK_MS;
  return intervalMs;
}
