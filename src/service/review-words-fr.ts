import { frenchCount, withDe, withJusqua } from '../domain/french.ts';
import type { UnloggedRiseBody } from '../schema/advice.ts';
import type { ResponseKind, ReviewPhrases, UnloggedRiseFacts } from './review-words.ts';
import { joinList } from './say-lists.ts';

/** Of one and of several. */
const RESPONSE_TEXTS: Record<ResponseKind, readonly [string, string]> = {
  reached: ['a atteint la zone racinaire', 'ont atteint la zone racinaire'],
  below_roots: ['est passé sous les racines', 'sont passés sous les racines'],
  no_response: ['est resté sans effet', 'sont restés sans effet'],
  too_early: ['est trop récent pour se voir', 'sont trop récents pour se voir'],
  no_data: ['est sans données', 'sont sans données'],
};

const LIKELY_SOURCES: Record<UnloggedRiseBody['likely'], string> = {
  watering: 'plutôt un arrosage que de la pluie',
  rain: 'plutôt de la pluie',
  unknown: 'arrosage ou pluie, rien ne permet de trancher',
};

function describeRiseAmount({ amount, likely }: UnloggedRiseFacts): string {
  if (amount === null) return '';
  const text = `, environ ${amount.mm} mm ${amount.isOverall ? 'sur toute la surface' : 'dans le sol humecté'}`;
  return amount.isOverall && likely === 'unknown' ? `${text} si c’était un arrosage` : text;
}

export const frenchReview: ReviewPhrases = {
  period: (start, end, zone) => `${withDe(start)} ${withJusqua(end)} (${zone})`,
  noWaterings: (name, period) => `Aucun arrosage n’est enregistré comme réalisé sur ${name} ${period}.`,
  totals: (name, period, total, counts) => {
    const parts = counts.map(([response, amount]) => `${amount} ${RESPONSE_TEXTS[response][amount < 2 ? 0 : 1]}`);
    return `${frenchCount(total, 'arrosage')} sur ${name} ${period} : ${joinList(parts, 'fr')}.`;
  },
  judgedTogether: (ids) => `Jugés ensemble, car séparés de 3 heures au plus : ${joinList(ids, 'fr')}.`,
  checkRan: (ids) =>
    ids.length < 2
      ? `Vérifiez si l’arrosage ${joinList(ids, 'fr')} a eu lieu et a atteint la sonde (aucun effet).`
      : `Vérifiez si les arrosages ${joinList(ids, 'fr')} ont eu lieu et ont atteint la sonde (aucun effet).`,
  lostBelow: (ids) =>
    `De l’eau ${ids.length < 2 ? 'de l’arrosage' : 'des arrosages'} ${joinList(ids, 'fr')} s’est perdue sous les racines : donnez-en moins à la fois.`,
  newestResponse: ({ at, deepestCm, gainedMm, appliedMm }) => {
    const gained = gainedMm === null ? '' : `, et le sol a gagné ${gainedMm} mm`;
    const against = gainedMm === null || appliedMm === null ? '' : ` sur ${appliedMm} mm dans la zone humectée`;
    return `Le plus récent qui se voit, ${at} : jusqu’à ${deepestCm} cm${gained}${against}.`;
  },
  unloggedRises: (rises, rise) => {
    const { at, likely, plannedEventId } = rise;
    const planned =
      plannedEventId === null
        ? ''
        : ` L’arrosage ${plannedEventId} était prévu à ce moment : s’il a eu lieu, confirmez-le avec correct_watering.`;
    return `${frenchCount(rises, 'hausse')} que personne n’a ${rises < 2 ? 'notée' : 'notées'} ; la plus récente ${at}${describeRiseAmount(rise)}, ${LIKELY_SOURCES[likely]}.${planned} La pluie n’est pas mesurée, donc demandez avant d’enregistrer un arrosage.`;
  },
  omitted: (waterings, rises) => {
    const omitted = [
      ...(waterings === 0 ? [] : [frenchCount(waterings, 'arrosage plus ancien', 'arrosages plus anciens')]),
      ...(rises === 0 ? [] : [frenchCount(rises, 'hausse plus ancienne', 'hausses plus anciennes')]),
    ];
    return `Sans compter ${omitted.join(' et ')} : donnez un limit plus grand ou un end plus ancien.`;
  },
  noSoilMoisture: 'Aucune humidité du sol n’y est mesurée, donc rien ne montre ce qu’un arrosage a fait.',
};
