import { counted, of, until } from '../domain/french.ts';
import type { UnloggedRiseBody } from '../schema/advice.ts';
import type { ReviewWords, SaidResponse, SaidRise } from './review-words.ts';
import { joined } from './say-lists.ts';

/** Of one and of several. */
const RESPONSES: Record<SaidResponse, readonly [string, string]> = {
  reached: ['a atteint la zone racinaire', 'ont atteint la zone racinaire'],
  below_roots: ['est passé sous les racines', 'sont passés sous les racines'],
  no_response: ['est resté sans effet', 'sont restés sans effet'],
  too_early: ['est trop récent pour se voir', 'sont trop récents pour se voir'],
  no_data: ['est sans données', 'sont sans données'],
};

const LIKELY: Record<UnloggedRiseBody['likely'], string> = {
  watering: 'plutôt un arrosage que de la pluie',
  rain: 'plutôt de la pluie',
  unknown: 'arrosage ou pluie, rien ne permet de trancher',
};

function sayAmount({ amount, likely }: SaidRise): string {
  if (amount === null) return '';
  const said = `, environ ${amount.mm} mm ${amount.isOverall ? 'sur toute la surface' : 'dans le sol humecté'}`;
  return amount.isOverall && likely === 'unknown' ? `${said} si c’était un arrosage` : said;
}

export const frenchReviews: ReviewWords = {
  period: (start, end, zone) => `${of(start)} ${until(end)} (${zone})`,
  none: (name, period) => `Aucun arrosage n’est enregistré comme réalisé sur ${name} ${period}.`,
  sum: (name, period, total, counts) => {
    const said = counts.map(([response, amount]) => `${amount} ${RESPONSES[response][amount < 2 ? 0 : 1]}`);
    return `${counted(total, 'arrosage')} sur ${name} ${period} : ${joined(said, 'fr')}.`;
  },
  pulses: (ids) => `Jugés ensemble, car séparés de 3 heures au plus : ${joined(ids, 'fr')}.`,
  checkRan: (ids) =>
    ids.length < 2
      ? `Vérifiez si l’arrosage ${joined(ids, 'fr')} a eu lieu et a atteint la sonde (aucun effet).`
      : `Vérifiez si les arrosages ${joined(ids, 'fr')} ont eu lieu et ont atteint la sonde (aucun effet).`,
  lostBelow: (ids) =>
    `De l’eau ${ids.length < 2 ? 'de l’arrosage' : 'des arrosages'} ${joined(ids, 'fr')} s’est perdue sous les racines : donnez-en moins à la fois.`,
  newest: ({ at, deepestCm, gainedMm, givenMm }) => {
    const gained = gainedMm === null ? '' : `, et le sol a gagné ${gainedMm} mm`;
    const against = gainedMm === null || givenMm === null ? '' : ` sur ${givenMm} mm dans la zone humectée`;
    return `Le plus récent qui se voit, ${at} : jusqu’à ${deepestCm} cm${gained}${against}.`;
  },
  unlogged: (rises, said) => {
    const { at, likely, plannedEventId } = said;
    const planned =
      plannedEventId === null
        ? ''
        : ` L’arrosage ${plannedEventId} était prévu à ce moment : s’il a eu lieu, confirmez-le avec correct_watering.`;
    return `${counted(rises, 'hausse')} que personne n’a ${rises < 2 ? 'notée' : 'notées'} ; la plus récente ${at}${sayAmount(said)}, ${LIKELY[likely]}.${planned} La pluie n’est pas mesurée, donc demandez avant d’enregistrer un arrosage.`;
  },
  leftOut: (waterings, rises) => {
    const left = [
      ...(waterings === 0 ? [] : [counted(waterings, 'arrosage plus ancien', 'arrosages plus anciens')]),
      ...(rises === 0 ? [] : [counted(rises, 'hausse plus ancienne', 'hausses plus anciennes')]),
    ];
    return `Sans compter ${left.join(' et ')} : donnez un limit plus grand ou un end plus ancien.`;
  },
  noSoilMoisture: 'Aucune humidité du sol n’y est mesurée, donc rien ne montre ce qu’un arrosage a fait.',
};
