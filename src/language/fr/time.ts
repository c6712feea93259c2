import type { Language } from '../en/index.ts';
import { frenchFormat, withDe, withJusqua } from './grammar.ts';

export const frenchTime: Language['time'] = {
  nearDays: new Map([
    [-1, 'hier'],
    [0, 'aujourd’hui'],
    [1, 'demain'],
  ]),
  day: (day, month, year) =>
    `le ${day === 1 ? '1er' : day} ${frenchFormat.months('long')[month - 1]}${year === null ? '' : ` ${year}`}`,
  instant: (day, clock) => `${day} à ${clock}`,
  repeatedHour: ['heure d’été', 'heure d’hiver'],
  withinDay: (day, from, to) => `${day} de ${from} à ${to}`,
  acrossDays: (from, to) => `${withDe(from)} ${withJusqua(to)}`,
  lessThanADay: 'moins d’un jour',
  aboutDays: (days) => (days === 1 ? 'environ un jour' : `environ ${days} jours`),
  moreThanTwoWeeks: 'plus de deux semaines',
  range: (from, to) => `${from} à ${to}`,
};
