import type { SeriesRows } from './buckets.ts';
import type { SensorReadings } from './sensor-readings.ts';

/**
 * A probe's sensors may send seconds apart; what they send together is a round. Instants join the round begun before them
 * while they bring no sensor that it has already and lie less than this long (ms) after its first; else they begin one.
 */
export const ROUND_SPREAD_MS = 5 * 60_000;
/** A round that is not whole after this long, in ms, counts as it is. */
export const ROUND_WAITS_MS = 30 * 60_000;
/** A sensor that sent within this time before a round, in ms, is waited for. */
const REPORTING_MS = 24 * 3_600_000;

/** Rounds in order of time. `at` is the last instant of each, which no reading of the next one precedes. */
export interface Rounds extends SeriesRows {
  readonly at: readonly number[];
  readonly means: readonly (readonly number[])[];
}

/** Walks through the instants of all sensors in order, each with the places of those that have it. */
function eachInstant(
  readings: readonly SensorReadings[],
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
export function roundsOf(readings: readonly SensorReadings[]): Rounds {
  const at: number[] = [];
  const means: number[][] = readings.map(() => []);
  const taken = readings.map(() => 0);
  const has = readings.map(() => false);
  let beganAt = Number.NEGATIVE_INFINITY;
  eachInstant(readings, (instant, places) => {
    if (instant - beganAt >= ROUND_SPREAD_MS || places.some((place) => has[place])) {
      at.push(instant);
      for (const list of means) list.push(Number.NaN);
      has.fill(false);
      beganAt = instant;
    }
    const round = at.length - 1;
    at[round] = instant;
    for (const place of places) {
      means[place]![round] = readings[place]!.value[taken[place]!++]!;
      has[place] = true;
    }
  });
  return { at, means };
}

/**
 * The latest instant, at most `upTo`, that begins a round whatever was sent before `readFrom`, the instant that readings
 * were taken from; null where none of them does. Rounds read from there on are those of the whole past.
 */
export function sureStart(readings: readonly SensorReadings[], readFrom: number, upTo: number): number | null {
  let sure: number | null = null;
  let previousAt = readFrom;
  let previous: readonly number[] = [];
  eachInstant(readings, (at, places) => {
    const begins = at - previousAt >= ROUND_SPREAD_MS || places.some((place) => previous.includes(place));
    if (begins && at <= upTo) sure = at;
    [previousAt, previous] = [at, places];
  });
  return sure;
}

/** Which of the rounds count at an instant, and when time alone (ms) will make one more of them count. */
export interface Counted {
  readonly counts: readonly boolean[];
  readonly nextAt: number | null;
}

/**
 * A round counts when it is whole or half an hour old. It is whole when every sensor that sent in the day before it is in
 * it. `readings` are those that the rounds were made of.
 */
export function countedRounds({ at }: Rounds, readings: readonly SensorReadings[], now: number): Counted {
  const rows = readings.map((sensor) => sensor.at.length - 1);
  const isWhole = (round: number): boolean =>
    readings.every((sensor, place) => {
      while (rows[place]! >= 0 && sensor.at[rows[place]!]! > at[round]!) rows[place]! -= 1;
      const own = sensor.at[rows[place]!];
      if (own !== undefined && own > (at[round - 1] ?? Number.NEGATIVE_INFINITY)) return true;
      const last = own ?? sensor.before?.at;
      return last === undefined || at[round]! - last >= REPORTING_MS;
    });
  const counts = at.map(() => true);
  for (let round = at.length - 1; round >= 0 && now - at[round]! < ROUND_WAITS_MS; round--)
    counts[round] = isWhole(round);
  const waiting = counts.indexOf(false);
  return { counts, nextAt: waiting < 0 ? null : at[waiting]! + ROUND_WAITS_MS };
}
