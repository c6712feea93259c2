import { isDeepStrictEqual } from 'node:util';
import { itemAt } from '../../domain/items.ts';
import type { SeriesRows } from '../../domain/moisture/bucket-means.ts';
import { MEASUREMENTS } from '../../domain/moisture/measurement.ts';
import type { SeriesPoint } from '../../domain/moisture/series.ts';
import type { SummarySource } from '../../domain/moisture/summary-source.ts';
import { DAY_MS } from '../../domain/periods.ts';
import type { Call } from '../../operation/call.ts';
import type { MoistureSeriesBody } from '../../schema/moisture/series.ts';
import { toIso } from '../../schema/wire-format.ts';
import { firingAlertsOfModule } from '../../store/alerts/alert-states.ts';
import { adviseOfFiringAlerts } from '../alerts/alert-advisories.ts';
import { adviseOfHours } from '../moisture/retained-hours.ts';
import {
  adviseOfSilentDepths,
  freshnessOf,
  loadSummarySeriesSource,
  missingReadingsShare,
  silentSensorIndexes,
  weightedSensors,
} from '../moisture/summary-series.ts';
import { requireCommissionedModule } from '../ownership.ts';
import { encodeCursor } from '../pagination.ts';
import { requestedPeriod } from '../requested-period.ts';
import { seriesPoints, toSensorBodies, toStatisticsBody, toWeightsBody } from './series-bodies.ts';
import { type ReadRows, readRows, requestedPage, type SeriesQuery } from './series-rows.ts';

const PERIOD_LIMITS = { defaultMs: 7 * DAY_MS, errorCode: 'invalid_date' } as const;

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

  const { recorded } = read;
  const hoursBefore = await adviseOfHours(call, { ...source, period: recorded, intervalMs, zone });
  adviseOfSilentDepthsAtEnds(call, source, rows, points);
  adviseOfFiringAlerts(call, firing);

  const body: MoistureSeriesBody = {
    module_id: moduleId,
    type: source.type,
    unit: MEASUREMENTS[source.type].unit,
    start: toIso(period.start),
    end: toIso(period.end),
    interval_seconds: intervalMs && intervalMs / 1000,
    data,
    statistics: toStatisticsBody(source, points),
    weights: toWeightsBody(source),
    ...completenessOf(source, read, call.now),
  };
  if (hoursBefore !== null) body.hoursBefore = toIso(hoursBefore);
  if (page.intervalMs !== null)
    body.next_cursor = period.end < requested.end ? encodeCursor(page.list, [period.end]) : null;
  if (query.depths) {
    body.rootDepthCm = source.rootDepthCm;
    body.sensors = toSensorBodies(source, rows, period);
  }

  return body;
}

/** How recent the newest reading is, and which share of the readings is missing. */
function completenessOf(
  source: SummarySource,
  { period, spans, usualIntervalsMs, rows }: ReadRows,
  now: number,
): Pick<MoistureSeriesBody, 'freshness' | 'missingShare'> {
  const ids = source.sensors.map(({ id }) => id);
  const weightedIds = weightedSensors(source).map(({ id }) => id);
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

/** Names the depths that are silent at the end, and whether others were at the start. */
function adviseOfSilentDepthsAtEnds(
  call: Call,
  source: SummarySource,
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
