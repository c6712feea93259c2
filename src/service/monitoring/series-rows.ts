import type { TimeSlice } from '../../domain/event-loop.ts';
import { withoutNulls } from '../../domain/items.ts';
import { bucketMeans } from '../../domain/moisture/bucket-means.ts';
import type { MeasurementType } from '../../domain/moisture/measurement.ts';
import { pointEnd, pointStart } from '../../domain/moisture/series-points.ts';
import type { SummarySource } from '../../domain/moisture/summary-source.ts';
import { DAY_MS, type Period, SECOND_MS } from '../../domain/periods.ts';
import { say, verbatim } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import type { Call } from '../../operation/call.ts';
import type { SeriesAlignment } from '../../schema/moisture/series.ts';
import {
  type SensorReadingBounds,
  sensorReadingBounds,
} from '../../store/moisture/reading-lookup.ts';
import { bucketStartsWithReadings, readingSums } from '../../store/moisture/series.ts';
import { sliceOfCompany } from '../../store/scope/company-db.ts';
import type { CompanyDb } from '../../store/tables.ts';
import {
  chooseInterval,
  guaranteedInterval,
  type IntervalQuery,
} from '../moisture/series-interval.ts';
import { usualIntervalsBefore, weightedSensors } from '../moisture/summary-series.ts';
import { decodeCursor, encodeCursor, type ListKey } from '../pagination.ts';
import type { PeriodQuery } from '../requested-period.ts';

/** The largest time value of a Date. Source: ECMA-262, "Time Values and Time Range". */
const MAX_DATE_MS = 8_640_000_000_000_000;

/** The most points of one answer; longer series are read in pages. */
const MAX_POINTS = 10_000;

export interface SeriesQuery
  extends Partial<Omit<IntervalQuery, 'zone' | 'shortestMs'>>,
    PeriodQuery {
  readonly type: MeasurementType;
  readonly depths: boolean;
  readonly cursor?: string | undefined;
  readonly align?: SeriesAlignment;
  readonly dailyBeyondDays?: number | undefined;
}

interface RequestedPage {
  readonly list: ListKey;
  readonly start: number | undefined;
  /** Null for a series that is read at once, without a cursor. */
  readonly intervalMs: number | null;
}

export function requestedPage(
  { company }: Call,
  moduleId: number,
  { interval, start, cursor }: SeriesQuery,
  zone: string | null,
): RequestedPage {
  const list: ListKey = [
    `series ${moduleId} ${interval}${zone === null ? '' : ` ${zone}`}`,
    company.id,
  ];
  const pageStart = decodeCursor(list, cursor, 1)?.[0];
  if (pageStart === undefined) return { list, start, intervalMs: null };

  return {
    list,
    start: Math.max(-MAX_DATE_MS, Math.min(MAX_DATE_MS, pageStart)),
    intervalMs: interval === undefined ? null : interval * SECOND_MS,
  };
}

interface RequestedRows {
  readonly page: RequestedPage;
  readonly requested: Period;
  readonly zone: string | null;
}

export interface ReadRows {
  readonly period: Period;
  /** The part of it from the first to the last day with readings. */
  readonly recorded: Period;
  readonly spans: readonly SensorReadingBounds[];
  readonly intervalMs: number | null;
  /** One for each sensor with a weight; null without enough readings. */
  readonly usualIntervalsMs: Awaited<ReturnType<typeof usualIntervalsBefore>>;
  readonly rows: ReturnType<typeof bucketMeans>;
  /** Begun once the sums are read; whatever is computed from them shares it. */
  readonly slice: TimeSlice;
}

export async function readRows(
  { db }: Call,
  source: SummarySource,
  query: SeriesQuery,
  { page, requested, zone }: RequestedRows,
): Promise<ReadRows> {
  const ids = source.sensors.map(({ id }) => id);
  const spans = await sensorReadingBounds(db, ids, requested);
  const recorded = recordedPeriod(spans, requested, zone);
  const endOfPage =
    page.intervalMs === null ? null : await pageEnd(db, ids, recorded, page.intervalMs, zone);
  const period = { start: requested.start, end: endOfPage ?? requested.end };

  const limits = intervalLimits(query, requested, zone);
  const guaranteedMs = page.intervalMs ?? guaranteedInterval(period, limits);
  const readBounds = { ...recorded, end: Math.min(recorded.end, period.end) };
  const sumsBy = (intervalMs: number | null) =>
    readingSums(db, source.sensors, readBounds, intervalMs, zone);

  // The sums of a guaranteed interval need not wait until the points are counted.
  const [usualIntervalsMs, earlySums] = await Promise.all([
    usualIntervalsBefore(db, weightedSensors(source), period.end),
    guaranteedMs === null ? null : sumsBy(guaranteedMs),
  ]);
  const intervalMs =
    guaranteedMs ??
    (await chooseInterval(db, spans, limits, pagingHint(query, page.list, period.start)));
  const sums = earlySums ?? (await sumsBy(intervalMs));

  const slice = sliceOfCompany(db);
  const rows = bucketMeans(sums, ids.length, intervalMs, zone);
  if (slice.isOver()) await slice.renew();

  return { period, recorded: readBounds, spans, intervalMs, usualIntervalsMs, rows, slice };
}

function intervalLimits(
  {
    interval,
    maxPoints = MAX_POINTS,
    refuseAbovePoints = MAX_POINTS,
    dailyBeyondDays = Number.POSITIVE_INFINITY,
  }: SeriesQuery,
  { start, end }: Period,
  zone: string | null,
): IntervalQuery {
  return {
    interval,
    zone,
    shortestMs: end - start > dailyBeyondDays * DAY_MS ? DAY_MS : null,
    maxPoints: Math.min(maxPoints, MAX_POINTS),
    refuseAbovePoints: Math.min(refuseAbovePoints, MAX_POINTS),
  };
}

/** Only for a client that names no limit: others cannot read in pages. */
const pagingHint = (
  { refuseAbovePoints }: SeriesQuery,
  list: ListKey,
  start: number,
): Text | null =>
  refuseAbovePoints === undefined
    ? say` To read every point, send cursor=${verbatim(encodeCursor(list, [start]))} too, then each next_cursor.`
    : null;

/**
 * The part of a period from the day of its first reading to that of its last: the period itself may
 * span thousands of years. Whole days, so that their sums are read.
 */
function recordedPeriod(
  spans: readonly SensorReadingBounds[],
  { start, end }: Period,
  zone: string | null,
): Period {
  const instants = spans.flatMap(({ first, last }) => withoutNulls([first, last]));
  if (instants.length === 0) return { start: end, end };
  const firstDay = pointStart(Math.min(...instants), DAY_MS, zone);
  const lastDay = pointEnd(Math.max(...instants), DAY_MS, zone);
  return { start: Math.max(start, firstDay), end: Math.min(end, lastDay) };
}

async function pageEnd(
  db: CompanyDb,
  sensorIds: readonly number[],
  { start, end }: Period,
  intervalMs: number,
  zone: string | null,
): Promise<number | null> {
  const bounds = { first: start, last: end - 1 };
  const starts = await bucketStartsWithReadings(
    db,
    sensorIds,
    bounds,
    intervalMs,
    MAX_POINTS + 1,
    zone,
  );

  return starts[MAX_POINTS] ?? null;
}
