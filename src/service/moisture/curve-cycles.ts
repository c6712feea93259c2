import { finishInSlices } from '../../domain/event-loop.ts';
import { NEWEST_WITHIN_MS } from '../../domain/facts/newest-cycle.ts';
import { firstOf, itemAt } from '../../domain/items.ts';
import type { ColumnarSums, SeriesRows } from '../../domain/moisture/bucket-means.ts';
import {
  CYCLE_SPREAD_MS,
  certainCycleStart,
  type SamplingCycles,
  samplingCyclesInSteps,
  settledCycles,
} from '../../domain/moisture/sampling-cycles.ts';
import {
  NO_READINGS,
  type ReadingColumns,
  splitBySensor,
  withoutDropouts,
} from '../../domain/moisture/sensor-readings.ts';
import { type SeriesPoint, summaryPoints, type TimedValue } from '../../domain/moisture/series.ts';
import { weightedMeans } from '../../domain/moisture/summary-curve.ts';
import type { SummarySource } from '../../domain/moisture/summary-source.ts';
import { HOUR_MS, MINUTE_MS, type Period } from '../../domain/periods.ts';
import { readingsBefore, sensorReadingBounds } from '../../store/moisture/reading-lookup.ts';
import { readingSums } from '../../store/moisture/series.ts';
import { sliceOfCompany } from '../../store/scope/company-db.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { weightedSensors } from './summary-series.ts';

/** Instants in ms. */
export interface CurveCycles {
  readonly cycles: SamplingCycles;
  /** A cycle settles when it is complete, or when its missing sensors are no longer expected. */
  readonly settled: readonly boolean[];
  readonly nextSettlesAt: number | null;
  /** The first instant of a cycle that is not settled, or of a reading that lies in the future. */
  readonly pendingFrom: number | null;
  readonly readingCounts: readonly { readonly id: number; readonly count: number }[];
}

/**
 * Readings up to this far in the future count as of now, because clocks differ. Later ones count
 * once they are due.
 */
export const CLOCK_SKEW_MS = 5 * MINUTE_MS;
const FIRST_LOOKBACK_MS = HOUR_MS;

export async function cyclesWithin(
  db: CompanyDb,
  source: SummarySource,
  period: Period,
  now: number,
): Promise<CurveCycles> {
  const end = Math.min(period.end, now + CLOCK_SKEW_MS + 1);
  const [readings, futureReadingAt] = await Promise.all([
    readingsFromCycleStart(db, source, { start: period.start, end }),
    end < period.end ? firstReading(db, source, { start: end, end: period.end }) : null,
  ]);
  const allCycles = await finishInSlices(samplingCyclesInSteps(readings), sliceOfCompany(db));
  const { isSettled: settled, nextAt } = settledCycles(allCycles, readings, now);

  const index = allCycles.at.findIndex((at) => at >= period.start);
  const firstRow = index < 0 ? allCycles.at.length : index;
  const weightedIds = new Set(idsOf(source));

  return {
    cycles: {
      at: allCycles.at.slice(firstRow),
      means: allCycles.means.map((means) => means.slice(firstRow)),
    },
    settled: settled.slice(firstRow),
    nextSettlesAt: nextAt ?? (futureReadingAt && futureReadingAt - CLOCK_SKEW_MS),
    pendingFrom: allCycles.at[settled.indexOf(false)] ?? futureReadingAt,
    readingCounts: source.sensors.flatMap(({ id }, index) =>
      weightedIds.has(id) ? [{ id, count: countFrom(itemAt(readings, index), period.start) }] : [],
    ),
  };
}

export async function recentCycles(
  db: CompanyDb,
  source: SummarySource,
  now: number,
): Promise<CurveCycles | null> {
  const spans = await sensorReadingBounds(db, idsOf(source), {
    start: 0,
    end: now + CLOCK_SKEW_MS + 1,
  });
  const newest = Math.max(...spans.map(({ last }) => last ?? Number.NEGATIVE_INFINITY));
  if (!Number.isFinite(newest)) return null;

  return cyclesWithin(
    db,
    source,
    { start: newest - NEWEST_WITHIN_MS, end: Number.MAX_SAFE_INTEGER },
    now,
  );
}

/** The newest settled cycle with a value, or else the newest settled one. */
export async function newestCycle(
  db: CompanyDb,
  source: SummarySource,
  now: number,
): Promise<SeriesRows | null> {
  const recent = await recentCycles(db, source, now);
  if (recent === null) return null;

  const { cycles, settled } = recent;
  const values = weightedMeans(source.curve, cycles.means, { from: 0, to: cycles.at.length });
  const hasValue = (row: number): boolean => !Number.isNaN(itemAt(values, row));

  const settledRows = [...cycles.at.keys()].filter((row) => settled[row]);
  const row = settledRows.findLast(hasValue) ?? settledRows.at(-1);
  if (row === undefined) return null;

  return {
    at: [itemAt(cycles.at, row)],
    means: cycles.means.map((means) => [itemAt(means, row)]),
  };
}

/** Looks farther and farther back until it is certain where a cycle before the period begins. */
async function readingsFromCycleStart(
  db: CompanyDb,
  source: SummarySource,
  { start, end }: Period,
): Promise<ReadingColumns[]> {
  const latestStart = start - CYCLE_SPREAD_MS;
  for (let lookback = FIRST_LOOKBACK_MS; ; lookback *= 2) {
    const readings = await readingsIn(db, source, { start: start - lookback, end });
    const isCertain = certainCycleStart(readings, start - lookback, latestStart) !== null;
    const hasNoEarlier = readings.every(({ at }) => at.length === 0 || firstOf(at) > latestStart);
    if (isCertain || hasNoEarlier) return readings;
  }
}

async function readingsIn(
  db: CompanyDb,
  source: SummarySource,
  period: Period,
): Promise<ReadingColumns[]> {
  const sensors = weightedSensors(source);
  const [before, sums] = await Promise.all([
    readingsBefore(db, sensors, period.start),
    readingSums(db, sensors, period, null),
  ]);
  const readings = await finishInSlices(columnsInSteps(sums, before), sliceOfCompany(db));
  return source.sensors.map((sensor) => readings[sensors.indexOf(sensor)] ?? NO_READINGS);
}

function* columnsInSteps(readings: ColumnarSums, before: readonly (TimedValue | null)[]) {
  yield;
  const columns: ReadingColumns[] = [];
  for (const sensorReadings of splitBySensor(readings, before)) {
    yield;
    columns.push(withoutDropouts(sensorReadings));
  }
  return columns;
}

async function firstReading(
  db: CompanyDb,
  source: SummarySource,
  period: Period,
): Promise<number | null> {
  const firsts = (await sensorReadingBounds(db, idsOf(source), period)).flatMap(
    ({ first }) => first ?? [],
  );
  return firsts.length === 0 ? null : Math.min(...firsts);
}

const idsOf = (source: SummarySource): number[] => weightedSensors(source).map(({ id }) => id);

/** Counts the readings at or after `start`. */
function countFrom({ at, count }: ReadingColumns, start: number): number {
  let total = 0;
  for (let row = at.length - 1; row >= 0 && itemAt(at, row) >= start; row--)
    total += count?.[row] ?? 1;
  return total;
}

export const settledPoints = (
  { type, curve }: SummarySource,
  { cycles, settled }: CurveCycles,
): SeriesPoint[] => summaryPoints(type, curve, cycles).filter((_, row) => settled[row]);
