import {
  CURVES,
  MEASUREMENT_TYPES,
  MEASUREMENTS,
  type MeasurementType,
} from '../../domain/moisture/measurement.ts';
import { recordOf } from '../../domain/records.ts';
import { alternatives } from '../../domain/strings.ts';
import { exact } from '../../domain/text/figures.ts';
import { counted, say, verbatim } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { outOfRangeCode } from '../../schema/ingest/rejection.ts';
import type { Language } from '../en/index.ts';
import { spanishFormat } from './grammar.ts';
import { spanishMeasurements, spanishMeasurementTexts } from './measurements.ts';

const TEXTS = spanishMeasurementTexts();

/** "tensión fuera del rango de -1500 a 1500 kPa" */
function describeRange(type: MeasurementType): Text {
  const { min, max } = MEASUREMENTS[type];
  return say`${TEXTS[type].outOfRange} de ${min} a ${exact(max, CURVES[type].symbol)}`;
}

export const spanishRejections: Language['rejections'] = {
  row_too_long: say`fila demasiado larga`,
  cell_too_long: say`una celda es demasiado larga`,
  unclosed_quote: say`comillas sin cerrar`,
  too_few_cells: say`menos celdas que la cabecera`,
  too_many_cells: say`más celdas que la cabecera (¿una coma decimal?)`,
  unknown_module: say`módulo desconocido`,
  several_modules: say`varios módulos tienen ese nombre`,
  no_such_sensor: say`el módulo no tiene ese sensor`,
  unknown_type: say`el tipo no es ${verbatim(alternatives(MEASUREMENT_TYPES, 'ni'))}`,
  invalid_depth: say`la profundidad no es un número de cm`,
  unknown_unit: say`la unidad no corresponde a ese tipo de medida`,
  no_time: say`faltan la fecha y la hora`,
  unreadable_time: say`fecha u hora ilegible (ISO 8601, por ejemplo 2026-07-01T06:00)`,
  serial_date: say`fecha en número de serie de una hoja de cálculo: dé a la columna formato de fecha y hora, y guárdela de nuevo`,
  time_before_1970: say`fecha anterior a 1970`,
  before_kept: say`anterior a las lecturas que se conservan una a una: solo quedan las sumas de su hora (acequia retain)`,
  time_ahead: say`fecha de más de un día en el futuro`,
  skipped_hour: say`hora local inexistente (cambio al horario de verano): indique el desfase u otro huso horario`,
  after_stop: say`después de la línea en la que se detuvo la importación`,
  no_value: say`falta el valor`,
  two_readings: say`el signo del valor puede separar decimales o miles: escriba igual todos los valores del archivo, sin miles`,
  infinite_value: say`valor infinito o indefinido`,
  not_a_number: say`el valor no es un número`,
  ...recordOf(MEASUREMENT_TYPES.map((type) => [outOfRangeCode(type), describeRange(type)])),
};

const NOUNS = MEASUREMENT_TYPES.map((type) => spanishMeasurements[type].noun);

export const spanishSkippedColumns: Language['skippedColumns'] = {
  unknown_column: 'no designa ningún sensor',
  other_measurement: `algo distinto de ${alternatives(NOUNS, 'o')} del suelo`,
  unknown_unit: 'su unidad no es una de las que se leen',
  no_depth: 'el archivo no indica la profundidad',
  other_time_column: 'otra columna da la hora',
  no_such_sensor: 'el módulo no tiene ese sensor',
};

const { groupedCount } = spanishFormat;

export const spanishImportReport: Language['importReport'] = {
  read: ({ file, rows, readings, sensors, span, isDryRun }) =>
    `${file}: ${groupedCount(rows, 'fila leída', 'filas leídas')}, ${isDryRun ? groupedCount(readings, 'lectura por guardar', 'lecturas por guardar') : groupedCount(readings, 'lectura guardada', 'lecturas guardadas')} de ${groupedCount(sensors, 'sensor', 'sensores')}${span === null ? '' : `, ${span}`}.`,
  span: (from, to, zone) => `del ${from} al ${to} (${zone})`,
  dryRun: 'aún no se ha guardado nada; las primeras filas, tal como se guardarían:',
  firstReading: ({ line, module, sensor, time, value }) =>
    `línea ${line}: ${module}, ${sensor}, ${time}: ${value}`,
  repeated: (readings) =>
    `${groupedCount(readings, 'lectura repetida', 'lecturas repetidas')}: de cada sensor e instante se guarda el último valor del archivo`,
  profile: (provider) => `leído como exportación de ${provider}`,
  missing: (readings) =>
    groupedCount(readings, 'medición fallida, descartada', 'mediciones fallidas, descartadas'),
  columns: (columns) => `columnas leídas: ${columns}`,
  column: (name, meaning, convertedFrom) =>
    `${name} como ${meaning}${convertedFrom === null ? '' : `, convertido de ${convertedFrom}`}`,
  meanings: {
    date: 'fecha',
    time: 'fecha y hora',
    time_of_day: 'hora',
    time_at_noon: 'fecha, a las 12:00',
    module: 'módulo',
    type: 'tipo',
    depth: 'profundidad',
    value: 'valor',
    unit: 'unidad',
  },
  dates: { dmy: 'fechas leídas como día/mes/año', mdy: 'fechas leídas como mes/día/año' },
  skipped: (count, why, names) =>
    `${groupedCount(count, 'columna sin leer', 'columnas sin leer')} (${why}): ${names}`,
  nearest: (name, nearest) => `${name} (la más parecida: ${nearest})`,
  rejected: (rows) =>
    `${groupedCount(rows, 'fila rechazada', 'filas rechazadas')}, en todo o en parte:`,
  saveRejects: 'para guardarlas: --rejects ARCHIVO',
  rejectsSaved: (file) => `guardadas en ${file}`,
  stopped:
    'detenido antes del final: las lecturas anteriores se conservan; importe de nuevo el archivo para el resto',
  clockStop: ({ line, time }, zone) =>
    `detenido en la línea ${line}: ${time} no existe en ${zone} (cambio al horario de verano), así que el reloj del archivo quizá sea el mismo todo el año. Las filas anteriores son correctas en ambos casos.`,
  goOnWithOffset: (offset, command) => `para continuar, si se queda en ${offset}: ${command}`,
  goOnAfterLine: (command) => `si solo esta línea está mal: ${command}`,
  failedHalfway:
    'Las lecturas ya guardadas permanecen; importe de nuevo el archivo para tener el resto.',
  either: (reason, one, other) => `¿${one} o ${other}? ${reason}`,
  inColumn: (column, reason) => `${column}: ${reason}`,
  reasons: (texts) => texts.join('; '),
  firstReject: (line, reasons, text) => `línea ${line}: ${reasons}: ${text}`,
};

export const spanishWeatherFile: Language['weatherFile'] = {
  read: (file, days, rejected) =>
    `${file}: ${groupedCount(days, 'día leído', 'días leídos')}, ${groupedCount(rejected, 'línea rechazada', 'líneas rechazadas')}${rejected === 0 ? '' : ', al menos en parte'}.`,
  rain: 'días de lluvia',
  weather: 'días de meteorología',
  outcomes: { added: 'añadidos', changed: 'cambiados', unchanged: 'sin cambios' },
  replaced: (days) =>
    `${groupedCount(days, 'día ya tenía', 'días ya tenían')} otra lluvia: el total del archivo la sustituye`,
  preferred: (days) =>
    `${groupedCount(days, 'día')} con lluvia que una persona introdujo después: se conserva esa entrada`,
  line: (line, reason) => `línea ${line}: ${reason}`,
  more: (lines) => `y ${lines} más`,
  impossible: (column, cell) => `${column} "${cell}" no es un valor posible`,
  tooManyCells:
    'más celdas que el encabezado: ponga las comas decimales entre comillas, o separe las columnas con puntos y comas',
  timeOfDay: 'tiene una hora: dé un solo total por día',
  unreadableDay: 'no se puede leer la fecha: escriba 2026-07-01, o diga el orden con --dates',
  futureDay: 'su día aún no ha llegado',
  dayTwice: (line) => `su día ya está en la línea ${line}: dé una sola fila por día`,
  noParcel: (name) => `ninguna parcela, o más de una, se llama "${name}"`,
  weatherOfParcel:
    'la meteorología es la de toda la finca: deje vacía la parcela, o importe solo su lluvia',
  faults: {
    temperature: say`la temperatura mínima es mayor que la máxima`,
    humidity: say`la humedad mínima es mayor que la máxima`,
    dewPoint: say`el punto de rocío es mayor que la temperatura máxima`,
  },
};

/** Nouns, which need not agree with what was imported. */
const OUTCOMES = {
  created: ['alta', 'altas'],
  added: ['alta', 'altas'],
  changed: ['cambio', 'cambios'],
  removed: ['baja', 'bajas'],
  unchanged: ['sin cambios', 'sin cambios'],
} as const;

export const spanishFarmReport: Language['farmReport'] = {
  company: (file, company, outcome) => `${file}: finca ${company}, ${OUTCOMES[outcome][0]}.`,
  kinds: {
    users: (count) => groupedCount(count, 'usuario', 'usuarios'),
    waterSources: (count) => groupedCount(count, 'fuente de agua', 'fuentes de agua'),
    parcels: (count) => groupedCount(count, 'parcela', 'parcelas'),
    gateways: (count) => groupedCount(count, 'pasarela', 'pasarelas'),
    modules: (count) => groupedCount(count, 'módulo', 'módulos'),
    sensors: (count) => groupedCount(count, 'sensor', 'sensores'),
    soilLayers: (count) => groupedCount(count, 'capa de suelo', 'capas de suelo'),
    installations: (count) => groupedCount(count, 'equipo', 'equipos'),
  },
  counts: (what, counts) => `${what}: ${counts.join(', ')}`,
  count: (count, outcome) => groupedCount(count, OUTCOMES[outcome][0], OUTCOMES[outcome][1]),
  module: (module, outcome) => `módulo ${module}, ${OUTCOMES[outcome][0]}`,
  moreModules: (count) => `y ${groupedCount(count, 'módulo más', 'módulos más')}`,
  completedDoses: (count) =>
    groupedCount(count, 'riego ha recibido su dosis', 'riegos han recibido su dosis'),
  plans: 'riegos previstos de los programas',
};

export const spanishZoneChange: Language['zoneChange'] = {
  schedules: (count, schedules) =>
    say`${counted(count, 'programa conserva su propio huso horario y prevé sus riegos', 'programas conservan su propio huso horario y prevén sus riegos')} en los mismos instantes que antes. En el nuevo huso de la finca: ${schedules}.`,
  schedule: (name, starts, zone) => say`${name}, ${starts} (conserva ${zone})`,
  reminders: (count, alerts) =>
    say`Los recordatorios diarios de ${counted(count, 'alerta')} siguen el nuevo huso horario: ${alerts}.`,
  others: (count) => say`y ${count} más`,
  separator: say`; `,
};
