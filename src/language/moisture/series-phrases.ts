import { curveOf, type Measure } from '../../domain/moisture/measurement.ts';
import { capitalize } from '../../domain/text.ts';
import { englishCount } from '../en/grammar.ts';
import { englishMeasurements } from '../en/measurements.ts';
import { englishTime } from '../en/time.ts';
import type { RoundedDuration } from '../intl-format.ts';
import { nextAction } from '../next-calls.ts';

const nameOf = (measure: Measure): string =>
  measure === 'air_humidity' ? 'air humidity' : englishMeasurements[measure].noun;

const withUnit = (measure: Measure, value: string): string => `${value} ${curveOf(measure).symbol}`;

/** "1 point", "3.2 points", "2 °C" */
function changeOf(measure: Measure, change: number): string {
  const { symbol } = curveOf(measure);
  return symbol === '%' ? englishCount(change, 'point') : `${change} ${symbol}`;
}

interface MissingPeriodFacts {
  readonly name: string;
  readonly measure: Measure;
  readonly start: string;
  readonly end: string;
  readonly zone: string;
}

export interface DepthRange {
  readonly first: number;
  readonly last: number;
  readonly count: number;
  readonly basis: 'depth_weights' | 'root_uptake' | 'equal';
}

const WEIGHT_BASES: Record<DepthRange['basis'], string> = {
  depth_weights: 'weighted as configured',
  root_uptake: 'weighted by root uptake',
  equal: 'all depths equally',
};

function describeDepthRange({ first, last, count, basis }: DepthRange): string {
  if (count === 1) return ` at ${first} cm`;
  return ` (${first} ${count === 2 ? 'and' : 'to'} ${last} cm, ${WEIGHT_BASES[basis]})`;
}

interface NewestValueFacts {
  readonly name: string;
  readonly measure: Measure;
  readonly depths: DepthRange | null;
  readonly value: string;
  readonly when: string;
}

const formatPeriod = ({ count, unit }: RoundedDuration): string =>
  count === 1 ? unit : englishCount(count, unit);

export interface PointText {
  readonly value: string;
  readonly at: string;
}

interface SeriesTrend {
  readonly measure: Measure;
  /** True if each point is a local day, so that points are named by day. */
  readonly hasDailyPoints: boolean;
  readonly first: PointText;
  readonly min: PointText;
  readonly max: PointText;
  readonly direction: 'up' | 'down' | 'level';
  /** The size of the change: it has no sign. */
  readonly change: number;
  readonly mean: RoundedDuration | null;
}

const NEAR_DAYS: ReadonlySet<string> = new Set(englishTime.nearDays.values());

const onDay = (day: string): string => (NEAR_DAYS.has(day) ? day : `on ${day}`);

export const seriesPhrases = {
  onlyMeasures: (name: string, measured: Measure, requested: Measure) =>
    `${name} measures ${nameOf(measured)} only, so that is shown instead of ${nameOf(requested)}.`,
  noSensor: (name: string, measure: Measure) => `${name} has no sensor for ${nameOf(measure)}.`,
  noDataEver: (name: string, measure: Measure) => `${name} has never sent any ${nameOf(measure)}.`,
  staleData: (name: string, measure: Measure, age: string, at: string) =>
    `Old data: the newest ${nameOf(measure)} of ${name} is ${age} old, from ${at}.`,
  noDataInPeriod: ({ name, measure, start, end, zone }: MissingPeriodFacts) =>
    `There is no ${nameOf(measure)} of ${name} from ${start} to ${end} (${zone}).`,
  newestReading: (at: string) => `Its newest reading is from ${at}.`,
  newestValue: ({ name, measure, depths, value, when }: NewestValueFacts) => {
    const at = depths === null ? '' : describeDepthRange(depths);
    const byVolume = measure === 'humidity' ? ' by volume' : '';
    return `${capitalize(nameOf(measure))} of ${name}${at}: ${withUnit(measure, value)}${byVolume} ${when}.`;
  },
  bucketMean: (start: string, lasting: RoundedDuration | null) =>
    lasting === null
      ? `on average from ${start} on`
      : `on average over the ${formatPeriod(lasting)} from ${start}`,
  onlyPoint: 'It is the only point of the period.',
  trend: ({ measure, hasDailyPoints, first, min, max, direction, change, mean }: SeriesTrend) => {
    const firstAt = hasDailyPoints ? onDay(first.at) : `at ${first.at}`;
    const trend =
      direction === 'level'
        ? `As ${firstAt}`
        : `${capitalize(direction)} ${changeOf(measure, change)} from ${withUnit(measure, first.value)} ${firstAt}`;
    // The mean of a bucket hides its lowest and highest readings, so it is named: " 6-hour mean".
    const meanName =
      mean === null ? '' : ` ${mean.count === 1 ? '' : `${mean.count}-`}${mean.unit} mean`;
    const preposition = mean === null ? 'at' : 'from';
    const when = ({ at }: PointText): string =>
      hasDailyPoints && mean?.count === 1 ? onDay(at) : `${preposition} ${at}`;

    return `${trend}; lowest${meanName} ${withUnit(measure, min.value)} ${when(min)}, highest${meanName} ${withUnit(measure, max.value)} ${when(max)}.`;
  },
  noneMissing: 'No reading is missing',
  fewMissing: 'Less than 1 % of the readings are missing',
  missingReadings: (percent: number) => `${percent} % of the readings are missing`,
  missingAndAge: (missing: string, age: string) => `${missing}; the newest reading is ${age} old`,
  /** The four months are MAX_BALANCE_DAYS. */
  silentProbes: (probes: string) =>
    `No readings have come from the probes of the parcel (${probes}) in four months: check whether they transmit.`,
  silentDepths: (depths: string, weightPercent: number) =>
    `No reading at ${depths}: the value is based on ${weightPercent} % of the weight, so trust it less.`,
  saturationShare: `The share of saturation is the moisture in % of saturated soil.${nextAction('value_vwc_max is that share, not a maximum')}`,
  differentDepths:
    'The first and last values are based on different depths, so the change between them may not come from the soil.',
};
