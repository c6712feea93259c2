import { roundTo } from '../../domain/decimal.ts';
import { itemAt } from '../../domain/items.ts';
import { LocalDay } from '../../domain/local-day.ts';
import type { SeriesRows } from '../../domain/moisture/bucket-means.ts';
import { calibrationStarts } from '../../domain/moisture/calibration.ts';
import { CURVES } from '../../domain/moisture/measurement.ts';
import {
  depthDetails,
  moisturePoints,
  type SeriesPoint,
  seriesStatistics,
  summaryPoints,
  type TimedValue,
} from '../../domain/moisture/series.ts';
import { hasLocalDayPoints } from '../../domain/moisture/series-points.ts';
import type { SummarySource } from '../../domain/moisture/summary-source.ts';
import { type Period, SECOND_MS } from '../../domain/periods.ts';
import type { SummaryContext } from '../../language/summary-context.ts';
import type {
  MoistureSeriesBody,
  SeriesPointBody,
  SeriesSensorBody,
  StatisticsBody,
  WeightsBody,
} from '../../schema/moisture/series.ts';
import { toIso } from '../../schema/wire-format.ts';

/** The points, and as they are in the answer. */
export function seriesPoints({ type, curve, layers }: SummarySource, rows: SeriesRows) {
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

  const { field } = CURVES[type];
  const points = summaryPoints(type, curve, rows);
  const data = points.map(({ at, value }) => {
    const point: SeriesPointBody = { time: toIso(at) };
    point[field] = value;
    return point;
  });

  return { points, data };
}

export function toStatisticsBody(
  { type }: SummarySource,
  points: readonly SeriesPoint[],
): StatisticsBody | null {
  const statistics = seriesStatistics(type, points);
  if (statistics === null) return null;
  const body = ({ at, value }: TimedValue) => ({ value, time: toIso(at) });
  const { min, max, mean, first, last } = statistics;
  return { min: body(min), max: body(max), mean, first: body(first), last: body(last) };
}

const WEIGHT_DECIMALS = 4;

export const toWeightsBody = ({
  curve: { basis, depthsCm, weights },
}: SummarySource): WeightsBody => ({
  basis,
  byDepth: depthsCm.map((depth, index) => ({
    depth,
    weight: roundTo(itemAt(weights, index), WEIGHT_DECIMALS),
  })),
});

export function toSensorBodies(
  { type, sensors, curve, layers }: SummarySource,
  rows: SeriesRows,
  period: Period,
): SeriesSensorBody[] {
  const details = depthDetails(curve, rows, layers, period.end);
  return details.map(({ values, ...detail }, index) => {
    const { id, depth, calibration } = itemAt(sensors, index);
    const starts = calibrationStarts([{ calibration }], period);
    const body: SeriesSensorBody = { id, type, depth, ...detail, values: [...values] };
    if (starts.length > 0) body.calibratedFrom = starts.map(toIso);
    return body;
  });
}

/** A day is named by its local date: in UTC, its midnight may fall on the day before. */
export function conciseSeries(series: MoistureSeriesBody, { zone }: Pick<SummaryContext, 'zone'>) {
  const {
    module_id,
    type,
    unit,
    interval_seconds,
    next_cursor,
    rootDepthCm,
    sensors,
    hoursBefore,
  } = series;
  const hasDays =
    interval_seconds !== null && hasLocalDayPoints(interval_seconds * SECOND_MS, zone);
  const dateOrTime = (time: string): string => {
    if (!hasDays) return time;
    const day = LocalDay.at(Date.parse(time), zone);
    return day.startIn(zone) === Date.parse(time) ? day.iso : time;
  };
  const data = series.data.map(({ time, value_vwc_max: _max, value_mm: _mm, ...value }) => ({
    time: dateOrTime(time),
    ...value,
  }));

  const page = next_cursor === undefined ? {} : { next_cursor };
  const depths = sensors === undefined ? {} : { rootDepthCm, sensors };
  const hours = hoursBefore == null ? {} : { hoursBefore };
  return { module_id, type, unit, interval_seconds, data, ...hours, ...page, ...depths };
}
