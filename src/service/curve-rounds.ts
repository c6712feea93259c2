import type { SeriesRows } from '../domain/buckets.ts';
import { weightedMeans } from '../domain/curve.ts';
import { withoutDoubtfulZeros } from '../domain/doubtful-zeros.ts';
import type { Period } from '../domain/intervals.ts';
import { countedRounds, ROUND_SPREAD_MS, type Rounds, roundsOf, sureStart } from '../domain/rounds.ts';
import { readingsBySensor, type SensorReadings } from '../domain/sensor-readings.ts';
import { type SeriesPoint, summarySeries } from '../domain/series.ts';
import type { Module } from '../store/modules.ts';
import { lastReadings, sensorSpans } from '../store/reading-ends.ts';
import { sumsFor } from '../store/series.ts';
import type { CompanyDb } from '../store/tables.ts';
import { type ServedCurve, weightySensors } from './served-curve.ts';

/** The soil moisture that alerts and states go by: rounds of a curve's readings, less their doubtful zeros. Instants in ms. */
export interface CurveRounds {
  readonly rounds: Rounds;
  /** Which of the rounds count. */
  readonly counts: readonly boolean[];
  /** When time alone makes one more count; null where nothing waits. */
  readonly nextAt: number | null;
  /** Where that begins which does not count yet, be it ahead of the clock. */
  readonly waitingFrom: number | null;
  /** How many readings each sensor with weight sent in the period. */
  readonly sent: readonly { readonly id: number; readonly count: number }[];
}

/** Clocks differ: readings up to this far ahead, in ms, count as of now. Others wait for their time. */
const CLOCKS_DIFFER_MS = 5 * 60_000;
/** How far before a period, in ms, readings are first searched for where its rounds begin. */
const REACH_MS = 3_600_000;
/** The newest round that counts lies within this time, in ms, before the newest reading: whoever is waited for sent in it. */
const NEWEST_WITHIN_MS = 25 * 3_600_000;

const SILENT: SensorReadings = { before: null, at: [], value: [] };

/** Whether a curve is one of soil moisture: what a station calls humidity is that of the air. */
export const isOfSoil = ({ type, sensors }: ServedCurve, { category }: Pick<Module, 'category'>): boolean =>
  type === 'humidity' && sensors.length > 0 && category !== 'WEATHER_STATION';

/** The rounds of a period (their last instant lies in it) that have come by `now`, and which of them count then. */
export async function roundsWithin(
  db: CompanyDb,
  served: ServedCurve,
  period: Period,
  now: number,
): Promise<CurveRounds> {
  const end = Math.min(period.end, now + CLOCKS_DIFFER_MS + 1);
  const readings = await readingsReaching(db, served, { start: period.start, end });
  const all = roundsOf(readings);
  const { counts, nextAt } = countedRounds(all, readings, now);
  const ahead = end < period.end ? await firstReading(db, served, { start: end, end: period.end }) : null;
  const found = all.at.findIndex((at) => at >= period.start);
  const first = found < 0 ? all.at.length : found;
  return {
    rounds: { at: all.at.slice(first), means: all.means.map((list) => list.slice(first)) },
    counts: counts.slice(first),
    nextAt: nextAt ?? (ahead && ahead - CLOCKS_DIFFER_MS),
    waitingFrom: all.at[counts.indexOf(false)] ?? ahead,
    sent: readings.flatMap((sensor, place) =>
      sensor === SILENT ? [] : [{ id: served.sensors[place]!.id, count: countFrom(sensor.at, period.start) }],
    ),
  };
}

/** The rounds of the last day of readings, among which is the newest one that counts; null without a reading. */
export async function newestRounds(db: CompanyDb, served: ServedCurve, now: number): Promise<CurveRounds | null> {
  const known = await sensorSpans(db, weightySensors(served), { start: 0, end: now + CLOCKS_DIFFER_MS + 1 });
  const newest = Math.max(...known.map(({ last }) => last ?? Number.NEGATIVE_INFINITY));
  if (!Number.isFinite(newest)) return null;
  return roundsWithin(db, served, { start: newest - NEWEST_WITHIN_MS, end: Number.MAX_SAFE_INTEGER }, now);
}

/**
 * The newest round that counts and tells something, as one row: the newest that counts where none of them has a value.
 * Null without a reading.
 */
export async function newestRound(db: CompanyDb, served: ServedCurve, now: number): Promise<SeriesRows | null> {
  const found = await newestRounds(db, served, now);
  if (found === null) return null;
  const { rounds, counts } = found;
  const values = weightedMeans(served.curve, rounds.means, { from: 0, to: rounds.at.length });
  const isTelling = (row: number): boolean => !Number.isNaN(values[row]!);
  const counting = [...rounds.at.keys()].filter((row) => counts[row]);
  const row = counting.findLast(isTelling) ?? counting.at(-1);
  if (row === undefined) return null;
  return { at: [rounds.at[row]!], means: rounds.means.map((list) => [list[row]!]) };
}

/** Readings of a period, from as far before it as it takes to know where its first round begins. */
async function readingsReaching(db: CompanyDb, served: ServedCurve, { start, end }: Period): Promise<SensorReadings[]> {
  const upTo = start - ROUND_SPREAD_MS;
  for (let reach = REACH_MS; ; reach *= 2) {
    const readings = await readingsIn(db, served, { start: start - reach, end });
    const isSure = sureStart(readings, start - reach, upTo) !== null;
    if (isSure || readings.every(({ at }) => at.length === 0 || at[0]! > upTo)) return readings;
  }
}

/** What the sensors with weight sent in a period; the others have their place and nothing in it. */
async function readingsIn(db: CompanyDb, served: ServedCurve, period: Period): Promise<SensorReadings[]> {
  const ids = weightySensors(served);
  const before = (await lastReadings(db, ids, period.start, 1)).map(([last]) => last ?? null);
  const readings = readingsBySensor(await sumsFor(db, ids, period, null), before).map(withoutDoubtfulZeros);
  return served.sensors.map(({ id }) => readings[ids.indexOf(id)] ?? SILENT);
}

async function firstReading(db: CompanyDb, served: ServedCurve, period: Period): Promise<number | null> {
  const firsts = (await sensorSpans(db, weightySensors(served), period)).flatMap(({ first }) => first ?? []);
  return firsts.length === 0 ? null : Math.min(...firsts);
}

function countFrom(at: ArrayLike<number>, start: number): number {
  let row = at.length;
  while (row > 0 && at[row - 1]! >= start) row--;
  return at.length - row;
}

/** The summary moisture of the rounds that count, as served, in order of time. */
export const countedPoints = ({ curve }: ServedCurve, { rounds, counts }: CurveRounds): SeriesPoint[] =>
  summarySeries(curve, rounds).filter((_, row) => counts[row]);
