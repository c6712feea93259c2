import type { Measure } from '../../domain/moisture/measurement.ts';
import { capitalize } from '../../domain/text.ts';
import { englishCount } from '../en/grammar.ts';
import { englishTime, type RoundedDuration } from '../en/time.ts';

interface MeasureLabels {
  readonly what: string;
  readonly unit: string;
  /** Added to the first unit of a sentence. */
  readonly qualifier: string;
  /** Units of a change in the value. */
  readonly changeUnits: readonly [one: string, many: string];
}

const MEASURE_LABELS: Record<Measure, MeasureLabels> = {
  moisture: {
    what: 'moisture',
    unit: '%',
    qualifier: ' by volume',
    changeUnits: ['point', 'points'],
  },
  air_humidity: {
    what: 'air humidity',
    unit: '%',
    qualifier: '',
    changeUnits: ['point', 'points'],
  },
  temperature: { what: 'temperature', unit: '°C', qualifier: '', changeUnits: ['°C', '°C'] },
  tension: { what: 'tension', unit: 'kPa', qualifier: '', changeUnits: ['kPa', 'kPa'] },
};

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
    `${name} measures ${MEASURE_LABELS[measured].what} only, so that is shown instead of ${MEASURE_LABELS[requested].what}.`,
  noSensor: (name: string, measure: Measure) =>
    `${name} has no sensor for ${MEASURE_LABELS[measure].what}.`,
  noDataEver: (name: string, measure: Measure) =>
    `${name} has never sent any ${MEASURE_LABELS[measure].what}.`,
  staleData: (name: string, measure: Measure, age: string, at: string) =>
    `Old data: the newest ${MEASURE_LABELS[measure].what} of ${name} is ${age} old, from ${at}.`,
  noDataInPeriod: ({ name, measure, start, end, zone }: MissingPeriodFacts) =>
    `There is no ${MEASURE_LABELS[measure].what} of ${name} from ${start} to ${end} (${zone}).`,
  newestReading: (at: string) => `Its newest reading is from ${at}.`,
  newestValue: ({ name, measure, depths, value, when }: NewestValueFacts) => {
    const { what, unit, qualifier } = MEASURE_LABELS[measure];
    return `${capitalize(what)} of ${name}${depths === null ? '' : describeDepthRange(depths)}: ${value} ${unit}${qualifier} ${when}.`;
  },
  bucketMean: (start: string, lasting: RoundedDuration | null) =>
    lasting === null
      ? `on average from ${start} on`
      : `on average over the ${formatPeriod(lasting)} from ${start}`,
  onlyPoint: 'It is the only point of the period.',
  trend: ({ measure, hasDailyPoints, first, min, max, direction, change, mean }: SeriesTrend) => {
    const { unit, changeUnits } = MEASURE_LABELS[measure];
    const firstAt = hasDailyPoints ? onDay(first.at) : `at ${first.at}`;
    const trend =
      direction === 'level'
        ? `As ${firstAt}`
        : `${capitalize(direction)} ${change} ${changeUnits[change === 1 ? 0 : 1]} from ${first.value} ${unit} ${firstAt}`;
    // The mean of a bucket hides its lowest and highest readings, so it is named: " 6-hour mean".
    const meanName =
      mean === null ? '' : ` ${mean.count === 1 ? '' : `${mean.count}-`}${mean.unit} mean`;
    const preposition = mean === null ? 'at' : 'from';
    const when = ({ at }: PointText): string =>
      hasDailyPoints && mean?.count === 1 ? onDay(at) : `${preposition} ${at}`;

    return `${trend}; lowest${meanName} ${min.value} ${unit} ${when(min)}, highest${meanName} ${max.value} ${unit} ${when(max)}.`;
  },
  noneMissing: 'No reading is missing',
  fewMissing: 'Less than 1 % of the readings are missing',
  missingReadings: (percent: number) => `${percent} % of the readings are missing`,
  missingAndAge: (missing: string, age: string) => `${missing}; the newest reading is ${age} old`,
  silentDepths: (depths: string, weightPercent: number) =>
    `No reading at ${depths}: the value is based on ${weightPercent} % of the weight, so trust it less.`,
  saturationShare: 'value_vwc_max is the moisture in % of saturation, not a maximum.',
  differentDepths:
    'The first and last values are based on different depths, so the change between them may not come from the soil.',
};
