import { DAY_MS, MINUTE_MS } from '../periods.ts';
import type { SeriesRows } from './bucket-means.ts';
import type { ReadingColumns } from './sensor-readings.ts';

/** Sensors of a probe may send seconds apart. A sensor that sends again starts a new cycle. */
export const CYCLE_SPREAD_MS = 5 * MINUTE_MS;
const CYCLE_TIMEOUT_MS = 30 * MINUTE_MS;
/** A cycle waits for every sensor that has sent within this time. */
const ACTIVE_SENSOR_MS = DAY_MS;

/** `at` is the last instant of each cycle. */
export interface SamplingCycles extends SeriesRows {
  readonly at: readonly number[];
  readonly means: readonly (readonly number[])[];
}

/** The instants of all readings in order, with the sensors that have a reading then. */
function* instantsOf(
  readings: readonly ReadingColumns[],
): Generator<{ at: number; sensors: readonly number[] }> {
  const nextRow = readings.map(() => 0);
  for (;;) {
    let at = Number.POSITIVE_INFINITY;
    for (let sensor = 0; sensor < nextRow.length; sensor++)
      at = Math.min(at, readings[sensor]!.at[nextRow[sensor]!] ?? at);
    if (at === Number.POSITIVE_INFINITY) return;

    const sensors: number[] = [];
    for (let sensor = 0; sensor < nextRow.length; sensor++) {
      if (readings[sensor]!.at[nextRow[sensor]!] !== at) continue;
      sensors.push(sensor);
      nextRow[sensor]! += 1;
    }

    yield { at, sensors };
  }
}

const INSTANTS_PER_STEP = 1_024;

/**
 * Callers pass sensors without weight with no readings, so that these keep their index but start no
 * cycle.
 */
export function* samplingCyclesInSteps(
  readings: readonly ReadingColumns[],
): Generator<undefined, SamplingCycles> {
  const cycleEnds: number[] = [];
  const values: number[][] = readings.map(() => []);
  const readCount = readings.map(() => 0);
  const isInCycle = readings.map(() => false);
  let cycleStartAt = Number.NEGATIVE_INFINITY;
  let step = 0;

  for (const { at: instant, sensors } of instantsOf(readings)) {
    if (++step % INSTANTS_PER_STEP === 0) yield;
    if (instant - cycleStartAt >= CYCLE_SPREAD_MS || sensors.some((sensor) => isInCycle[sensor])) {
      cycleEnds.push(instant);
      for (const list of values) list.push(Number.NaN);
      isInCycle.fill(false);
      cycleStartAt = instant;
    }

    const cycle = cycleEnds.length - 1;
    cycleEnds[cycle] = instant;

    for (const sensor of sensors) {
      const row = readCount[sensor]!;
      values[sensor]![cycle] = readings[sensor]!.value[row]!;
      readCount[sensor] = row + 1;
      isInCycle[sensor] = true;
    }
  }

  return { at: cycleEnds, means: values };
}

/**
 * The latest instant up to `upTo` that begins a cycle regardless of readings before `readFrom`.
 * Cycles built from that instant on equal those built from the whole past.
 */
export function certainCycleStart(
  readings: readonly ReadingColumns[],
  readFrom: number,
  upTo: number,
): number | null {
  let certainAt: number | null = null;
  let previousAt = readFrom;
  let previousSensors: readonly number[] = [];

  for (const { at, sensors } of instantsOf(readings)) {
    if (at > upTo) break;
    const startsCycle =
      at - previousAt >= CYCLE_SPREAD_MS ||
      sensors.some((sensor) => previousSensors.includes(sensor));
    if (startsCycle) certainAt = at;
    [previousAt, previousSensors] = [at, sensors];
  }

  return certainAt;
}

/**
 * A cycle is settled once it is half an hour old or has every sensor that sent in the day before
 * it.
 */
export function settledCycles(
  { at }: SamplingCycles,
  readings: readonly ReadingColumns[],
  now: number,
) {
  // The newest row of each sensor up to the cycle that is visited, from the newest cycle to the
  // oldest.
  const latestRows = readings.map((sensor) => sensor.at.length - 1);

  const isComplete = (cycle: number): boolean =>
    readings.every((columns, sensor) => {
      while (latestRows[sensor]! >= 0 && columns.at[latestRows[sensor]!]! > at[cycle]!)
        latestRows[sensor]! -= 1;
      const latestAt = columns.at[latestRows[sensor]!];
      if (latestAt !== undefined && latestAt > (at[cycle - 1] ?? Number.NEGATIVE_INFINITY))
        return true;
      const lastSentAt = latestAt ?? columns.before?.at;
      return lastSentAt === undefined || at[cycle]! - lastSentAt >= ACTIVE_SENSOR_MS;
    });

  const isSettled = at.map(() => true);
  for (let cycle = at.length - 1; cycle >= 0 && now - at[cycle]! < CYCLE_TIMEOUT_MS; cycle--)
    isSettled[cycle] = isComplete(cycle);
  const firstUnsettled = isSettled.indexOf(false);

  return { isSettled, nextAt: firstUnsettled < 0 ? null : at[firstUnsettled]! + CYCLE_TIMEOUT_MS };
}
