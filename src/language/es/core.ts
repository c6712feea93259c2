import type { CorePhrases } from '../core-phrases.ts';
import type { ListPhrases } from '../list-phrases.ts';
import { atClock, spanishFormat } from './grammar.ts';

export const spanishCore: CorePhrases = {
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
  unnamedParcel: (id) => `parcela ${id}`,
  onlyProbe: (parcel, probe) => `${parcel} se ha entendido como su única sonda, ${probe}.`,
  incompleteAnswer: (places, more) => {
    const named = places.join(', ') + (more > 0 ? ` y ${more} más` : '');
    const where = named === '' ? '' : ` (${named})`;
    return `El servicio ha respondido, pero faltan datos para resumirlo en una frase${where}: lea la respuesta misma.`;
  },
  undeclaredZone: (zone) =>
    `La explotación no ha declarado ningún huso horario: las horas se leen y se dan según ${zone}. Declare el suyo como timezone en el archivo de la explotación.`,
  inGap: (text, clock) => `${text} no existe ese día, porque se adelantan los relojes: se ha tomado ${clock}.`,
  inFold: (text, clock) =>
    `${text} ocurre dos veces ese día, porque se atrasan los relojes: se ha tomado la primera, ${clock}.`,
};

export const spanishList: ListPhrases = {
  nextPage: 'Para seguir, pase next_cursor como cursor.',
  total: (count) => `${count} en total.`,
};
