import type { Measure } from '../../domain/moisture/series.ts';
import { capitalize } from '../../domain/text.ts';
import type { Language } from '../en/index.ts';
import type { DepthRange, MeasureLabels, RoundedDuration } from '../en/moisture.ts';
import { spanishCount, spanishFormat, spanishNoun, withDel } from './grammar.ts';

const PERCENT_POINTS = ['punto', 'puntos'] as const;

const MEASURE_LABELS: Record<Measure, MeasureLabels> = {
  moisture: { what: 'humedad', unit: '%', qualifier: ' en volumen', changeUnits: PERCENT_POINTS },
  air_humidity: { what: 'humedad del aire', unit: '%', qualifier: '', changeUnits: PERCENT_POINTS },
  temperature: { what: 'temperatura', unit: '°C', qualifier: '', changeUnits: ['°C', '°C'] },
  tension: { what: 'tensión', unit: 'kPa', qualifier: '', changeUnits: ['kPa', 'kPa'] },
};

const WEIGHT_BASES: Record<DepthRange['basis'], string> = {
  depth_weights: 'con los pesos de la sonda',
  root_uptake: 'ponderada por la absorción de las raíces',
  equal: 'todas las profundidades por igual',
};

const UNIT_NAMES: Record<RoundedDuration['unit'], string> = {
  day: 'día',
  hour: 'hora',
  minute: 'minuto',
  second: 'segundo',
};
const PERIODS: Record<RoundedDuration['unit'], string> = {
  day: 'el día',
  hour: 'la hora',
  minute: 'el minuto',
  second: 'el segundo',
};

const countedDuration = ({ count, unit }: RoundedDuration): string =>
  spanishCount(count, UNIT_NAMES[unit]);

function formatPeriod(duration: RoundedDuration): string {
  if (duration.count === 1) return PERIODS[duration.unit];
  return `${duration.unit === 'hour' ? 'las' : 'los'} ${countedDuration(duration)}`;
}

function describeDepthRange({ first, last, count, basis }: DepthRange): string {
  if (count === 1) return ` a ${first} cm`;
  return ` (${count === 2 ? `${first} y ${last}` : `de ${first} a ${last}`} cm, ${WEIGHT_BASES[basis]})`;
}

export const spanishSeries: Language['series'] = {
  duration: countedDuration,
  onlyMeasures: (name, measured, requested) =>
    `${name} solo mide la ${MEASURE_LABELS[measured].what}: es lo que se da, y no la ${MEASURE_LABELS[requested].what}.`,
  noSensor: (name, measure) => `${name} no tiene sensor de ${MEASURE_LABELS[measure].what}.`,
  noDataEver: (name, measure) =>
    `${name} nunca ha transmitido ninguna medida de ${MEASURE_LABELS[measure].what}.`,
  staleData: (name, measure, age, at) =>
    `Datos antiguos: la última medida de ${MEASURE_LABELS[measure].what} de ${name} es ${withDel(at)}, hace ${age}.`,
  noDataInPeriod: ({ name, measure, start, end, zone }) =>
    `No hay medidas de ${MEASURE_LABELS[measure].what} de ${name} desde ${start} hasta ${end} (${zone}).`,
  newestReading: (at) => `Su última medida es ${withDel(at)}.`,
  newestValue: ({ name, measure, depths, value, when }) => {
    const { what, unit, qualifier } = MEASURE_LABELS[measure];
    return `${capitalize(what)} de ${name}${depths === null ? '' : describeDepthRange(depths)}: ${value} ${unit}${qualifier} ${when}.`;
  },
  bucketMean: (start, lasting) =>
    `de media${lasting === null ? '' : ` en ${formatPeriod(lasting)}`} a partir ${withDel(start)}`,
  onlyPoint: 'Es el único punto del periodo.',
  trend: ({ measure, hasDailyPoints, first, min, max, direction, change, mean }) => {
    const { unit, changeUnits } = MEASURE_LABELS[measure];
    const by = `${spanishFormat.number(change)} ${spanishNoun(change, ...changeUnits)}`;
    const trend =
      direction === 'level'
        ? `Igual que ${first.at}`
        : `${direction === 'up' ? 'Ha subido' : 'Ha bajado'} ${by} desde ${first.value} ${unit} ${first.at}`;
    if (mean === null)
      return `${trend}; mínimo ${min.value} ${unit} ${min.at}, máximo ${max.value} ${unit} ${max.at}.`;

    const over = `media de ${mean.count === 1 ? `un${mean.unit === 'hour' ? 'a' : ''} ${UNIT_NAMES[mean.unit]}` : countedDuration(mean)}`;
    if (hasDailyPoints && mean.count === 1)
      return `${trend}; ${over} más baja ${min.value} ${unit} ${min.at}, más alta ${max.value} ${unit} ${max.at}.`;

    return `${trend}; ${over} más baja ${min.value} ${unit} a partir ${withDel(min.at)}, más alta ${max.value} ${unit} a partir ${withDel(max.at)}.`;
  },
  noneMissing: 'No falta ninguna medida',
  fewMissing: 'Falta menos del 1 % de las medidas',
  missingReadings: (percent) => `Falta el ${percent} % de las medidas`,
  missingAndAge: (missing, age) => `${missing}; la última es de hace ${age}`,
  silentDepths: (depths, weightPercent) =>
    `Nada a ${depths}: la cifra se apoya en el ${weightPercent} % del peso, tómela con cautela.`,
  unknownDepth: 'una profundidad desconocida',
  saturationShare: 'value_vwc_max es la humedad en % de la saturación, no un máximo.',
  differentDepths:
    'El primer punto y el último no se apoyan en las mismas profundidades, así que su diferencia puede no venir del suelo.',
};

export const spanishDoubt: Language['doubt'] = {
  reading: (value, depth) => `${value} % a ${depth}`,
  value: {
    TOO_DRY_FOR_SOIL: (readings, limit) =>
      `${readings}, donde el suelo conserva al menos un ${limit} %`,
    TOO_WET_FOR_SOIL: (readings, limit) =>
      `${readings}, donde el suelo retiene como mucho un ${limit} %`,
    SENSOR_STUCK: (readings, duration) => `exactamente ${readings} desde hace ${duration}`,
  },
  check: {
    TOO_DRY_FOR_SOIL: (values) =>
      `La sonda marca ${values}: revise el sensor, su contacto con el suelo y el perfil del suelo antes de fiarse.`,
    TOO_WET_FOR_SOIL: (values) =>
      `La sonda marca ${values}: revise el sensor, su cable y el perfil del suelo antes de fiarse.`,
    SENSOR_STUCK: (values) =>
      `La sonda marca ${values}: revise el sensor y su cable, y mire el suelo en el campo antes de fiarse.`,
  },
};
