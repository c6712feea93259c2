import { rounded } from '../domain/decimal.ts';
import type { Lang } from '../domain/lang.ts';
import type { Saying } from '../operation/call.ts';
import { moduleName } from '../operation/directory.ts';
import { sayInstant } from '../operation/say-time.ts';
import type { MeasurementType } from '../schema/place.ts';
import type { MoistureSeriesBody, StatisticsBody } from '../schema/series.ts';
import { sayNumber } from './say-figures.ts';
import type { SaidDepths, SaidLength, SaidMeasure, SaidPoint, SeriesWords } from './series-words.ts';
import { englishSeries } from './series-words-en.ts';
import { frenchSeries } from './series-words-fr.ts';

const WORDS: Record<Lang, SeriesWords> = { en: englishSeries, fr: frenchSeries };

export const seriesWords = ({ lang }: Pick<Saying, 'lang'>): SeriesWords => WORDS[lang];

const MEASURES: Record<MeasurementType, SaidMeasure> = {
  humidity: 'moisture',
  temperature: 'temperature',
  tensio: 'tension',
};

async function measureOf(call: Saying, moduleId: number, type: MeasurementType): Promise<SaidMeasure> {
  const module = (await call.directory.modules()).find(({ id }) => id === moduleId);
  return type === 'humidity' && module?.category === 'WEATHER_STATION' ? 'air_humidity' : MEASURES[type];
}

/** "15 minutes", "26 hours", "3 days". */
export function sayAge(minutes: number, call: Pick<Saying, 'lang'>): string {
  const { length } = seriesWords(call);
  if (minutes < 120) return length({ count: minutes, unit: 'minute' });
  if (minutes < 48 * 60) return length({ count: Math.floor(minutes / 60), unit: 'hour' });
  return length({ count: Math.floor(minutes / 1440), unit: 'day' });
}

/** What a person hears of a series: stale data first, then the newest value, where it comes from and how far to trust it. */
export async function saySeries(
  series: MoistureSeriesBody,
  call: Saying,
  { moduleId, type: asked }: { moduleId: number; type: MeasurementType },
): Promise<string> {
  const name = await moduleName(call.directory, moduleId);
  const measure = await measureOf(call, moduleId, series.type);
  const other = series.type === asked ? [] : [seriesWords(call).measuresAlone(name, measure, MEASURES[asked])];
  return [...sayValues(series, name, measure, call), ...other, ...call.remarks].join(' ');
}

function sayValues(series: MoistureSeriesBody, name: string, measure: SaidMeasure, call: Saying): string[] {
  const { statistics, freshness } = series;
  const words = seriesWords(call);
  const at = (time: string): string => sayInstant(Date.parse(time), call.zone, call.now, call.lang);
  const newestAt = freshness.time === null ? null : at(freshness.time);
  if (series.weights.byDepth.length === 0) return [words.noSensor(name, measure)];
  if (newestAt === null) return [words.neverSent(name, measure)];
  const age = sayAge(freshness.ageMin!, call);
  const stale = freshness.isFresh ? [] : [words.old(name, measure, age, `${newestAt} (${call.zone})`)];
  if (statistics === null)
    return [
      ...stale,
      words.noneWithin(name, measure, at(series.start), at(series.end), call.zone),
      ...(freshness.isFresh ? [words.newestReading(newestAt)] : []),
    ];
  const missing = sayMissing(series.missingShare, call);
  const newest = sayNumber(statistics.last.value, call.lang);
  return [
    ...stale,
    words.newest(name, measure, depthsOf(series), newest, sayWhen(series, statistics.last.time, call)),
    sayCourse(measure, statistics, series.interval_seconds, call),
    `${freshness.isFresh ? words.missingAndAge(missing, age) : missing}.`,
  ];
}

/** Where the figure comes from; null where no depth is known. */
function depthsOf({ weights: { basis, byDepth } }: MoistureSeriesBody): SaidDepths | null {
  const depths = byDepth.flatMap(({ depth, weight }) => (depth === null || weight === 0 ? [] : [depth]));
  const [first, last] = [depths[0], depths.at(-1)];
  return first === undefined || last === undefined ? null : { first, last, count: depths.length, basis };
}

/** "today 11:45 (Europe/Paris)" for a reading; a bucket says how long it lasts, where the period does not cut it. */
function sayWhen({ interval_seconds: interval, end }: MoistureSeriesBody, time: string, call: Saying): string {
  const { zone, now } = call;
  const start = Date.parse(time);
  const said = `${sayInstant(start, zone, now, call.lang)} (${zone})`;
  if (interval === null) return said;
  const isCut = start + interval * 1000 > Math.min(now, Date.parse(end));
  return seriesWords(call).bucket(said, isCut ? null : lengthOf(interval));
}

function lengthOf(seconds: number): SaidLength {
  for (const [length, unit] of [
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
  ] as const)
    if (seconds % length === 0) return { count: seconds / length, unit };
  return { count: seconds, unit: 'second' };
}

/** Where it has come from since the first point, and how low and high it was. */
function sayCourse(
  measure: SaidMeasure,
  { first, last, min, max }: StatisticsBody,
  interval: number | null,
  call: Saying,
): string {
  const words = seriesWords(call);
  if (first.time === last.time) return words.onlyPoint;
  const point = ({ value, time }: { value: number; time: string }): SaidPoint => ({
    value: sayNumber(value, call.lang),
    at: sayInstant(Date.parse(time), call.zone, call.now, call.lang),
  });
  const change = rounded(last.value - first.value, 1);
  return words.course({
    measure,
    first: point(first),
    min: point(min),
    max: point(max),
    direction: change === 0 ? 'level' : change > 0 ? 'up' : 'down',
    change: Math.abs(change),
    mean: interval === null ? null : lengthOf(interval),
  });
}

/** "12 % of the readings are missing". */
export function sayMissing(share: number, call: Pick<Saying, 'lang'>): string {
  const { missing } = seriesWords(call);
  if (share === 0) return missing(null);
  return missing(share < 0.01 ? 0 : Math.min(99, Math.round(share * 100)));
}
