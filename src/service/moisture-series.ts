import { bucketMeans, type SeriesRows } from '../domain/buckets.ts';
import { rounded } from '../domain/decimal.ts';
import { depthDetails } from '../domain/depth-details.ts';
import type { Period } from '../domain/intervals.ts';
import { moistureSeries, type SeriesPoint, summarySeries } from '../domain/series.ts';
import { statisticsOf, type ValueAt } from '../domain/statistics.ts';
import type { Call } from '../operation/call.ts';
import { refuse } from '../schema/error.ts';
import type { MeasurementType } from '../schema/place.ts';
import type {
  MoistureSeriesBody,
  SeriesPointBody,
  SeriesSensorBody,
  StatisticsBody,
  WeightsBody,
} from '../schema/series.ts';
import { firingOf } from '../store/alert-states.ts';
import { sensorSpans } from '../store/reading-ends.ts';
import { sumsFor } from '../store/series.ts';
import { remarkThatFire } from './firing.ts';
import { commissionedModule } from './modules.ts';
import { seriesWords } from './say-series.ts';
import { freshnessOf, shareMissing, stepsBefore } from './series-coverage.ts';
import { certainInterval, type IntervalQuery, intervalFor } from './series-interval.ts';
import { type ServedCurve, servedCurve, weightySensors } from './served-curve.ts';
import { saySilent, silentIn } from './silent-depths.ts';
import { isoOf } from './wire.ts';

const DEFAULT_PERIOD_MS = 7 * 86_400_000;

const UNITS = { humidity: '%', temperature: 'deg C', tensio: 'kPa' } as const;

export interface SeriesQuery extends IntervalQuery {
  readonly type: MeasurementType;
  /** ms. */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly depths: boolean;
}

/** The weighted series of a module, with what it takes to judge it. */
export async function getMoistureSeries(call: Call, moduleId: number, asked: SeriesQuery): Promise<MoistureSeriesBody> {
  const period = periodOf(asked, call.now);
  // What does not rest on one another is asked at once: a server is some way off.
  const [, served, firing] = await Promise.all([
    commissionedModule(call, moduleId),
    servedCurve(call.db, moduleId, asked.type),
    firingOf(call.db, moduleId),
  ]);

  const ids = served.sensors.map(({ id }) => id);
  const weighty = weightySensors(served);
  const certainMs = certainInterval(period, asked);
  const sumsBy = (intervalMs: number | null) => sumsFor(call.db, ids, period, intervalMs);
  const [spans, stepsMs, ahead] = await Promise.all([
    sensorSpans(call.db, ids, period),
    stepsBefore(call.db, weighty, period.end),
    certainMs === null ? null : sumsBy(certainMs),
  ]);
  const intervalMs = certainMs ?? (await intervalFor(call.db, spans, asked));
  const rows = bucketMeans(ahead ?? (await sumsBy(intervalMs)), ids.length, intervalMs);
  const { points, data } = pointsOf(served, rows);
  remarkSilent(call, served, rows, points);
  remarkThatFire(call, firing);

  const sent = weighty.map((id, place) => ({ count: rows.counts[ids.indexOf(id)]!, stepMs: stepsMs[place]! }));
  return {
    module_id: moduleId,
    type: served.type,
    unit: UNITS[served.type],
    start: isoOf(period.start),
    end: isoOf(period.end),
    interval_seconds: intervalMs && intervalMs / 1000,
    data,
    statistics: statisticsBody(points),
    weights: weightsBody(served),
    freshness: freshnessOf(
      spans.filter(({ sensorId }) => weighty.includes(sensorId)),
      call.now,
    ),
    missingShare: shareMissing(period, call.now, sent),
    ...(asked.depths && { rootDepthCm: served.rootDepthCm, sensors: sensorBodies(served, rows, period.end) }),
  };
}

function periodOf({ start: askedStart, end: askedEnd }: SeriesQuery, now: number): Period {
  const end = askedEnd ?? now;
  const period = { start: askedStart ?? end - DEFAULT_PERIOD_MS, end };
  if (period.start < period.end) return period;
  throw refuse('invalid_date', `start ${isoOf(period.start)} is not before end ${isoOf(period.end)}.`, {
    hint: 'Give start before end; end left out is now.',
    field: askedStart === undefined ? 'end' : 'start',
  });
}

/** Says on which depths the newest point does not rest, and when first and last rest on different ones. */
function remarkSilent(call: Call, served: ServedCurve, rows: SeriesRows, points: readonly SeriesPoint[]): void {
  const first = points.findIndex(({ value }) => value !== null);
  const last = points.findLastIndex(({ value }) => value !== null);
  if (last < 0) return;
  const silent = saySilent(served, rows, last, call);
  if (silent) call.remark(silent);
  if (silentIn(served, rows, first).join() !== silentIn(served, rows, last).join())
    call.remark(seriesWords(call).differentDepths);
}

/** The points, and as they are sent: each with the fields of the type that is served. */
function pointsOf({ type, curve, layers }: ServedCurve, rows: SeriesRows) {
  if (type === 'humidity') {
    const points = moistureSeries(curve, rows, layers);
    const data = points.map(
      ({ at, value, vwcMax, mm }): SeriesPointBody => ({
        time: isoOf(at),
        value_vwc: value,
        value_vwc_max: vwcMax,
        value_mm: mm,
      }),
    );
    return { points, data };
  }
  const points = summarySeries(curve, rows);
  const data = points.map(
    ({ at, value }): SeriesPointBody =>
      type === 'temperature' ? { time: isoOf(at), value_temp: value } : { time: isoOf(at), value_tensio: value },
  );
  return { points, data };
}

function statisticsBody(points: readonly SeriesPoint[]): StatisticsBody | null {
  const found = statisticsOf(points);
  if (found === null) return null;
  const body = ({ at, value }: ValueAt) => ({ value, time: isoOf(at) });
  const { min, max, mean, first, last } = found;
  return { min: body(min), max: body(max), mean, first: body(first), last: body(last) };
}

const WEIGHT_DECIMALS = 4;

const weightsBody = ({ curve: { basis, depthsCm, weights } }: ServedCurve): WeightsBody => ({
  basis,
  byDepth: depthsCm.map((depth, place) => ({ depth, weight: rounded(weights[place]!, WEIGHT_DECIMALS) })),
});

function sensorBodies({ type, sensors, curve, layers }: ServedCurve, rows: SeriesRows, at: number): SeriesSensorBody[] {
  const details = depthDetails(curve, rows, layers, at);
  return details.map(({ values, ...detail }, place) => {
    const { id, depth } = sensors[place]!;
    return { id, type, depth, ...detail, values: [...values] };
  });
}
