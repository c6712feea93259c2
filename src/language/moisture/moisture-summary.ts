import { roundTo } from '../../domain/decimal.ts';
import { SENSOR_DOUBTS, type SensorDoubtReason } from '../../domain/moisture/sensor-doubts.ts';
import { type Measure, type MeasurementType, measureOf } from '../../domain/moisture/series.ts';
import { hasLocalDayPoints, pointEnd } from '../../domain/moisture/series-points.ts';
import { DAY_MIN, MINUTE_MS } from '../../domain/periods.ts';
import type { DetailLevel } from '../../schema/field.ts';
import type {
  MoistureSeriesBody,
  SensorDoubtBody,
  SeriesAlignment,
  StatisticsBody,
} from '../../schema/moisture/series.ts';
import type { DepthRange, PointText, RoundedDuration } from '../en/moisture.ts';
import { languageOf } from '../index.ts';
import { formatMoisture, formatNumber, formatPrecise } from '../number-format.ts';
import { moduleName, type SummaryContext } from '../summary-context.ts';
import { formatDate, formatTime, formatTimeWithZone } from '../time.ts';

async function measureOfModule(
  context: SummaryContext,
  moduleId: number,
  type: MeasurementType,
): Promise<Measure> {
  const module = (await context.directory.modules()).find(({ id }) => id === moduleId);
  return measureOf(type, module?.category);
}

export function formatAge(minutes: number, context: Pick<SummaryContext, 'lang'>): string {
  const { duration } = languageOf(context.lang).series;
  if (minutes < 120) return duration({ count: Math.max(1, minutes), unit: 'minute' });
  if (minutes < 2 * DAY_MIN) return duration({ count: Math.round(minutes / 60), unit: 'hour' });
  return duration({ count: Math.round(minutes / DAY_MIN), unit: 'day' });
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
  const phrases = languageOf(context.lang).series;
  const other =
    series.type === requestedType
      ? []
      : [phrases.onlyMeasures(name, measure, measureOf(requestedType))];
  const hasSaturationShares =
    detail === 'full' &&
    series.data.some(({ value_vwc_max: saturationShare }) => saturationShare != null);

  return [
    ...describeSeriesValues(series, { name, measure, align }, context),
    ...other,
    ...(hasSaturationShares ? [phrases.saturationShare] : []),
  ].join(' ');
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
  const phrases = languageOf(context.lang).series;
  const at = (time: string): string => formatTime(time, context);

  const newestAt = freshness.time === null ? null : at(freshness.time);
  if (series.weights.byDepth.length === 0) return [phrases.noSensor(name, measure)];
  if (newestAt === null) return [phrases.noDataEver(name, measure)];

  const age = formatAge(freshness.ageMin!, context);
  const stale = freshness.isFresh
    ? []
    : [phrases.staleData(name, measure, age, `${newestAt} (${context.zone})`)];
  if (statistics === null)
    return [
      ...stale,
      phrases.noDataInPeriod({
        name,
        measure,
        start: at(series.start),
        end: at(series.end),
        zone: context.zone,
      }),
      ...(freshness.isFresh ? [phrases.newestReading(newestAt)] : []),
    ];

  const missing = describeMissingShare(series.missingShare, context);
  return [
    ...stale,
    phrases.newestValue({
      name,
      measure,
      depths: depthRangeOf(series),
      value: formatNumber(statistics.last.value, context.lang),
      when: describePointTime(series, statistics.last.time, align, context),
    }),
    describeTrend(measure, statistics, { interval: series.interval_seconds, align }, context),
    `${freshness.isFresh ? phrases.missingAndAge(missing, age) : missing}.`,
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

  return languageOf(context.lang).series.bucketMean(
    startText,
    isCutShort ? null : durationInLargestUnit(interval),
  );
}

function durationInLargestUnit(seconds: number): RoundedDuration {
  for (const [length, unit] of [
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
  ] as const)
    if (seconds % length === 0) return { count: seconds / length, unit };
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
  const phrases = languageOf(context.lang).series;
  if (first.time === last.time) return phrases.onlyPoint;

  const point = ({ value, time }: { value: number; time: string }): PointText => ({
    value: formatNumber(value, context.lang),
    at: hasDailyPoints ? formatDate(time, context) : formatTime(time, context),
  });

  const change = roundTo(last.value - first.value, 1);
  return phrases.trend({
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
export function describeMissingShare(share: number, context: Pick<SummaryContext, 'lang'>): string {
  const { noneMissing, fewMissing, missingReadings } = languageOf(context.lang).series;
  if (share === 0) return noneMissing;
  return share < 0.01 ? fewMissing : missingReadings(Math.min(99, Math.round(share * 100)));
}

type DoubtContext = Pick<SummaryContext, 'lang' | 'now'>;

/** One sentence for each reason, with what to check. */
export const describeSensorDoubts = (
  doubts: readonly SensorDoubtBody[],
  context: DoubtContext,
): string[] =>
  SENSOR_DOUBTS.flatMap((reason) => {
    const values = describeDoubtfulValues(
      doubts.filter((each) => each.reason === reason),
      context,
    );
    return values === '' ? [] : [languageOf(context.lang).doubt.check[reason](values)];
  });

/** "62 % at 10 cm and 63 % at 30 cm, where its soil holds at most 46 %" */
export function describeDoubtfulValues(
  doubts: readonly SensorDoubtBody[],
  { lang, now }: DoubtContext,
): string {
  const { doubt, series, brief, format } = languageOf(lang);
  const groups = new Map<
    string,
    { reason: SensorDoubtReason; qualifier: string; readings: string[] }
  >();

  for (const { reason, depth, value_vwc: value, limit_vwc: limit, since } of doubts) {
    const qualifier =
      since !== null
        ? formatAge(Math.floor((now - Date.parse(since)) / MINUTE_MS), { lang })
        : formatMoisture(limit ?? 0, lang);
    const group = groups.get(`${reason} ${qualifier}`) ?? { reason, qualifier, readings: [] };
    const text =
      reason === 'SENSOR_STUCK' ? formatPrecise(value, lang) : formatMoisture(value, lang);
    group.readings.push(doubt.reading(text, depth === null ? series.unknownDepth : `${depth} cm`));
    groups.set(`${reason} ${qualifier}`, group);
  }

  const texts = [...groups.values()].map(({ reason, qualifier, readings }) =>
    doubt.value[reason](format.list(readings), qualifier),
  );

  return brief.list(texts, 0);
}
