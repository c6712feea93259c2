import { HOUR_MS, MINUTE_MS, type Period } from '../periods.ts';

/** An older reading says nothing about now: as long as a gateway may be silent. */
export const MAX_FRESH_AGE_MS = 25 * HOUR_MS;

/** A reading from a clock that runs ahead is 0 ms old. */
export function readingAge(at: number, now: number): { ageMs: number; isFresh: boolean } {
  const ageMs = Math.max(0, now - at);
  return { ageMs, isFresh: ageMs <= MAX_FRESH_AGE_MS };
}

/**
 * The median step between the readings of a sensor, in order; to the whole minute when longer than that, since probes send
 * with some jitter. Null below two readings.
 */
export function usualIntervalMs(at: ArrayLike<number>): number | null {
  if (at.length < 2) return null;
  const steps = Float64Array.from({ length: at.length - 1 }, (_, index) => at[index + 1]! - at[index]!).sort();
  const median = steps[Math.floor((steps.length - 1) / 2)]!;
  return median < MINUTE_MS ? median : Math.round(median / MINUTE_MS) * MINUTE_MS;
}

/** Readings that a sensor sent in a period, and its usual step. */
export interface SensorActivity {
  readonly count: number;
  readonly intervalMs: number | null;
}

/**
 * Share of the expected readings of a period that are missing, 0 to 1. Each sensor is expected once per whole step from
 * the start of the period on, also before it was installed; surplus readings make up for no other sensor. A sensor
 * without a step has the shortest of the others. Without any step, all is missing unless something was sent.
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
