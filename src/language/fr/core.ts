import type { CorePhrases } from '../core-phrases.ts';
import type { ListPhrases } from '../list-phrases.ts';
import { frenchFormat, withDe, withJusqua } from './grammar.ts';

export const frenchCore: CorePhrases = {
  nearDays: new Map([
    [-1, 'hier'],
    [0, 'aujourd’hui'],
    [1, 'demain'],
  ]),
  day: (day, month, year) =>
    `le ${day === 1 ? '1er' : day} ${frenchFormat.months('long')[month - 1]}${year === null ? '' : ` ${year}`}`,
  instant: (day, clock) => `${day} à ${clock}`,
  withinDay: (day, from, to) => `${day} de ${from} à ${to}`,
  acrossDays: (from, to) => `${withDe(from)} ${withJusqua(to)}`,
  unnamedParcel: (id) => `parcelle ${id}`,
  onlyProbe: (parcel, probe) => `${parcel} a été pris pour sa seule sonde, ${probe}.`,
  incompleteAnswer: (places, more) => {
    const named = places.join(', ') + (more > 0 ? ` et ${more} ${more < 2 ? 'autre' : 'autres'}` : '');
    const where = named === '' ? '' : ` (${named})`;
    return `Le service a répondu, mais il manque de quoi en faire une phrase${where} : lisez la réponse elle-même.`;
  },
  undeclaredZone: (zone) =>
    `L’exploitation n’a déclaré aucun fuseau horaire : les heures sont dites et lues selon ${zone}. Déclarez le sien comme timezone dans le fichier de l’exploitation.`,
  inGap: (text, clock) => `${text} n’existe pas ce jour-là, car on avance les horloges : l’heure retenue est ${clock}.`,
  inFold: (text, clock) =>
    `${text} existe deux fois ce jour-là, car on recule les horloges : la première a été retenue, ${clock}.`,
};

export const frenchList: ListPhrases = {
  nextPage: 'La suite : passez next_cursor comme cursor.',
  total: (count) => `${count} en tout.`,
};
