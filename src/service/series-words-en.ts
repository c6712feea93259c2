import { capital } from '../domain/capital.ts';
import { counted } from '../domain/english.ts';
import type { SaidDepths, SaidLength, SaidMeasure, SeriesWords } from './series-words.ts';

interface Measure {
  readonly what: string;
  readonly unit: string;
  /** What is said after the unit where it is said first. */
  readonly of: string;
  /** Unit of a difference, of one and of several. */
  readonly step: readonly [string, string];
}

const MEASURES: Record<SaidMeasure, Measure> = {
  moisture: { what: 'moisture', unit: '%', of: ' by volume', step: ['point', 'points'] },
  air_humidity: { what: 'air humidity', unit: '%', of: '', step: ['point', 'points'] },
  temperature: { what: 'temperature', unit: '°C', of: '', step: ['°C', '°C'] },
  tension: { what: 'tension', unit: 'kPa', of: '', step: ['kPa', 'kPa'] },
};

const BASES: Record<SaidDepths['basis'], string> = {
  depth_weights: 'weighted as set for it',
  root_uptake: 'weighted by root uptake',
  equal: 'all depths alike',
};

const length = ({ count, unit }: SaidLength): string => counted(count, unit);
const within = ({ count, unit }: SaidLength): string => (count === 1 ? unit : counted(count, unit));

function sayDepths({ first, last, count, basis }: SaidDepths): string {
  if (count === 1) return ` at ${first} cm`;
  return ` (${first} ${count === 2 ? 'and' : 'to'} ${last} cm, ${BASES[basis]})`;
}

export const englishSeries: SeriesWords = {
  length,
  measuresAlone: (name, measured, asked) =>
    `${name} measures ${MEASURES[measured].what} alone, so that is shown, not ${MEASURES[asked].what}.`,
  noSensor: (name, measure) => `${name} has no sensor for ${MEASURES[measure].what}.`,
  neverSent: (name, measure) => `${name} has never sent any ${MEASURES[measure].what}.`,
  old: (name, measure, age, at) => `Old data: the newest ${MEASURES[measure].what} of ${name} is ${age} old, of ${at}.`,
  noneWithin: (name, measure, start, end, zone) =>
    `There is no ${MEASURES[measure].what} of ${name} from ${start} to ${end} (${zone}).`,
  newestReading: (at) => `Its newest reading is of ${at}.`,
  newest: (name, measure, depths, value, when) => {
    const { what, unit, of } = MEASURES[measure];
    return `${capital(what)} of ${name}${depths === null ? '' : sayDepths(depths)}: ${value} ${unit}${of} ${when}.`;
  },
  bucket: (start, lasting) =>
    lasting === null ? `on average from ${start} on` : `on average over the ${within(lasting)} from ${start}`,
  onlyPoint: 'It is the only point of the period.',
  course: ({ measure, first, min, max, direction, change, mean }) => {
    const { unit, step } = MEASURES[measure];
    const trend =
      direction === 'level'
        ? `As at ${first.at}`
        : `${capital(direction)} ${change} ${step[change === 1 ? 0 : 1]} from ${first.value} ${unit} at ${first.at}`;
    // A bucket's mean hides what was lower or higher within it.
    const [of, on] =
      mean === null ? ['', 'at'] : [` ${mean.count === 1 ? '' : `${mean.count}-`}${mean.unit} mean`, 'from'];
    return `${trend}; lowest${of} ${min.value} ${unit} ${on} ${min.at}, highest${of} ${max.value} ${unit} ${on} ${max.at}.`;
  },
  missing: (percent) => {
    if (percent === null) return 'No reading is missing';
    return percent === 0 ? 'Less than 1 % of the readings are missing' : `${percent} % of the readings are missing`;
  },
  missingAndAge: (missing, age) => `${missing}; the newest reading is ${age} old`,
  silent: (depths, weightPercent) =>
    `Nothing at ${depths}: it rests on ${weightPercent} % of the weight, so trust it less.`,
  unknownDepth: 'an unknown depth',
  differentDepths: 'First and last rest on different depths, so the change between them need not be one of the soil.',
};
