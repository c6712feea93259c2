import { HOUR_MS, MINUTE_MS, type Period } from '../periods.ts';

/** How old the newest reading may be for a curve to tell of now: 25 h, as long as a gateway may be silent. */
export const MAX_FRESH_AGE_MS = 25 * HOUR_MS;

/** How old what was read at an instant is, and whether it still tells of now; a clock that runs ahead makes it 0 ms old. */
export function readingAge(at: number, now: number): { ageMs: number; isFresh: boolean } {
  const ageMs = Math.max(0, now - at);
  return { ageMs, isFresh: ageMs <= MAX_FRESH_AGE_MS };
}

/**
 * The time between a sensor's readings, as a rule: the median step between those instants (in order; its newest readings
 * will do), to the whole minute where it is longer than that, since probes send with some jitter. Null below two readings.
 */
export function usualIntervalMs(at: ArrayLike<number>): number | null {
  if (at.length < 2) return null;
  const steps = Float64Array.from({ length: at.length - 1 }, (_, index) => at[index + 1]! - at[index]!).sort();
  const median = steps[Math.floor((steps.length - 1) / 2)]!;
  return median < MINUTE_MS ? median : Math.round(median / MINUTE_MS) * MINUTE_MS;
}

/** What a sensor sent in a period, and the step that it usually sends at. */
export interface SensorActivity {
  readonly count: number;
  readonly intervalMs: number | null;
}

/**
 * Share of a period's expected readings that are missing, 0 to 1: each sensor is expected once per whole step, from the
 * start of the period on, also where it was not there yet; what it sent beyond that makes up for no other. A sensor
 * without a step of its own has the shortest of the others. Without any, all is missing unless something was sent.
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
