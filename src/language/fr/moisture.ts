import type { Measure } from '../../domain/moisture/series.ts';
import type { Language } from '../en/index.ts';
import type { DepthRange, MeasureLabels, RoundedDuration } from '../en/moisture.ts';
import { frenchCount, frenchFormat, withDe, withJusqua } from './grammar.ts';

interface FrenchMeasureLabels extends MeasureLabels {
  /** "d’humidité", "l’humidité". */
  readonly withPartitive: string;
  readonly withArticle: string;
}

const PERCENT_POINTS = ['point', 'points'] as const;

const MEASURE_LABELS: Record<Measure, FrenchMeasureLabels> = {
  moisture: {
    what: 'Humidité',
    withPartitive: 'd’humidité',
    withArticle: 'l’humidité',
    unit: '%',
    qualifier: ' en volume',
    changeUnits: PERCENT_POINTS,
  },
  air_humidity: {
    what: 'Humidité de l’air',
    withPartitive: 'd’humidité de l’air',
    withArticle: 'l’humidité de l’air',
    unit: '%',
    qualifier: '',
    changeUnits: PERCENT_POINTS,
  },
  temperature: {
    what: 'Température',
    withPartitive: 'de température',
    withArticle: 'la température',
    unit: '°C',
    qualifier: '',
    changeUnits: ['°C', '°C'],
  },
  tension: {
    what: 'Tension',
    withPartitive: 'de tension',
    withArticle: 'la tension',
    unit: 'kPa',
    qualifier: '',
    changeUnits: ['kPa', 'kPa'],
  },
};

const WEIGHT_BASES: Record<DepthRange['basis'], string> = {
  depth_weights: 'pondération propre à la sonde',
  root_uptake: 'pondération par l’absorption des racines',
  equal: 'profondeurs à poids égal',
};

const UNIT_NAMES: Record<RoundedDuration['unit'], string> = {
  day: 'jour',
  hour: 'heure',
  minute: 'minute',
  second: 'seconde',
};
const PERIODS: Record<RoundedDuration['unit'], string> = {
  day: 'la journée',
  hour: 'l’heure',
  minute: 'la minute',
  second: 'la seconde',
};

const countedDuration = ({ count, unit }: RoundedDuration): string =>
  frenchCount(count, UNIT_NAMES[unit]);
const formatPeriod = (length: RoundedDuration): string =>
  length.count === 1 ? PERIODS[length.unit] : `les ${countedDuration(length)}`;

function describeDepthRange({ first, last, count, basis }: DepthRange): string {
  if (count === 1) return ` à ${first} cm`;
  return ` (${count === 2 ? `${first} et ${last}` : `de ${first} à ${last}`} cm, ${WEIGHT_BASES[basis]})`;
}

export const frenchSeries: Language['series'] = {
  duration: countedDuration,
  onlyMeasures: (name, measured, requested) =>
    `${name} ne mesure que ${MEASURE_LABELS[measured].withArticle} : c’est elle qui est donnée, et non ${MEASURE_LABELS[requested].withArticle}.`,
  noSensor: (name, measure) =>
    `${name} n’a pas de capteur ${MEASURE_LABELS[measure].withPartitive}.`,
  noDataEver: (name, measure) =>
    `${name} n’a jamais transmis de mesure ${MEASURE_LABELS[measure].withPartitive}.`,
  staleData: (name, measure, age, at) =>
    `Données anciennes : la dernière valeur ${MEASURE_LABELS[measure].withPartitive} ${withDe(name)} date ${withDe(at)}, il y a ${age}.`,
  noDataInPeriod: ({ name, measure, start, end, zone }) =>
    `Il n’y a pas de mesure ${MEASURE_LABELS[measure].withPartitive} ${withDe(name)} ${withDe(start)} ${withJusqua(end)} (${zone}).`,
  newestReading: (at) => `Sa dernière mesure date ${withDe(at)}.`,
  newestValue: ({ name, measure, depths, value, when }) => {
    const { what, unit, qualifier } = MEASURE_LABELS[measure];
    return `${what} ${withDe(name)}${depths === null ? '' : describeDepthRange(depths)} : ${value} ${unit}${qualifier} ${when}.`;
  },
  bucketMean: (start, lasting) =>
    `en moyenne${lasting === null ? '' : ` sur ${formatPeriod(lasting)}`} à partir ${withDe(start)}`,
  onlyPoint: 'C’est le seul point de la période.',
  trend: ({ measure, hasDailyPoints, first, min, max, direction, change, mean }) => {
    const { unit, changeUnits } = MEASURE_LABELS[measure];
    const by = `${frenchFormat.number(change)} ${changeUnits[change < 2 ? 0 : 1]}`;
    const trend =
      direction === 'level'
        ? `Comme ${first.at}`
        : `En ${direction === 'up' ? 'hausse' : 'baisse'} de ${by} depuis ${first.value} ${unit} ${first.at}`;
    if (mean === null)
      return `${trend} ; minimum ${min.value} ${unit} ${min.at}, maximum ${max.value} ${unit} ${max.at}.`;
    if (hasDailyPoints && mean.count === 1)
      return `${trend} ; plus basse moyenne d’une journée ${min.value} ${unit} ${min.at}, plus haute ${max.value} ${unit} ${max.at}.`;

    const over = `moyenne sur ${mean.count === 1 ? formatPeriod(mean) : countedDuration(mean)}`;
    return `${trend} ; plus basse ${over} ${min.value} ${unit} à partir ${withDe(min.at)}, plus haute ${max.value} ${unit} à partir ${withDe(max.at)}.`;
  },
  noneMissing: 'Aucune mesure ne manque',
  fewMissing: 'Moins de 1 % des mesures manquent',
  missingReadings: (percent) => `${percent} % des mesures manquent`,
  missingAndAge: (missing, age) => `${missing} ; la dernière remonte à ${age}`,
  silentDepths: (depths, weightPercent) =>
    `Aucune mesure à ${depths} : la valeur repose sur ${weightPercent} % du poids, à prendre avec prudence.`,
  unknownDepth: 'une profondeur inconnue',
  saturationShare: 'value_vwc_max est l’humidité en % de la saturation, pas un maximum.',
  differentDepths:
    'Le premier point et le dernier ne reposent pas sur les mêmes profondeurs : leur écart ne vient peut-être pas du sol.',
};

export const frenchDoubt: Language['doubt'] = {
  reading: (value, depth) => `${value} % à ${depth}`,
  value: {
    TOO_DRY_FOR_SOIL: (readings, limit) => `${readings}, où le sol garde au moins ${limit} %`,
    TOO_WET_FOR_SOIL: (readings, limit) => `${readings}, où le sol retient au plus ${limit} %`,
    SENSOR_STUCK: (readings, duration) => `exactement ${readings} depuis ${duration}`,
  },
  check: {
    TOO_DRY_FOR_SOIL: (values) =>
      `La sonde indique ${values} : vérifiez le capteur, son contact avec le sol et le profil de sol avant de vous y fier.`,
    TOO_WET_FOR_SOIL: (values) =>
      `La sonde indique ${values} : vérifiez le capteur, son câble et le profil de sol avant de vous y fier.`,
    SENSOR_STUCK: (values) =>
      `La sonde indique ${values} : vérifiez le capteur et son câble, et regardez le sol sur place avant de vous y fier.`,
  },
};
