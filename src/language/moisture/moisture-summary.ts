import { roundTo } from '../../domain/decimal.ts';
import {
  curveOf,
  type Measure,
  type MeasurementType,
  measureOf,
} from '../../domain/moisture/measurement.ts';
import { hasLocalDayPoints, pointEnd } from '../../domain/moisture/series-points.ts';
import { age, changeOf, exact, roundedTo } from '../../domain/text/figures.ts';
import { action, capitalized, counted, say, sentences, word } from '../../domain/text/say.ts';
import type { Figures, Text } from '../../domain/text/text.ts';
import { dateOf, timeOf, timeWithZone, zone } from '../../domain/text/times.ts';
import type {
  MoistureSeriesBody,
  SeriesAlignment,
  StatisticsBody,
} from '../../schema/moisture/series.ts';
import type { DetailLevel } from '../../schema/shared-fields.ts';
import { englishMeasures } from '../en/measurements.ts';
import { englishTime } from '../en/time.ts';
import type { RoundedDuration } from '../intl-format.ts';
import type { SummaryContext } from '../summary-context.ts';
import { moduleText } from '../text/names-of-farm.ts';
import { daysTo } from '../time.ts';

export const MEASURES = englishMeasures();

async function measureOfModule(
  { directory }: SummaryContext,
  moduleId: number,
  type: MeasurementType,
): Promise<Measure> {
  const module = (await directory.modules()).find(({ id }) => id === moduleId);
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
): Promise<Text> {
  const name = await moduleText(context.directory, moduleId);
  const measure = await measureOfModule(context, moduleId, series.type);
  const isOther = series.type !== requestedType;
  const hasSaturationShares =
    detail === 'full' &&
    series.data.some(({ value_vwc_max: saturationShare }) => saturationShare != null);

  return sentences([
    ...describeSeriesValues(series, { name, measure, align }, context),
    isOther
      ? say`${name} measures ${MEASURES[measure]} only, so that is shown instead of ${MEASURES[measureOf(requestedType)]}.`
      : null,
    hasSaturationShares
      ? say`The share of saturation is the moisture in % of saturated soil.${action('value_vwc_max is that share, not a maximum')}`
      : null,
  ]);
}

interface SeriesSubject {
  readonly name: Text;
  readonly measure: Measure;
  readonly align: SeriesAlignment;
}

function describeSeriesValues(
  series: MoistureSeriesBody,
  { name, measure, align }: SeriesSubject,
  context: SummaryContext,
): (Text | null)[] {
  const { statistics, freshness } = series;
  const called = MEASURES[measure];
  if (series.weights.byDepth.length === 0) return [say`${name} has no sensor for ${called}.`];
  if (freshness.time === null || freshness.ageMin === null)
    return [say`${name} has never sent any ${called}.`];

  const newest = say`is ${age(freshness.ageMin)} old`;
  const stale = freshness.isFresh
    ? null
    : say`Old data: the newest ${called} of ${name} ${newest}, from ${timeWithZone(freshness.time)}.`;
  if (statistics === null)
    return [
      stale,
      say`There is no ${called} of ${name} from ${timeOf(series.start)} to ${timeOf(series.end)} (${zone}).`,
      freshness.isFresh ? say`Its newest reading is from ${timeOf(freshness.time)}.` : null,
    ];

  const value = figureOfMeasure(measure, statistics.last.value);
  const byVolume = measure === 'humidity' ? say` by volume` : null;
  const when = describePointTime(series, statistics.last.time, align, context);
  const isAged = freshness.isFresh ? say`; the newest reading ${newest}` : null;
  return [
    stale,
    say`${capitalized(called)} of ${name}${describeDepths(series)}: ${value}${byVolume} ${when}.`,
    describeTrend(measure, statistics, { interval: series.interval_seconds, align }, context),
    say`${describeMissingShare(series.missingShare)}${isAged}.`,
  ];
}

export const figureOfMeasure = (measure: Measure, value: number): Figures =>
  exact(value, curveOf(measure).symbol);

const WEIGHT_BASES = {
  depth_weights: say`weighted as configured`,
  root_uptake: say`weighted by root uptake`,
  equal: say`all depths equally`,
} as const;

/** " at 30 cm", " (10 to 30 cm, weighted by root uptake)" */
function describeDepths({ weights: { basis, byDepth } }: MoistureSeriesBody): Text | null {
  const depths = byDepth.flatMap(({ depth, weight }) =>
    depth === null || weight === 0 ? [] : [depth],
  );
  const [first, last] = [depths[0], depths.at(-1)];
  if (first === undefined || last === undefined) return null;
  if (depths.length === 1) return say` at ${exact(first, 'cm')}`;

  const range = exact([first, last], 'cm', depths.length === 2 ? 'and' : 'to');
  return say` (${range}, ${WEIGHT_BASES[basis]})`;
}

/** A mean is described with its length, unless the end of the period cuts it short. */
function describePointTime(
  { interval_seconds: interval, end }: MoistureSeriesBody,
  time: string,
  align: SeriesAlignment,
  context: SummaryContext,
): Text {
  const start = timeWithZone(time);
  if (interval === null) return start;

  const wholeEnd = pointEnd(
    Date.parse(time),
    interval * 1000,
    align === 'local' ? context.zone : null,
  );
  const isCutShort = wholeEnd > Math.min(context.now, Date.parse(end));
  if (isCutShort) return say`on average from ${start} on`;

  const { count, unit } = durationInLargestUnit(interval);
  const length = count === 1 ? word(unit) : counted(count, unit);
  return say`on average over the ${length} from ${start}`;
}

/** "6 hours" for 21,600 s, but "90 minutes" for 5400 s. */
function durationInLargestUnit(seconds: number): RoundedDuration {
  if (seconds % 86_400 === 0) return { count: seconds / 86_400, unit: 'day' };
  if (seconds % 3600 === 0) return { count: seconds / 3600, unit: 'hour' };
  if (seconds % 60 === 0) return { count: seconds / 60, unit: 'minute' };
  return { count: seconds, unit: 'second' };
}

interface Point {
  readonly value: number;
  readonly time: string;
}

function describeTrend(
  measure: Measure,
  { first, last, min, max }: StatisticsBody,
  { interval, align }: { readonly interval: number | null; readonly align: SeriesAlignment },
  context: SummaryContext,
): Text {
  if (first.time === last.time) return say`It is the only point of the period.`;

  // Points that are each a local day are named by day.
  const hasDailyPoints =
    interval !== null && align === 'local' && hasLocalDayPoints(interval * 1000, context.zone);
  const start = hasDailyPoints ? onDay(first.time, context) : say`at ${timeOf(first.time)}`;
  const mean = interval === null ? null : durationInLargestUnit(interval);
  const describeExtreme = ({ value, time }: Point): Text => {
    const called =
      mean && say` ${mean.count === 1 ? null : say`${mean.count}-`}${word(mean.unit)} mean`;
    const at = hasDailyPoints ? dateOf(time) : timeOf(time);
    const isDay = hasDailyPoints && mean?.count === 1;
    const when = isDay ? onDay(time, context) : say`${mean === null ? say`at` : say`from`} ${at}`;
    // The mean of a bucket hides its lowest and highest readings, so it is named.
    return say`${called} ${figureOfMeasure(measure, value)} ${when}`;
  };

  return say`${describeChange(measure, first, last, start)}; lowest${describeExtreme(min)}, highest${describeExtreme(max)}.`;
}

function describeChange(measure: Measure, first: Point, last: Point, start: Text): Text {
  const change = last.value - first.value;
  const rounded = roundTo(Math.abs(change), 1);
  if (rounded === 0) return say`As ${start}`;

  const unit = curveOf(measure).symbol;
  const by =
    unit === '%' ? counted(rounded, 'point') : changeOf(roundedTo(rounded, Math.abs(change), unit));
  return say`${change > 0 ? say`Up` : say`Down`} ${by} from ${figureOfMeasure(measure, first.value)} ${start}`;
}

/** "yesterday", "on 12 Jul" */
const onDay = (time: string, context: SummaryContext): Text =>
  englishTime.nearDays.has(daysTo(Date.parse(time), context))
    ? say`${dateOf(time)}`
    : say`on ${dateOf(time)}`;

/** Rounds neither to 0 % nor to 100 %: some readings are missing, and some are not. */
export function describeMissingShare(share: number): Text {
  if (share === 0) return say`No reading is missing`;
  if (share < 0.01) return say`Less than 1 % of the readings are missing`;
  return say`${exact(Math.min(99, Math.round(share * 100)), '%')} of the readings are missing`;
}
