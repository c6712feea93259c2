import type { Language } from '../en/index.ts';
import { atClock, spanishFormat } from './grammar.ts';

export const spanishCore: Language['core'] = {
  nearDays: new Map([
    [-1, 'ayer'],
    [0, 'hoy'],
    [1, 'mañana'],
  ]),
  day: (day, month, year) =>
    `el ${day} de ${spanishFormat.months('long')[month - 1]}${year === null ? '' : ` de ${year}`}`,
  instant: (day, clock) => `${day} ${atClock(clock)}`,
  withinDay: (day, from, to) => `${day} de ${from} a ${to}`,
  acrossDays: (from, to) => `desde ${from} hasta ${to}`,
  lessThanADay: 'menos de un día',
  aboutDays: (days) => (days === 1 ? 'alrededor de un día' : `unos ${days} días`),
  moreThanTwoWeeks: 'más de dos semanas',
  range: (from, to) => `${from} a ${to}`,
  unnamedParcel: (id) => `parcela ${id}`,
  onlyProbe: (parcel, probe) =>
    `${parcel} tiene una sola sonda, ${probe}, y es la que se ha usado.`,
  understoodName: (text, name) => `${text} se ha entendido como ${name}.`,
  incompleteAnswer: (paths, more) => {
    const list = paths.join(', ') + (more > 0 ? ` y ${more} más` : '');
    const where = list === '' ? '' : ` (${list})`;
    return `El servicio ha respondido, pero faltan datos para resumirlo en una frase${where}: lea el resultado estructurado.`;
  },
  undeclaredZone: (zone) =>
    `La explotación no tiene huso horario: las horas son las de ${zone}. Indique timezone con set_company.`,
  skippedTime: (text, clock) =>
    `${text} no existe ese día, porque se adelantan los relojes: se ha tomado ${clock}.`,
  repeatedTime: (text, clock) =>
    `${text} ocurre dos veces ese día, porque se atrasan los relojes: se ha tomado la primera, ${clock}.`,
};

export const spanishList: Language['list'] = {
  nextPage: 'Para seguir, pase next_cursor como cursor.',
  total: (count) => `${count} en total.`,
};

export const spanishQuestions: Language['questions'] = {
  flowRate: ({ name, isOfParcel }) =>
    `El riego de ${name} está registrado. Falta su dosis en mm, porque el equipo${isOfParcel ? ' de la parcela' : ''} no tiene caudal. ` +
    '¿Cuántos mm de agua por hora da, sobre toda la superficie? 1 mm/h es 1 litro por hora y por m2.',
  yes: 'Sí',
  flowRateTitle: 'Caudal, mm/h',
  flowRateGiven: (flow) => `El usuario ha dado el caudal: ${flow} mm/h.`,
  flowRateNotEntered: (flow, reason) =>
    `El usuario ha dado el caudal, ${flow} mm/h, pero no se ha registrado: ${reason}`,
  otherFlowRate: (flow) =>
    `el equipo ya tiene un caudal de ${flow} mm/h. Para cambiarlo, use correct_installation.`,
  changedSinceQuestion: 'el riego o su equipo se modificó después de la pregunta.',
  answeredBefore:
    'Esta llamada ya se hizo antes, con la primera respuesta; ahora no ha cambiado nada.',
  whichOne: (text) => `${text} puede designar varias cosas. ¿Cuál es?`,
  wholeParcel: (parcel) => `toda la parcela ${parcel}`,
};
