import { roundTo } from '../../domain/decimal.ts';
import { withoutNulls } from '../../domain/items.ts';
import {
  type Measure,
  type MeasurementType,
  measureOf,
} from '../../domain/moisture/measurement.ts';
import { hasLocalDayPoints, pointEnd } from '../../domain/moisture/series-points.ts';
import type {
  MoistureSeriesBody,
  SeriesAlignment,
  StatisticsBody,
} from '../../schema/moisture/series.ts';
import type { DetailLevel } from '../../schema/shared-fields.ts';
import type { RoundedDuration } from '../intl-format.ts';
import { formatNumber } from '../number-format.ts';
import { joinSentences } from '../sentences.ts';
import { moduleName, type SummaryContext } from '../summary-context.ts';
import { formatAge, formatDate, formatTime, formatTimeWithZone } from '../time.ts';
import { type DepthRange, type PointText, seriesPhrases } from './series-phrases.ts';

async function measureOfModule(
  context: SummaryContext,
  moduleId: number,
  type: MeasurementType,
): Promise<Measure> {
  const module = (await context.directory.modules()).find(({ id }) => id === moduleId);
  return measureOf(type, module?.category);
}

interface SeriesRequest {
  readonly moduleId: number;
  readonly type: MeasurementType;
  readonly align: SeriesAlignment;
  readonly detail?: DetailLevel;
}

export async function summarizeSeries(
  series: MoistureSeriesBody,
  context: SummaryContext,
  { moduleId, type: requestedType, align, detail }: SeriesRequest,
): Promise<string> {
  const name = await moduleName(context.directory, moduleId);
  const measure = await measureOfModule(context, moduleId, series.type);
  const otherMeasure =
    series.type === requestedType
      ? []
      : [seriesPhrases.onlyMeasures(name, measure, measureOf(requestedType))];
  const hasSaturationShares =
    detail === 'full' &&
    series.data.some(({ value_vwc_max: saturationShare }) => saturationShare != null);

  return joinSentences([
    ...describeSeriesValues(series, { name, measure, align }, context),
    ...otherMeasure,
    hasSaturationShares ? seriesPhrases.saturationShare : null,
  ]);
}

interface SeriesSubject {
  readonly name: string;
  readonly measure: Measure;
  readonly align: SeriesAlignment;
}

function describeSeriesValues(
  series: MoistureSeriesBody,
  { name, measure, align }: SeriesSubject,
  context: SummaryContext,
): string[] {
  const { statistics, freshness } = series;
  const at = (time: string): string => formatTime(time, context);

  if (series.weights.byDepth.length === 0) return [seriesPhrases.noSensor(name, measure)];
  if (freshness.time === null || freshness.ageMin === null)
    return [seriesPhrases.noDataEver(name, measure)];

  const newestAt = at(freshness.time);
  const age = formatAge(freshness.ageMin);
  const stale = freshness.isFresh
    ? []
    : [seriesPhrases.staleData(name, measure, age, `${newestAt} (${context.zone})`)];
  if (statistics === null)
    return withoutNulls([
      ...stale,
      seriesPhrases.noDataInPeriod({
        name,
        measure,
        start: at(series.start),
        end: at(series.end),
        zone: context.zone,
      }),
      freshness.isFresh ? seriesPhrases.newestReading(newestAt) : null,
    ]);

  const missing = describeMissingShare(series.missingShare);
  return [
    ...stale,
    seriesPhrases.newestValue({
      name,
      measure,
      depths: depthRangeOf(series),
      value: formatNumber(statistics.last.value),
      when: describePointTime(series, statistics.last.time, align, context),
    }),
    describeTrend(measure, statistics, { interval: series.interval_seconds, align }, context),
    `${freshness.isFresh ? seriesPhrases.missingAndAge(missing, age) : missing}.`,
  ];
}

function depthRangeOf({ weights: { basis, byDepth } }: MoistureSeriesBody): DepthRange | null {
  const depths = byDepth.flatMap(({ depth, weight }) =>
    depth === null || weight === 0 ? [] : [depth],
  );
  const [first, last] = [depths[0], depths.at(-1)];
  return first === undefined || last === undefined
    ? null
    : { first, last, count: depths.length, basis };
}

/** A mean is described with its length, unless the end of the period cuts it short. */
function describePointTime(
  { interval_seconds: interval, end }: MoistureSeriesBody,
  time: string,
  align: SeriesAlignment,
  context: SummaryContext,
): string {
  const startText = formatTimeWithZone(time, context);
  if (interval === null) return startText;

  const wholeEnd = pointEnd(
    Date.parse(time),
    interval * 1000,
    align === 'local' ? context.zone : null,
  );
  const isCutShort = wholeEnd > Math.min(context.now, Date.parse(end));

  return seriesPhrases.bucketMean(startText, isCutShort ? null : durationInLargestUnit(interval));
}

/** "6 hours" for 21,600 s, but "90 minutes" for 5400 s. */
function durationInLargestUnit(seconds: number): RoundedDuration {
  if (seconds % 86_400 === 0) return { count: seconds / 86_400, unit: 'day' };
  if (seconds % 3600 === 0) return { count: seconds / 3600, unit: 'hour' };
  if (seconds % 60 === 0) return { count: seconds / 60, unit: 'minute' };
  return { count: seconds, unit: 'second' };
}

function describeTrend(
  measure: Measure,
  { first, last, min, max }: StatisticsBody,
  { interval, align }: { readonly interval: number | null; readonly align: SeriesAlignment },
  context: SummaryContext,
): string {
  const hasDailyPoints =
    interval !== null && align === 'local' && hasLocalDayPoints(interval * 1000, context.zone);
  if (first.time === last.time) return seriesPhrases.onlyPoint;

  const point = ({ value, time }: { value: number; time: string }): PointText => ({
    value: formatNumber(value),
    at: hasDailyPoints ? formatDate(time, context) : formatTime(time, context),
  });

  const change = roundTo(last.value - first.value, 1);
  return seriesPhrases.trend({
    measure,
    hasDailyPoints,
    first: point(first),
    min: point(min),
    max: point(max),
    direction: directionOf(change),
    change: Math.abs(change),
    mean: interval === null ? null : durationInLargestUnit(interval),
  });
}

function directionOf(change: number): 'up' | 'down' | 'level' {
  if (change === 0) return 'level';
  return change > 0 ? 'up' : 'down';
}

/** Rounds neither to 0 % nor to 100 %: some readings are missing, and some are not. */
export function describeMissingShare(share: number): string {
  const { noneMissing, fewMissing, missingReadings } = seriesPhrases;
  if (share === 0) return noneMissing;
  return share < 0.01 ? fewMissing : missingReadings(Math.min(99, Math.round(share * 100)));
}
