import { isDeepStrictEqual } from 'node:util';
import { roundTo } from '../../domain/decimal.ts';
import { newTimeSlice, type TimeSlice } from '../../domain/event-loop.ts';
import { itemAt } from '../../domain/items.ts';
import { bucketMeans, type SeriesRows } from '../../domain/moisture/bucket-means.ts';
import { MEASUREMENTS, type MeasurementType } from '../../domain/moisture/measurement.ts';
import {
  depthDetails,
  moisturePoints,
  type SeriesPoint,
  seriesStatistics,
  summaryPoints,
  type TimedValue,
} from '../../domain/moisture/series.ts';
import { hasLocalDayPoints } from '../../domain/moisture/series-points.ts';
import { DAY_MS, type Period, SECOND_MS } from '../../domain/periods.ts';
import { dateOfMidnight } from '../../domain/time-zone.ts';
import type { SummaryContext } from '../../language/summary-context.ts';
import type { Call } from '../../operation/call.ts';
import type {
  MoistureSeriesBody,
  SeriesAlignment,
  SeriesPointBody,
  SeriesSensorBody,
  StatisticsBody,
  WeightsBody,
} from '../../schema/moisture/series.ts';
import { firingAlertsOfModule } from '../../store/alerts/alert-states.ts';
import {
  type SensorReadingBounds,
  sensorReadingBounds,
} from '../../store/moisture/reading-lookup.ts';
import { bucketStartsWithReadings, readingSums } from '../../store/moisture/series.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { adviseOfFiringAlerts } from '../alerts/alert-advisories.ts';
import {
  chooseInterval,
  guaranteedInterval,
  type IntervalQuery,
} from '../moisture/series-interval.ts';
import {
  adviseOfSilentDepths,
  freshnessOf,
  loadSummarySeriesSource,
  missingReadingsShare,
  type SummarySeriesSource,
  silentSensorIndexes,
  usualIntervalsBefore,
  weightedSensorIds,
} from '../moisture/summary-series.ts';
import { requireCommissionedModule } from '../ownership.ts';
import { decodeCursor, encodeCursor, type ListKey } from '../pagination.ts';
import { type PeriodQuery, requestedPeriod } from '../requested-period.ts';
import { toIso } from '../wire-format.ts';

const PERIOD_LIMITS = { defaultMs: 7 * DAY_MS, errorCode: 'invalid_date' } as const;

/** The largest time value of a Date. Source: ECMA-262, "Time Values and Time Range". */
const MAX_DATE_MS = 8_640_000_000_000_000;

/** The most points of one answer; longer series are read in pages. */
const MAX_POINTS = 10_000;

interface SeriesQuery extends Partial<Omit<IntervalQuery, 'zone' | 'shortestMs'>>, PeriodQuery {
  readonly type: MeasurementType;
  readonly depths: boolean;
  readonly cursor?: string | undefined;
  readonly align?: SeriesAlignment;
  readonly dailyBeyondDays?: number | undefined;
}

export async function getMoistureSeries(
  call: Call,
  moduleId: number,
  query: SeriesQuery,
): Promise<MoistureSeriesBody> {
  const zone = query.align === 'local' ? call.zone : null;
  const page = requestedPage(call, moduleId, query, zone);
  const requested = requestedPeriod({ ...query, start: page.start }, call.now, PERIOD_LIMITS);
  const [, source, firing] = await Promise.all([
    requireCommissionedModule(call, moduleId),
    loadSummarySeriesSource(call.db, moduleId, query.type, requested.end),
    firingAlertsOfModule(call.db, moduleId),
  ]);

  const read = await readRows(call, source, query, { page, requested, zone });
  const { period, intervalMs, rows, slice } = read;
  const { points, data } = seriesPoints(source, rows);
  if (slice.isOver()) await slice.renew();

  adviseOfDepthsOfEnds(call, source, rows, points);
  adviseOfFiringAlerts(call, firing);

  const body: MoistureSeriesBody = {
    module_id: moduleId,
    type: source.type,
    unit: MEASUREMENTS[source.type].unit,
    start: toIso(period.start),
    end: toIso(period.end),
    interval_seconds: intervalMs && intervalMs / 1000,
    data,
    statistics: toStatisticsBody(points),
    weights: toWeightsBody(source),
    ...completenessOf(source, read, call.now),
  };
  if (page.intervalMs !== null)
    body.next_cursor = period.end < requested.end ? encodeCursor(page.list, [period.end]) : null;
  if (query.depths) {
    body.rootDepthCm = source.rootDepthCm;
    body.sensors = toSensorBodies(source, rows, period.end);
  }

  return body;
}

interface RequestedPage {
  readonly list: ListKey;
  readonly start: number | undefined;
  /** Null for a series that is read at once, without a cursor. */
  readonly intervalMs: number | null;
}

function requestedPage(
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

interface ReadRows {
  readonly period: Period;
  readonly spans: readonly SensorReadingBounds[];
  readonly intervalMs: number | null;
  /** One for each sensor with a weight; null without enough readings. */
  readonly usualIntervalsMs: Awaited<ReturnType<typeof usualIntervalsBefore>>;
  readonly rows: ReturnType<typeof bucketMeans>;
  /** Begun after the sums were read: what follows is computed in this thread. */
  readonly slice: TimeSlice;
}

async function readRows(
  { db }: Call,
  source: SummarySeriesSource,
  query: SeriesQuery,
  { page, requested, zone }: RequestedRows,
): Promise<ReadRows> {
  const ids = source.sensors.map(({ id }) => id);
  const spans = await sensorReadingBounds(db, ids, requested);
  const recorded = recordedPeriod(spans, requested);
  const endOfPage =
    page.intervalMs === null ? null : await pageEnd(db, ids, recorded, page.intervalMs, zone);
  const period = { start: requested.start, end: endOfPage ?? requested.end };

  const limits = intervalLimits(query, requested, zone);
  const guaranteedMs = page.intervalMs ?? guaranteedInterval(period, limits);
  const readBounds = { ...recorded, end: Math.min(recorded.end, period.end) };
  const sumsBy = (intervalMs: number | null) => readingSums(db, ids, readBounds, intervalMs, zone);

  // The sums of a guaranteed interval need not wait until the points are counted.
  const [usualIntervalsMs, earlySums] = await Promise.all([
    usualIntervalsBefore(db, weightedSensorIds(source), period.end),
    guaranteedMs === null ? null : sumsBy(guaranteedMs),
  ]);
  const intervalMs =
    guaranteedMs ??
    (await chooseInterval(db, spans, limits, pagingHint(query, page.list, period.start)));
  const sums = earlySums ?? (await sumsBy(intervalMs));

  const slice = newTimeSlice();
  const rows = bucketMeans(sums, ids.length, intervalMs, zone);
  if (slice.isOver()) await slice.renew();

  return { period, spans, intervalMs, usualIntervalsMs, rows, slice };
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

/** Only a client that sets no limit of its own can read on in pages. */
const pagingHint = ({ refuseAbovePoints }: SeriesQuery, list: ListKey, start: number): string =>
  refuseAbovePoints === undefined
    ? ` To read every point, send cursor=${encodeCursor(list, [start])} too, then each next_cursor.`
    : '';

/** How recent the newest reading is, and which share of the readings is missing. */
function completenessOf(
  source: SummarySeriesSource,
  { period, spans, usualIntervalsMs, rows }: ReadRows,
  now: number,
): Pick<MoistureSeriesBody, 'freshness' | 'missingShare'> {
  const ids = source.sensors.map(({ id }) => id);
  const weightedIds = weightedSensorIds(source);
  const coverage = weightedIds.map((id, index) => ({
    count: itemAt(rows.counts, ids.indexOf(id)),
    intervalMs: itemAt(usualIntervalsMs, index),
  }));

  return {
    freshness: freshnessOf(
      spans.filter(({ sensorId }) => weightedIds.includes(sensorId)),
      now,
    ),
    missingShare: missingReadingsShare(period, now, coverage),
  };
}

/**
 * The part of a period from its first to its last reading: the period itself may span thousands of
 * years.
 */
function recordedPeriod(spans: readonly SensorReadingBounds[], { start, end }: Period): Period {
  const first = Math.min(end, ...spans.flatMap((span) => span.first ?? []));
  const last = Math.max(first - 1, ...spans.flatMap((span) => span.last ?? []));
  return { start: Math.max(start, first), end: last + 1 };
}

/** A day is named by its local date: in UTC, its midnight may fall on the day before. */
export function conciseSeries(series: MoistureSeriesBody, { zone }: Pick<SummaryContext, 'zone'>) {
  const { module_id, type, unit, interval_seconds, next_cursor, rootDepthCm, sensors } = series;
  const hasDays =
    interval_seconds !== null && hasLocalDayPoints(interval_seconds * SECOND_MS, zone);
  const dateOrTime = (time: string): string =>
    hasDays ? (dateOfMidnight(Date.parse(time), zone) ?? time) : time;
  const data = series.data.map(({ time, value_vwc_max: _max, value_mm: _mm, ...value }) => ({
    time: dateOrTime(time),
    ...value,
  }));

  const page = next_cursor === undefined ? {} : { next_cursor };
  const depths = sensors === undefined ? {} : { rootDepthCm, sensors };
  return { module_id, type, unit, interval_seconds, data, ...page, ...depths };
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

function adviseOfDepthsOfEnds(
  call: Call,
  source: SummarySeriesSource,
  rows: SeriesRows,
  points: readonly SeriesPoint[],
): void {
  const first = points.findIndex(({ value }) => value !== null);
  const last = points.findLastIndex(({ value }) => value !== null);
  if (last < 0) return;
  adviseOfSilentDepths(call, source, rows, last);

  const silentAtFirst = silentSensorIndexes(source, rows, first);
  const silentAtLast = silentSensorIndexes(source, rows, last);
  if (!isDeepStrictEqual(silentAtFirst, silentAtLast)) call.advise({ kind: 'different_depths' });
}

function seriesPoints({ type, curve, layers }: SummarySeriesSource, rows: SeriesRows) {
  if (type === 'humidity') {
    const points = moisturePoints(curve, rows, layers);
    const data = points.map(
      ({ at, value, vwcMax, mm }): SeriesPointBody => ({
        time: toIso(at),
        value_vwc: value,
        value_vwc_max: vwcMax,
        value_mm: mm,
      }),
    );

    return { points, data };
  }

  const points = summaryPoints(curve, rows);
  const data = points.map(
    ({ at, value }): SeriesPointBody =>
      type === 'temperature'
        ? { time: toIso(at), value_temp: value }
        : { time: toIso(at), value_tensio: value },
  );

  return { points, data };
}

function toStatisticsBody(points: readonly SeriesPoint[]): StatisticsBody | null {
  const statistics = seriesStatistics(points);
  if (statistics === null) return null;
  const body = ({ at, value }: TimedValue) => ({ value, time: toIso(at) });
  const { min, max, mean, first, last } = statistics;
  return { min: body(min), max: body(max), mean, first: body(first), last: body(last) };
}

const WEIGHT_DECIMALS = 4;

const toWeightsBody = ({
  curve: { basis, depthsCm, weights },
}: SummarySeriesSource): WeightsBody => ({
  basis,
  byDepth: depthsCm.map((depth, index) => ({
    depth,
    weight: roundTo(itemAt(weights, index), WEIGHT_DECIMALS),
  })),
});

function toSensorBodies(
  { type, sensors, curve, layers }: SummarySeriesSource,
  rows: SeriesRows,
  at: number,
): SeriesSensorBody[] {
  const details = depthDetails(curve, rows, layers, at);
  return details.map(({ values, ...detail }, index) => {
    const { id, depth } = itemAt(sensors, index);
    return { id, type, depth, ...detail, values: [...values] };
  });
}
