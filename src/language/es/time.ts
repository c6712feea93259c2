import type { Language } from '../en/index.ts';
import { atClock, spanishFormat } from './grammar.ts';

export const spanishTime: Language['time'] = {
  nearDays: new Map([
    [-1, 'ayer'],
    [0, 'hoy'],
    [1, 'mañana'],
  ]),
  day: (day, month, year) =>
    `el ${day} de ${spanishFormat.months('long')[month - 1]}${year === null ? '' : ` de ${year}`}`,
  instant: (day, clock) => `${day} ${atClock(clock)}`,
  repeatedHour: ['horario de verano', 'horario de invierno'],
  withinDay: (day, from, to) => `${day} de ${from} a ${to}`,
  acrossDays: (from, to) => `desde ${from} hasta ${to}`,
  lessThanADay: 'menos de un día',
  aboutDays: (days) => (days === 1 ? 'alrededor de un día' : `unos ${days} días`),
  moreThanTwoWeeks: 'más de dos semanas',
  range: (from, to) => `${from} a ${to}`,
};
