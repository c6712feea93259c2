import type { Language } from '../en/index.ts';
import { spanishFormat } from './grammar.ts';

const { groupedCount } = spanishFormat;

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
    temperature: 'la temperatura mínima es mayor que la máxima',
    humidity: 'la humedad mínima es mayor que la máxima',
    dewPoint: 'el punto de rocío es mayor que la temperatura máxima',
  },
};
