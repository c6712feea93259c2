import { itemAt } from '../items.ts';
import { HOUR_MS, MINUTE_MS, type Period } from '../periods.ts';

/** A gateway that is silent for longer is faulty. Source: spec, "Limits". */
export const MAX_FRESH_AGE_MS = 25 * HOUR_MS;

/** A reading from a clock that is ahead has age 0. */
export function readingAge(at: number, now: number): { ageMs: number; isFresh: boolean } {
  const ageMs = Math.max(0, now - at);
  return { ageMs, isFresh: ageMs <= MAX_FRESH_AGE_MS };
}

/** False without a reading. */
export const isFreshAt = (newestAt: number | null, now: number): newestAt is number =>
  newestAt !== null && readingAge(newestAt, now).isFresh;

/**
 * An interval of a minute or more is rounded to whole minutes, because probes send with some
 * jitter.
 */
export function usualIntervalMs(at: ArrayLike<number>): number | null {
  if (at.length < 2) return null;
  const steps = Float64Array.from(
    { length: at.length - 1 },
    (_, index) => itemAt(at, index + 1) - itemAt(at, index),
  ).sort();
  const median = itemAt(steps, Math.floor((steps.length - 1) / 2));
  return median < MINUTE_MS ? median : Math.round(median / MINUTE_MS) * MINUTE_MS;
}

export interface SensorActivity {
  readonly count: number;
  readonly intervalMs: number | null;
}

/**
 * A share from 0 to 1. One reading is expected per sensor and whole interval, even before the
 * sensor was installed; surplus readings do not offset missing ones. A sensor without a known
 * interval gets the shortest of the others.
 */
export function missingShare({ start, end }: Period, sensors: readonly SensorActivity[]): number {
  const intervals = sensors.flatMap(({ intervalMs }) => intervalMs ?? []);
  if (intervals.length === 0) return sensors.some(({ count }) => count > 0) ? 0 : 1;

  const shortest = Math.min(...intervals);
  let expected = 0;
  let present = 0;

  for (const { count, intervalMs } of sensors) {
    const expectedOfSensor = Math.max(0, Math.floor((end - start) / (intervalMs ?? shortest)));
    expected += expectedOfSensor;
    present += Math.min(expectedOfSensor, count);
  }

  return expected === 0 ? 0 : 1 - present / expected;
}

/** A shorter gap is a single lost reading. */
const SHORTEST_GAP_MS = HOUR_MS;

/**
 * Periods of an hour or more without data, oldest first. A point covers the interval that follows
 * it.
 */
export function dataGaps(
  pointsAt: readonly number[],
  { start, end }: Period,
  intervalMs: number,
): Period[] {
  const gaps: Period[] = [];
  let coveredUntil = start;
  for (const at of pointsAt) {
    if (at < start || at >= end) continue;
    if (at - coveredUntil >= SHORTEST_GAP_MS) gaps.push({ start: coveredUntil, end: at });
    coveredUntil = Math.max(coveredUntil, at + intervalMs);
  }
  if (end - coveredUntil >= SHORTEST_GAP_MS) gaps.push({ start: coveredUntil, end });
  return gaps;
}
