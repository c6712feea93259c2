import { DAY_MS, MINUTE_MS } from '../periods.ts';
import type { SeriesRows } from './bucket-means.ts';
import type { ReadingColumns } from './sensor-readings.ts';

/**
 * A probe's sensors may send seconds apart; what they send together is a round. Instants join the round begun before them
 * while they bring no sensor that it has already and lie less than this long (ms) after its first; else they begin one.
 */
export const CYCLE_SPREAD_MS = 5 * MINUTE_MS;
/** A round that is not whole after this long, in ms, counts as it is. */
export const CYCLE_TIMEOUT_MS = 30 * MINUTE_MS;
/** A sensor that sent within this time before a round, in ms, is waited for. */
const ACTIVE_SENSOR_MS = DAY_MS;

/** Rounds in order of time. `at` is the last instant of each, which no reading of the next one precedes. */
export interface SamplingCycles extends SeriesRows {
  readonly at: readonly number[];
  readonly means: readonly (readonly number[])[];
}

/** Walks through the instants of all sensors in order, each with the places of those that have it. */
function forEachInstant(
  readings: readonly ReadingColumns[],
  visit: (at: number, places: readonly number[]) => void,
): void {
  const next = readings.map(() => 0);
  for (;;) {
    let at = Number.POSITIVE_INFINITY;
    for (let place = 0; place < next.length; place++) at = Math.min(at, readings[place]!.at[next[place]!] ?? at);
    if (at === Number.POSITIVE_INFINITY) return;
    const places: number[] = [];
    for (let place = 0; place < next.length; place++) {
      if (readings[place]!.at[next[place]!] !== at) continue;
      places.push(place);
      next[place]! += 1;
    }
    visit(at, places);
  }
}

/**
 * The rounds of a probe. Sensors without weight in its curve have no say in them and come without readings, so that the
 * places are those of the curve.
 */
export function toSamplingCycles(readings: readonly ReadingColumns[]): SamplingCycles {
  const at: number[] = [];
  const means: number[][] = readings.map(() => []);
  const readCount = readings.map(() => 0);
  const isInCycle = readings.map(() => false);
  let cycleStartAt = Number.NEGATIVE_INFINITY;
  forEachInstant(readings, (instant, places) => {
    if (instant - cycleStartAt >= CYCLE_SPREAD_MS || places.some((place) => isInCycle[place])) {
      at.push(instant);
      for (const list of means) list.push(Number.NaN);
      isInCycle.fill(false);
      cycleStartAt = instant;
    }
    const cycle = at.length - 1;
    at[cycle] = instant;
    for (const place of places) {
      means[place]![cycle] = readings[place]!.value[readCount[place]!++]!;
      isInCycle[place] = true;
    }
  });
  return { at, means };
}

/**
 * The latest instant, at most `upTo`, that begins a round whatever was sent before `readFrom`, the instant that readings
 * were taken from; null where none of them does. Rounds read from there on are those of the whole past.
 */
export function certainCycleStart(readings: readonly ReadingColumns[], readFrom: number, upTo: number): number | null {
  let certainAt: number | null = null;
  let previousAt = readFrom;
  let previous: readonly number[] = [];
  forEachInstant(readings, (at, places) => {
    const begins = at - previousAt >= CYCLE_SPREAD_MS || places.some((place) => previous.includes(place));
    if (begins && at <= upTo) certainAt = at;
    [previousAt, previous] = [at, places];
  });
  return certainAt;
}

/** Which of the rounds count at an instant, and when time alone (ms) will make one more of them count. */
export interface SettledCycles {
  readonly isSettled: readonly boolean[];
  readonly nextAt: number | null;
}

/**
 * A round counts when it is whole or half an hour old. It is whole when every sensor that sent in the day before it is in
 * it. `readings` are those that the rounds were made of.
 */
export function settledCycles({ at }: SamplingCycles, readings: readonly ReadingColumns[], now: number): SettledCycles {
  const rows = readings.map((sensor) => sensor.at.length - 1);
  const isComplete = (round: number): boolean =>
    readings.every((sensor, place) => {
      while (rows[place]! >= 0 && sensor.at[rows[place]!]! > at[round]!) rows[place]! -= 1;
      const own = sensor.at[rows[place]!];
      if (own !== undefined && own > (at[round - 1] ?? Number.NEGATIVE_INFINITY)) return true;
      const last = own ?? sensor.before?.at;
      return last === undefined || at[round]! - last >= ACTIVE_SENSOR_MS;
    });
  const isSettled = at.map(() => true);
  for (let round = at.length - 1; round >= 0 && now - at[round]! < CYCLE_TIMEOUT_MS; round--)
    isSettled[round] = isComplete(round);
  const waiting = isSettled.indexOf(false);
  return { isSettled, nextAt: waiting < 0 ? null : at[waiting]! + CYCLE_TIMEOUT_MS };
}
