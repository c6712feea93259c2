import type { SeriesRows } from '../../domain/moisture/bucket-means.ts';
import {
  CYCLE_SPREAD_MS,
  certainCycleStart,
  type SamplingCycles,
  settledCycles,
  toSamplingCycles,
} from '../../domain/moisture/sampling-cycles.ts';
import { type ReadingColumns, splitBySensor, withoutDropouts } from '../../domain/moisture/sensor-readings.ts';
import { type SeriesPoint, summaryPoints } from '../../domain/moisture/series.ts';
import { weightedMeans } from '../../domain/moisture/summary-curve.ts';
import { HOUR_MS, MINUTE_MS, type Period } from '../../domain/periods.ts';
import type { Module } from '../../store/company/places.ts';
import { lastReadings, sensorReadingBounds } from '../../store/moisture/reading-lookup.ts';
import { readingSums } from '../../store/moisture/series.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { type SummarySeriesSource, weightedSensorIds } from './summary-series.ts';

/** The soil moisture that alerts and states go by: rounds of a curve's readings, less their doubtful zeros. Instants in ms. */
export interface CurveCycles {
  readonly cycles: SamplingCycles;
  /** Which of the rounds count. */
  readonly settled: readonly boolean[];
  /** When time alone makes one more count; null where nothing waits. */
  readonly nextSettlesAt: number | null;
  /** Where that begins which does not count yet, be it ahead of the clock. */
  readonly pendingFrom: number | null;
  /** How many readings each sensor with weight sent in the period. */
  readonly readingCounts: readonly { readonly id: number; readonly count: number }[];
}

/** Clocks differ: readings up to this far ahead, in ms, count as of now. Others wait for their time. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;
/** How far before a period, in ms, readings are first searched for where its rounds begin. */
const FIRST_LOOKBACK_MS = HOUR_MS;
/** The newest round that counts lies within this time, in ms, before the newest reading: whoever is waited for sent in it. */
const NEWEST_WITHIN_MS = 25 * HOUR_MS;

const NO_READINGS: ReadingColumns = { before: null, at: [], value: [] };

/** Whether a curve is one of soil moisture: what a station calls humidity is that of the air. */
export const isSoilMoistureCurve = (
  { type, sensors }: SummarySeriesSource,
  { category }: Pick<Module, 'category'>,
): boolean => type === 'humidity' && sensors.length > 0 && category !== 'WEATHER_STATION';

/** The rounds of a period (their last instant lies in it) that have come by `now`, and which of them count then. */
export async function cyclesWithin(
  db: CompanyDb,
  served: SummarySeriesSource,
  period: Period,
  now: number,
): Promise<CurveCycles> {
  const end = Math.min(period.end, now + CLOCK_SKEW_MS + 1);
  const readings = await readingsFromCycleStart(db, served, { start: period.start, end });
  const all = toSamplingCycles(readings);
  const { isSettled, nextAt } = settledCycles(all, readings, now);
  const ahead = end < period.end ? await firstReading(db, served, { start: end, end: period.end }) : null;
  const startIndex = all.at.findIndex((at) => at >= period.start);
  const first = startIndex < 0 ? all.at.length : startIndex;
  return {
    cycles: { at: all.at.slice(first), means: all.means.map((list) => list.slice(first)) },
    settled: isSettled.slice(first),
    nextSettlesAt: nextAt ?? (ahead && ahead - CLOCK_SKEW_MS),
    pendingFrom: all.at[isSettled.indexOf(false)] ?? ahead,
    readingCounts: readings.flatMap((sensor, place) =>
      sensor === NO_READINGS ? [] : [{ id: served.sensors[place]!.id, count: countFrom(sensor.at, period.start) }],
    ),
  };
}

/** The rounds of the last day of readings, among which is the newest one that counts; null without a reading. */
export async function recentCycles(
  db: CompanyDb,
  served: SummarySeriesSource,
  now: number,
): Promise<CurveCycles | null> {
  const spans = await sensorReadingBounds(db, weightedSensorIds(served), { start: 0, end: now + CLOCK_SKEW_MS + 1 });
  const newest = Math.max(...spans.map(({ last }) => last ?? Number.NEGATIVE_INFINITY));
  if (!Number.isFinite(newest)) return null;
  return cyclesWithin(db, served, { start: newest - NEWEST_WITHIN_MS, end: Number.MAX_SAFE_INTEGER }, now);
}

/**
 * The newest round that counts and tells something, as one row: the newest that counts where none of them has a value.
 * Null without a reading.
 */
export async function newestCycle(db: CompanyDb, served: SummarySeriesSource, now: number): Promise<SeriesRows | null> {
  const recent = await recentCycles(db, served, now);
  if (recent === null) return null;
  const { cycles, settled } = recent;
  const values = weightedMeans(served.curve, cycles.means, { from: 0, to: cycles.at.length });
  const hasValue = (row: number): boolean => !Number.isNaN(values[row]!);
  const settledRows = [...cycles.at.keys()].filter((row) => settled[row]);
  const row = settledRows.findLast(hasValue) ?? settledRows.at(-1);
  if (row === undefined) return null;
  return { at: [cycles.at[row]!], means: cycles.means.map((list) => [list[row]!]) };
}

/** Readings of a period, from as far before it as it takes to know where its first round begins. */
async function readingsFromCycleStart(
  db: CompanyDb,
  served: SummarySeriesSource,
  { start, end }: Period,
): Promise<ReadingColumns[]> {
  const upTo = start - CYCLE_SPREAD_MS;
  for (let lookback = FIRST_LOOKBACK_MS; ; lookback *= 2) {
    const readings = await readingsIn(db, served, { start: start - lookback, end });
    const isSure = certainCycleStart(readings, start - lookback, upTo) !== null;
    if (isSure || readings.every(({ at }) => at.length === 0 || at[0]! > upTo)) return readings;
  }
}

/** What the sensors with weight sent in a period; the others have their place and nothing in it. */
async function readingsIn(db: CompanyDb, served: SummarySeriesSource, period: Period): Promise<ReadingColumns[]> {
  const ids = weightedSensorIds(served);
  const before = (await lastReadings(db, ids, period.start, 1)).map(([last]) => last ?? null);
  const readings = splitBySensor(await readingSums(db, ids, period, null), before).map(withoutDropouts);
  return served.sensors.map(({ id }) => readings[ids.indexOf(id)] ?? NO_READINGS);
}

async function firstReading(db: CompanyDb, served: SummarySeriesSource, period: Period): Promise<number | null> {
  const firsts = (await sensorReadingBounds(db, weightedSensorIds(served), period)).flatMap(({ first }) => first ?? []);
  return firsts.length === 0 ? null : Math.min(...firsts);
}

function countFrom(at: ArrayLike<number>, start: number): number {
  let row = at.length;
  while (row > 0 && at[row - 1]! >= start) row--;
  return at.length - row;
}

/** The summary moisture of the rounds that count, as served, in order of time. */
export const settledPoints = ({ curve }: SummarySeriesSource, { cycles, settled }: CurveCycles): SeriesPoint[] =>
  summaryPoints(curve, cycles).filter((_, row) => settled[row]);
