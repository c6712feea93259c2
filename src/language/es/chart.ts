import type { Language } from '../en/index.ts';
import { spanishCount, spanishFormat } from './grammar.ts';
import { spanishAxes } from './measurements.ts';

export const spanishChartLabels: Language['chartLabels'] = {
  format: spanishFormat,
  measure: spanishAxes,
  fieldCapacity: ['Capacidad', 'de campo'],
  stress: ['Umbral de', 'estrés'],
  wilting: ['Punto de', 'marchitez'],
  stressAndAlert: ['Umbral de estrés', 'y alerta'],
  wiltingAndAlert: ['Marchitez', 'y alerta'],
  wetLevel: ['Nivel', 'húmedo'],
  dryLevel: ['Nivel', 'seco'],
  alert: ['Alerta', 'bajo'],
  comfort: 'confort',
  /** The period of one bar. */
  per: { watering: '', day: ' por día', week: ' por semana', month: ' por mes' },
  watering: (unit, per) => `riego, ${unit}${per} en toda la superficie`,
  rain: (unit, per) => `lluvia, ${unit}${per}`,
  planned: 'previsto',
  localTime: 'Hora local',
  now: 'ahora',
  noData: 'Ninguna lectura en este periodo',
  newest: 'último valor',
  neverSent: 'ninguna lectura hasta hoy',
  age: spanishFormat.duration,
  meanOver: (length) => `media de ${length}`,
};

export const spanishPictureLabels: Language['pictureLabels'] = {
  shortWatering: (unit) => `riego, ${unit}`,
  unknownDose: 'dosis desconocida',
  assumed: 'supuesto',
  parcel: (id) => `parcela ${id}`,
  newestReading: 'última lectura',
  last: 'al final',
  withAge: (age) => `hace ${age}`,
};

const times = (count: number): string => (count === 1 ? 'una vez' : `${count} veces`);

export const spanishPageChart: Language['pageChart'] = {
  spans: { day: '24 h', week: '7 d', month: '30 d', season: '90 d', year: '1 año' },
  spanGroup: 'Periodo',
  zoomIn: 'Acercar',
  zoomOut: 'Alejar',
  toNow: 'Volver a ahora',
  depths: 'Profundidades',
  chart: 'gráfico',
  help: 'Las flechas izquierda y derecha mueven el periodo, más y menos acercan o alejan, Mayús con una flecha lee los valores, Fin vuelve a ahora.',
  view: ({ measure, period, lowest, highest, last }) =>
    `${measure}, ${period}: de ${lowest} a ${highest}, ${last} al final.`,
  emptyView: (measure, period) => `${measure}, ${period}: ninguna lectura.`,
  waterings: (count, water) => `${spanishCount(count, 'riego')}, ${water}.`,
  rainSum: (water) => `Lluvia, ${water}.`,
  fired: (count) =>
    `La alerta ${count === 0 ? 'no se habría disparado' : `se habría disparado ${times(count)}`}.`,
  rainAt: (water) => `lluvia ${water}`,
  wateringAt: (water, isPlanned) => `${isPlanned ? 'riego previsto' : 'riego'} ${water}`,
  gap: 'sin lectura',
  episodes: 'avisaría',
  failed: 'No se ha podido actualizar el gráfico.',

  newAlert: 'Nueva alerta',
  lineAt: (line, value) => `${line}: ${value}`,
  suggested: 'aconsejado',
  atStressPoint: 'umbral de estrés',
  fromSoil: 'según el suelo',
  backtest: ({ times: count, isTruncated, timeBelow, period }) =>
    `En los últimos ${period} ${count === 0 ? 'no se habría disparado nunca' : `se habría disparado ${isTruncated ? `al menos ${count} veces` : times(count)}, ${timeBelow} por debajo`}.`,
  activeAlert: (count, value) =>
    count === 0 ? `La alerta al ${value}: nunca.` : `La alerta al ${value}: ${times(count)}.`,
  counting: 'Contando…',
  noCount: 'No se sabe cuántas veces se habría disparado.',
  movesAlert: 'Su alerta se mueve con ella.',
  createsAlert: 'Empieza una alerta a este nivel.',
  stressFollows: (value) => `Las plantas empiezan a sufrir al ${value}.`,
  noSuggestion: 'Aún hay pocos riegos a fondo para aconsejar una capacidad de campo.',
  save: 'Guardar',
  saved: (line, value) => `Guardado: ${line} ${value}`,
  expected: (value, isLimit) =>
    `En este suelo se esperaría ${isLimit ? 'como mucho' : 'cerca de'} ${value}.`,
  keep: 'Es correcto',
  restored: (line, value) => `Deshecho: ${line}${value === null ? '' : ` de nuevo en ${value}`}`,

  table: 'Valores en tabla',
  tableOf: (period) => `Valores, ${period}`,
  columns: (unit) => ['Desde', 'Media', 'Mínimo', 'Máximo', `Riego, ${unit}`, `Lluvia, ${unit}`],
  linesTable: 'Líneas',
  notes: 'Notas en la curva',
};
