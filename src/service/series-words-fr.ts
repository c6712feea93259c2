import { counted, of, until } from '../domain/french.ts';
import { sayNumber } from './say-figures.ts';
import type { SaidDepths, SaidLength, SaidMeasure, SeriesWords } from './series-words.ts';

interface Measure {
  readonly what: string;
  /** "d’humidité", "l’humidité". */
  readonly some: string;
  readonly the: string;
  readonly unit: string;
  /** What is said after the unit where it is said first. */
  readonly of: string;
  /** Unit of a difference, of one and of several. */
  readonly step: readonly [string, string];
}

const POINTS = ['point', 'points'] as const;

const MEASURES: Record<SaidMeasure, Measure> = {
  moisture: { what: 'Humidité', some: 'd’humidité', the: 'l’humidité', unit: '%', of: ' en volume', step: POINTS },
  air_humidity: {
    what: 'Humidité de l’air',
    some: 'd’humidité de l’air',
    the: 'l’humidité de l’air',
    unit: '%',
    of: '',
    step: POINTS,
  },
  temperature: {
    what: 'Température',
    some: 'de température',
    the: 'la température',
    unit: '°C',
    of: '',
    step: ['°C', '°C'],
  },
  tension: { what: 'Tension', some: 'de tension', the: 'la tension', unit: 'kPa', of: '', step: ['kPa', 'kPa'] },
};

const BASES: Record<SaidDepths['basis'], string> = {
  depth_weights: 'pondération propre à la sonde',
  root_uptake: 'pondération par l’absorption des racines',
  equal: 'profondeurs à poids égal',
};

const UNITS: Record<SaidLength['unit'], string> = { day: 'jour', hour: 'heure', minute: 'minute', second: 'seconde' };
const WITHIN: Record<SaidLength['unit'], string> = {
  day: 'la journée',
  hour: 'l’heure',
  minute: 'la minute',
  second: 'la seconde',
};

const length = ({ count, unit }: SaidLength): string => counted(count, UNITS[unit]);
const within = (said: SaidLength): string => (said.count === 1 ? WITHIN[said.unit] : `les ${length(said)}`);

function sayDepths({ first, last, count, basis }: SaidDepths): string {
  if (count === 1) return ` à ${first} cm`;
  return ` (${count === 2 ? `${first} et ${last}` : `de ${first} à ${last}`} cm, ${BASES[basis]})`;
}

export const frenchSeries: SeriesWords = {
  length,
  measuresAlone: (name, measured, asked) =>
    `${name} ne mesure que ${MEASURES[measured].the} : c’est elle qui est donnée, et non ${MEASURES[asked].the}.`,
  noSensor: (name, measure) => `${name} n’a pas de capteur ${MEASURES[measure].some}.`,
  neverSent: (name, measure) => `${name} n’a jamais transmis de mesure ${MEASURES[measure].some}.`,
  old: (name, measure, age, at) =>
    `Données anciennes : la dernière valeur ${MEASURES[measure].some} ${of(name)} date ${of(at)}, il y a ${age}.`,
  noneWithin: (name, measure, start, end, zone) =>
    `Il n’y a pas de mesure ${MEASURES[measure].some} ${of(name)} ${of(start)} ${until(end)} (${zone}).`,
  newestReading: (at) => `Sa dernière mesure date ${of(at)}.`,
  newest: (name, measure, depths, value, when) => {
    const { what, unit, of: kind } = MEASURES[measure];
    return `${what} ${of(name)}${depths === null ? '' : sayDepths(depths)} : ${value} ${unit}${kind} ${when}.`;
  },
  bucket: (start, lasting) => `en moyenne${lasting === null ? '' : ` sur ${within(lasting)}`} à partir ${of(start)}`,
  onlyPoint: 'C’est le seul point de la période.',
  course: ({ measure, first, min, max, direction, change, mean }) => {
    const { unit, step } = MEASURES[measure];
    const by = `${sayNumber(change, 'fr')} ${step[change < 2 ? 0 : 1]}`;
    const trend =
      direction === 'level'
        ? `Comme ${first.at}`
        : `En ${direction === 'up' ? 'hausse' : 'baisse'} de ${by} depuis ${first.value} ${unit} ${first.at}`;
    if (mean === null)
      return `${trend} ; minimum ${min.value} ${unit} ${min.at}, maximum ${max.value} ${unit} ${max.at}.`;
    // A bucket's mean hides what was lower or higher within it.
    const over = `moyenne sur ${mean.count === 1 ? within(mean) : length(mean)}`;
    return `${trend} ; plus basse ${over} ${min.value} ${unit} à partir ${of(min.at)}, plus haute ${max.value} ${unit} à partir ${of(max.at)}.`;
  },
  missing: (percent) => {
    if (percent === null) return 'Aucune mesure ne manque';
    return percent === 0 ? 'Moins de 1 % des mesures manquent' : `${percent} % des mesures manquent`;
  },
  missingAndAge: (missing, age) => `${missing} ; la dernière remonte à ${age}`,
  silent: (depths, weightPercent) =>
    `Rien à ${depths} : le chiffre repose sur ${weightPercent} % du poids, à prendre avec prudence.`,
  unknownDepth: 'une profondeur inconnue',
  differentDepths:
    'Le premier point et le dernier ne reposent pas sur les mêmes profondeurs : leur écart ne vient peut-être pas du sol.',
};
