import { frenchCount, withJusqua as untilDay, withDe } from '../domain/french.ts';
import { frenchCore } from '../operation/saying-words-fr.ts';
import { joinList } from './say-lists.ts';
import type { CalendarDay, SchedulePhrases } from './schedule-words.ts';

const WEEKDAYS = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'];

const formatScheduleDay = ({ day, month, year }: CalendarDay): string => frenchCore.day(day, month, year);

export const frenchSchedule: SchedulePhrases = {
  everyDays: (days) => (days === 1 ? 'chaque jour' : days === 2 ? 'un jour sur deux' : `tous les ${days} jours`),
  weekly: (weekdays) =>
    `chaque ${joinList(
      weekdays.map((day) => WEEKDAYS[day - 1]!),
      'fr',
    )}`,
  schedule: ({ id, target, frequency, times, zone, amount, isActive }, from, until, countsByItself) =>
    `La programmation ${id} ${isActive ? 'arrose' : 'est arrêtée ; elle arroserait'} ${target} ${frequency} à ${times} (${zone}), ${amount} à chaque fois, à partir ${withDe(formatScheduleDay(from))}${until === null ? '' : ` ${untilDay(formatScheduleDay(until))}`} ; les arrosages passés ${countsByItself ? 'comptent d’eux-mêmes comme réalisés' : 'attendent d’être confirmés'}.`,
  row: ({ id, target, frequency, times, zone, amount, isActive }) =>
    `#${id} ${target} ${frequency} à ${times}${zone === null ? '' : ` (${zone})`}, ${amount}${isActive ? '' : ' (arrêtée)'}`,
  noMatch: 'Aucune programmation ne correspond.',
  page: (rows, zone) => `Programmations${zone === null ? '' : ` (${zone})`} : ${rows.join(' ; ')}.`,
  nothingPlanned: 'Rien n’est prévu dans les 90 prochains jours.',
  planned: (planned, next) =>
    `${frenchCount(planned, 'arrosage prévu', 'arrosages prévus')} dans les 90 prochains jours, le prochain ${next}.`,
  withoutDose: (missing) =>
    `${missing} d’entre eux ${missing < 2 ? 'n’a' : 'n’ont'} pas encore de dose : get_irrigation_setup de la sonde dit ce qui manque à son équipement.`,
  changes: ({ moved, from, to, updated, added, removed, keptManual }) => {
    const how = from === '' ? '' : ` de ${from} à ${to}`;
    const done = [
      ...(moved > 0 ? [`${frenchCount(moved, 'arrosage à venir déplacé', 'arrosages à venir déplacés')}${how}`] : []),
      ...(updated > 0
        ? [
            `${frenchCount(updated, 'arrosage à venir prend', 'arrosages à venir prennent')} la nouvelle quantité ou la nouvelle dose`,
          ]
        : []),
      ...(added > 0 ? [frenchCount(added, 'ajouté')] : []),
      ...(removed > 0 ? [frenchCount(removed, 'supprimé')] : []),
    ];
    const alone =
      keptManual > 0
        ? [frenchCount(keptManual, 'corrigé à la main et laissé tel quel', 'corrigés à la main et laissés tels quels')]
        : [];
    return `${[...(done.length === 0 ? ['Aucun arrosage à venir n’a changé'] : done), ...alone].join(', ')}.`;
  },
  stillWatersToday: (times) =>
    `Elle arrose encore aujourd’hui à ${times} ; s’il ne le faut pas, annulez cet arrosage avec correct_watering.`,
  removedToday: (times) => `L’arrosage d’aujourd’hui à ${times} disparaît avec ce changement.`,
  duplicate: (id) =>
    `La programmation ${id} arrose au même endroit à la même heure : si c’est le même plan, arrêtez-en une avec update_schedule et isActive false.`,
  differentAreas:
    'Les sondes de la parcelle ont des surfaces irriguées différentes : le même volume donne à chacune sa propre dose, et ne compte qu’une fois pour la parcelle.',
};
