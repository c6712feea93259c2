import { HOUR_MS, MINUTE_MS, type Period } from '../periods.ts';

/** Also the silence after which a gateway is faulty. Source: spec, "Limits". */
export const MAX_FRESH_AGE_MS = 25 * HOUR_MS;

/** A reading from a clock that is ahead has age 0. */
export function readingAge(at: number, now: number): { ageMs: number; isFresh: boolean } {
  const ageMs = Math.max(0, now - at);
  return { ageMs, isFresh: ageMs <= MAX_FRESH_AGE_MS };
}

/** Rounded to the whole minute when longer than that, since probes send with some jitter. */
export function usualIntervalMs(at: ArrayLike<number>): number | null {
  if (at.length < 2) return null;
  const steps = Float64Array.from({ length: at.length - 1 }, (_, index) => at[index + 1]! - at[index]!).sort();
  const median = steps[Math.floor((steps.length - 1) / 2)]!;
  return median < MINUTE_MS ? median : Math.round(median / MINUTE_MS) * MINUTE_MS;
}

export interface SensorActivity {
  readonly count: number;
  readonly intervalMs: number | null;
}

/**
 * 0 to 1. One reading is expected per sensor and whole step, also before the sensor was installed; surplus readings
 * do not offset missing ones. A sensor without a step gets the shortest of the others.
 */
export function missingShare({ start, end }: Period, sensors: readonly SensorActivity[]): number {
  const steps = sensors.flatMap(({ intervalMs }) => intervalMs ?? []);
  if (steps.length === 0) return sensors.some(({ count }) => count > 0) ? 0 : 1;
  const shortest = Math.min(...steps);
  let expected = 0;
  let present = 0;
  for (const { count, intervalMs } of sensors) {
    const expectedOfSensor = Math.max(0, Math.floor((end - start) / (intervalMs ?? shortest)));
    expected += expectedOfSensor;
    present += Math.min(expectedOfSensor, count);
  }
  return expected === 0 ? 0 : 1 - present / expected;
}

/** Shorter ones are single readings that were lost. */
const SHORTEST_GAP_MS = HOUR_MS;

/** Times without data, of an hour or more, oldest first. A point stands for the interval that follows it. */
export function dataGaps(pointsAt: readonly number[], { start, end }: Period, intervalMs: number): Period[] {
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
