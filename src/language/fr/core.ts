import type { Language } from '../en/index.ts';
import { frenchCount, frenchFormat, withDe, withJusqua } from './grammar.ts';

export const frenchCore: Language['core'] = {
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
  lessThanADay: 'moins d’un jour',
  aboutDays: (days) => (days === 1 ? 'environ un jour' : `environ ${days} jours`),
  moreThanTwoWeeks: 'plus de deux semaines',
  range: (from, to) => `${from} à ${to}`,
  unnamedParcel: (id) => `parcelle ${id}`,
  onlyProbe: (parcel, probe) =>
    `${parcel} n’a qu’une sonde, ${probe} : c’est elle qui a été retenue.`,
  understoodName: (text, name) => `${text} a été compris comme ${name}.`,
  skippedTime: (text, clock) =>
    `${text} n’existe pas, car on passe à l’heure d’été : ${clock} a été retenu.`,
  repeatedTime: (text, clock) =>
    `${text} existe deux fois ce jour-là, car on passe à l’heure d’hiver : la première a été retenue, ${clock}.`,
  incompleteAnswer: (paths, more) => {
    const fields = paths.join(', ') + (more > 0 ? ` et ${frenchCount(more, 'autre')}` : '');
    return `Le service a répondu, mais il manque des champs nécessaires au résumé${fields === '' ? '' : ` (${fields})`} : lisez le résultat structuré.`;
  },
  undeclaredZone: (zone) =>
    `L’exploitation n’a pas de fuseau horaire : les heures sont celles de ${zone}. Indiquez timezone avec set_company.`,
};

export const frenchList: Language['list'] = {
  nextPage: 'Il y en a d’autres : passez next_cursor comme cursor.',
  total: (count) => `${count} en tout.`,
};

export const frenchQuestions: Language['questions'] = {
  flowRate: ({ name, isOfParcel }) =>
    `L’arrosage sur ${name} est noté. Il manque sa dose en mm, car l’équipement${isOfParcel ? ' de la parcelle' : ''} n’a pas de débit. ` +
    'Combien de mm d’eau par heure donne-t-il, sur toute la surface ? 1 mm/h, c’est 1 litre par heure et par m2.',
  yes: 'Oui',
  flowRateTitle: 'Débit, mm/h',
  flowRateGiven: (flow) => `Le débit a été donné : ${flow} mm/h.`,
  flowRateNotEntered: (flow, reason) =>
    `Le débit a été donné, ${flow} mm/h, mais n’a pas été noté : ${reason}`,
  otherFlowRate: (flow) =>
    `l’équipement a maintenant un débit de ${flow} mm/h. Pour le changer, utilisez correct_installation.`,
  changedSinceQuestion: 'l’arrosage ou son équipement a été modifié après la question.',
  answeredBefore:
    'Cet appel a déjà été exécuté, avec la première réponse ; rien n’a changé cette fois.',
  whichOne: (text) => `${text} peut désigner plusieurs choses. Laquelle est-ce ?`,
  wholeParcel: (parcel) => `toute la parcelle ${parcel}`,
};
