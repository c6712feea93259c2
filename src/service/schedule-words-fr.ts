import { counted, of, until as untilDay } from '../domain/french.ts';
import { french } from '../operation/saying-words-fr.ts';
import { joined } from './say-lists.ts';
import type { SaidDay, ScheduleWords } from './schedule-words.ts';

const DAYS = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'];

const sayDay = ({ day, month, year }: SaidDay): string => french.day(day, month, year);

export const frenchSchedules: ScheduleWords = {
  everyDays: (days) => (days === 1 ? 'chaque jour' : days === 2 ? 'un jour sur deux' : `tous les ${days} jours`),
  weekly: (weekdays) =>
    `chaque ${joined(
      weekdays.map((day) => DAYS[day - 1]!),
      'fr',
    )}`,
  whole: ({ id, target, rhythm, times, zone, given, isActive }, from, until, countsByItself) =>
    `La programmation ${id} ${isActive ? 'arrose' : 'est arrêtée ; elle arroserait'} ${target} ${rhythm} à ${times} (${zone}), ${given} à chaque fois, à partir ${of(sayDay(from))}${until === null ? '' : ` ${untilDay(sayDay(until))}`} ; les arrosages passés ${countsByItself ? 'comptent d’eux-mêmes comme réalisés' : 'attendent d’être confirmés'}.`,
  row: ({ id, target, rhythm, times, zone, given, isActive }) =>
    `#${id} ${target} ${rhythm} à ${times}${zone === null ? '' : ` (${zone})`}, ${given}${isActive ? '' : ' (arrêtée)'}`,
  noneMatches: 'Aucune programmation ne correspond.',
  page: (rows, zone) => `Programmations${zone === null ? '' : ` (${zone})`} : ${rows.join(' ; ')}.`,
  nothingPlanned: 'Rien n’est prévu dans les 90 prochains jours.',
  planned: (planned, next) =>
    `${counted(planned, 'arrosage prévu', 'arrosages prévus')} dans les 90 prochains jours, le prochain ${next}.`,
  withoutDose: (missing) =>
    `${missing} d’entre eux ${missing < 2 ? 'n’a' : 'n’ont'} pas encore de dose : get_irrigation_setup de la sonde dit ce qui manque à son équipement.`,
  changed: ({ moved, from, to, renewed, added, removed, left }) => {
    const how = from === '' ? '' : ` de ${from} à ${to}`;
    const done = [
      ...(moved > 0 ? [`${counted(moved, 'arrosage à venir déplacé', 'arrosages à venir déplacés')}${how}`] : []),
      ...(renewed > 0
        ? [
            `${counted(renewed, 'arrosage à venir prend', 'arrosages à venir prennent')} la nouvelle quantité ou la nouvelle dose`,
          ]
        : []),
      ...(added > 0 ? [counted(added, 'ajouté')] : []),
      ...(removed > 0 ? [counted(removed, 'supprimé')] : []),
    ];
    const alone =
      left > 0
        ? [counted(left, 'corrigé à la main et laissé tel quel', 'corrigés à la main et laissés tels quels')]
        : [];
    return `${[...(done.length === 0 ? ['Aucun arrosage à venir n’a changé'] : done), ...alone].join(', ')}.`;
  },
  stillToday: (times) =>
    `Elle arrose encore aujourd’hui à ${times} ; s’il ne le faut pas, annulez cet arrosage avec correct_watering.`,
  goneToday: (times) => `L’arrosage d’aujourd’hui à ${times} disparaît avec ce changement.`,
  twin: (id) =>
    `La programmation ${id} arrose au même endroit à la même heure : si c’est le même plan, arrêtez-en une avec update_schedule et isActive false.`,
  differentAreas:
    'Les sondes de la parcelle ont des surfaces irriguées différentes : le même volume donne à chacune sa propre dose, et ne compte qu’une fois pour la parcelle.',
};
