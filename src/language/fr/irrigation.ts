import type { ReviewedWateringBody } from '../../schema/advice/advice.ts';
import type { WateringStatus } from '../../schema/irrigation/watering.ts';
import type { Language } from '../en/index.ts';
import { frenchCount, frenchNoun, withDe, withJusqua } from './grammar.ts';

const SYSTEM_NAMES: Record<string, string> = {
  drip: 'goutte-à-goutte',
  micro_sprinkler: 'micro-aspersion',
  sprinkler: 'aspersion',
  pivot: 'pivot',
  gravity: 'irrigation gravitaire',
  manual: 'arrosage manuel',
  other: 'un autre équipement',
};

const STATUS_NAMES: Record<WateringStatus, string> = {
  done: 'réalisé',
  planned: 'prévu',
  skipped: 'annulé',
};
const MISSING_DOSE_REASONS: Record<string, string> = {
  NO_INSTALLATION: 'sans installation à cette date',
  MISSING_FLOW_RATE: 'faute de débit',
  MISSING_IRRIGATED_AREA: 'faute de surface irriguée',
};

export const frenchWatering: Language['watering'] = {
  amountOfSystem: (amount, system) => (system === null ? amount : `${amount} ${withDe(system)}`),
  system: (code) => SYSTEM_NAMES[code] ?? code,
  noDose: 'pas encore de dose',
  dose: (total, wetted) =>
    `${total} mm sur toute la surface${wetted === null ? '' : `, ${wetted} mm dans la zone humectée`}`,
  preview: (dose: string) => `Rien n’est encore enregistré ; ce serait ${dose}.`,
  logged: {
    done: 'Arrosage enregistré :',
    planned: 'Arrosage prévu :',
    skipped: 'Arrosage noté comme annulé :',
  },
  corrected: (status, id) => `L’arrosage ${id} est maintenant ${STATUS_NAMES[status]} :`,
  details: (amount, name, when, dose) => `${amount} sur ${name}, ${when} : ${dose}.`,
  parcelDetails: ({ amount, probes, parcel, when, doses }) =>
    `${amount} sur ${probes === 1 ? 'la seule sonde' : `les ${probes} sondes`} ${withDe(parcel)}, ${when} : ${doses}.`,
  forWholeParcel: (amount, areaM2) =>
    `${amount} pour toute la parcelle${areaM2 === null ? '' : ` (${areaM2} m2)`}`,
  each: (dose) => `${dose}, pour chacune`,
  differentDoses: (doses) => doses.join(' ; '),
  doseOn: (dose, probes) => `${dose} sur ${probes}`,
  moreProbes: (count) => `${count} ${frenchNoun(count, 'autre')}`,
  otherDoses: (count, least, most) => `de ${least} à ${most} mm sur les ${count} autres`,
  warnings: {
    NO_INSTALLATION: ({ name, isPartial, isParcel }) =>
      `Aucune installation ${withDe(name)} ne couvre cette date, donc la dose${isPartial ? ' dans la zone humectée' : ''} manque : déclarez ce qui était en place avec ${isParcel ? 'set_parcel_installation' : 'set_module_installation'}, effectiveFrom à cette date ou avant, et la dose sera complétée automatiquement.`,
    MISSING_FLOW_RATE: () =>
      'L’équipement n’a pas de débit, donc les minutes ne peuvent pas être converties en mm : demandez-le et ajoutez-le avec correct_installation.',
    MISSING_IRRIGATED_AREA: ({ parcel }) =>
      parcel === null
        ? 'L’équipement n’a pas de surface irriguée, donc les m3 ne peuvent pas être convertis en mm : demandez-la et ajoutez-la avec correct_installation.'
        : `La surface irriguée ${withDe(parcel)} n’est pas connue, donc les m3 ne peuvent pas être convertis en mm : demandez-la et ajoutez-la à l’installation de la parcelle avec set_parcel_installation, ou avec correct_installation si elle en a une.`,
    DEFAULT_FRACTION_WETTED: ({ fractionWetted, system }) =>
      `La fraction humectée de ${fractionWetted} est la valeur par défaut (${system}).`,
  },
  noMatch: 'Aucun arrosage ne correspond.',
  noPast: 'Aucun arrosage passé ne correspond.',
  ahead: (count, next, name) =>
    `${frenchCount(count, 'arrosage prévu', 'arrosages prévus')}, le prochain ${next} sur ${name} : status planned en donne la liste.`,
  page: ({ count, isAhead, when, name, dose, status }) =>
    `${frenchCount(count, 'arrosage affiché', 'arrosages affichés')}, le plus ${isAhead ? 'proche' : 'récent'} d’abord : ${when} sur ${name}, ${dose}${status === 'done' ? '' : ` (${STATUS_NAMES[status]})`}.`,
  counts: (total, counts) => `${total} en tout : ${counts.join(', ')}.`,
  irrigations: (count, hasParcels) =>
    `${frenchCount(count, 'arrosage')}${hasParcels ? ', celui d’une parcelle entière compté une fois' : ''}`,
  totals: ({ probes, modules, dose, details }) =>
    modules === 1 && probes.length === 1
      ? `En tout, ${probes[0]!.name} a reçu ${dose} (${details}).`
      : `En tout, les ${modules} sondes ont reçu ${dose}, en moyenne des sondes (${details})${probes.length === 0 ? '' : ` : ${probes.map(({ name, mm }) => `${name} ${mm === null ? 'sans dose' : `${mm} mm`}`).join(', ')}`}.`,
  someWithoutDose: (count) =>
    `${count} de ceux qui sont faits ${frenchNoun(count, 'n’a', 'n’ont')} pas de dose : il a donc été donné plus.`,
  status: (status) => STATUS_NAMES[status],
  countOf: (status, count) => frenchCount(count, STATUS_NAMES[status]),
  overlap: ({ id, otherId, status, when }, probe, others, isOfParcel) =>
    `L’arrosage ${id} chevauche l’arrosage ${otherId} ${withDe(probe)} (${when}, ${STATUS_NAMES[status]})${others === 0 ? '' : `, et il y a ${frenchCount(others, 'autre chevauchement', 'autres chevauchements')}`}. Si c’est la même eau, ${isOfParcel ? 'annulez cette saisie avec undo' : 'annulez l’un des deux avec correct_watering et status skipped'}.`,
  runTimeContradicts: ({ runTime, runMm, runM3, entered, mm }, probe, others) =>
    `La durée ne correspond pas : avec l’équipement ${withDe(probe)}, ${runTime} donnent ${runMm} mm${runM3 === null ? '' : ` (${runM3} m3)`}, mais ${mm === null ? `${entered} sont enregistrés` : `${entered} font ${mm} mm, et c’est ce qui est enregistré`}. Demandez ce qui est juste ; correct_watering le change.${others === 0 ? '' : ` De même sur ${frenchCount(others, 'autre sonde', 'autres sondes')}.`}`,
  otherProbes: {
    status: (status) => STATUS_NAMES[status],
    row: (id, probe, values) => `arrosage ${id} sur ${probe}${values === '' ? '' : ` (${values})`}`,
    more: (count) => `${count} ${frenchNoun(count, 'autre')}`,
    sentence: (rows) =>
      `C’est une seule sonde d’un arrosage de toute la parcelle ; les autres restent comme avant : ${rows}. Corrigez-les aussi si le changement vaut pour la parcelle.`,
  },
  toConfirm:
    'Il ne compte plus de lui-même comme fait : confirmez-le avec status done une fois l’eau donnée.',
  correction: {
    heading: (id, name, when) => `Arrosage ${id} sur ${name}, ${when}`,
    sentence: (heading, parts) => `${heading} : ${parts.join(' ; ')}.`,
    confirmed: 'confirmé',
    takenBack: 'annulé',
    cancelled: 'annulé',
    stillCancelled: (restoring) =>
      `Il reste annulé et ne compte pas : status ${restoring} le rétablit.`,
    countsAgain: 'compte de nouveau',
    plannedAgain: (wasDone) => `de nouveau prévu${wasDone ? ', pas encore fait' : ''}`,
    moved: ({ from, to, isSameDay }) =>
      isSameDay ? `déplacé de ${from} à ${to}` : `déplacé, il était noté ${from}`,
    replaced: (amount, before) => `${amount} au lieu ${withDe(before)}`,
    runTime: (duration) => `durée ${duration}`,
    noRunTime: 'sans durée',
    doseReplaced: (mm, before) =>
      mm === null
        ? `plus de dose, elle était de ${before} mm`
        : `${mm} mm ${before === null ? 'alors qu’il n’avait pas de dose' : `au lieu de ${before} mm`}`,
    wetted: (mm) => `${mm} mm dans la zone humectée`,
    note: { added: 'note ajoutée', changed: 'note modifiée', removed: 'note supprimée' },
    nothing: 'rien n’a changé',
    dose: (dose) => `La dose est de ${dose}.`,
    otherEquipment: 'À cette date, l’équipement en place n’était pas celui qui était enregistré.',
  },
  recomputeResult: (name, completed, missing, byReason) => {
    const reasons = byReason.map(
      ([reason, count]) => `${count} ${MISSING_DOSE_REASONS[reason] ?? reason}`,
    );
    return `${frenchCount(completed, 'dose complétée', 'doses complétées')} sur ${name} ; ${missing} ${frenchNoun(missing, 'manque', 'manquent')} encore${missing === 0 ? '' : ` (${reasons.join(', ')})`}.`;
  },
};

export const frenchResponses: Record<ReviewedWateringBody['response'], readonly [string, string]> =
  {
    reached: ['a atteint la zone racinaire', 'ont atteint la zone racinaire'],
    below_roots: ['est passé sous les racines', 'sont passés sous les racines'],
    no_response: ['est resté sans effet', 'sont restés sans effet'],
    too_early: ['est trop récent pour se voir', 'sont trop récents pour se voir'],
    no_data: ['est sans données', 'sont sans données'],
  };

export const frenchReview: Language['review'] = {
  period: (start, end, zone) => `${withDe(start)} ${withJusqua(end)} (${zone})`,
  noWaterings: (name, period) =>
    `Aucun arrosage n’est enregistré comme réalisé sur ${name} ${period}.`,
  totals: (name, period, total, responses) =>
    `${frenchCount(total, 'arrosage')} sur ${name} ${period} : ${responses}.`,
  response: (response, count) => frenchCount(count, ...frenchResponses[response]),
  assessedTogether: (ids) => `Évalués ensemble, car à 3 heures d’intervalle au plus : ${ids}.`,
  checkRan: (ids, count) =>
    count < 2
      ? `Vérifiez si l’arrosage ${ids} a eu lieu et a atteint la sonde (aucun effet).`
      : `Vérifiez si les arrosages ${ids} ont eu lieu et ont atteint la sonde (aucun effet).`,
  reachedBelow: (ids, count) =>
    `De l’eau ${frenchNoun(count, 'de l’arrosage', 'des arrosages')} ${ids} est descendue sous les racines : si cela se répète, donnez-en moins à la fois.`,
  newestResponse: ({ at, deepestCm, gainedMm, appliedMm, hasLosses }) => {
    const gained = gainedMm === null ? '' : `, et le sol a gagné ${gainedMm} mm`;
    const against =
      gainedMm === null || appliedMm === null
        ? ''
        : ` sur ${appliedMm} mm dans la zone humectée${hasLosses ? ', pertes déduites' : ''}`;
    return `Le plus récent dont l’effet est visible, ${at} : jusqu’à ${deepestCm} cm${gained}${against}.`;
  },
  implausibleGain: (ids, count) =>
    `Les capteurs montrent bien plus d’eau que n’en ${count < 2 ? 'a apporté l’arrosage' : 'ont apporté les arrosages'} ${ids} : s’il n’a pas plu, vérifiez le débit, la fraction humectée et l’emplacement de la sonde.`,
  riseAmount: (mm, isOverall) =>
    `, environ ${mm} mm ${isOverall ? 'sur toute la surface' : 'dans le sol humecté'}`,
  ifIrrigation: ' si c’était un arrosage',
  likely: {
    watering: 'plutôt un arrosage que de la pluie',
    unknown: 'arrosage ou pluie, rien ne permet de trancher',
  },
  roseElsewhere: 'en même temps que sur d’autres parcelles : il a plu, ou tout a été arrosé',
  unloggedRises: (count, newest) =>
    `${frenchCount(count, 'hausse')} sans arrosage enregistré ; la plus récente ${newest}.`,
  plannedThen: (eventId) =>
    `L’arrosage ${eventId} était prévu à ce moment : s’il a eu lieu, confirmez-le avec correct_watering.`,
  rainRises: (count, at, mm) =>
    `La pluie enregistrée explique ${frenchCount(count, 'hausse')} ; la plus récente ${at}, ${mm} mm de pluie.`,
  askFirst: (rainMm) =>
    rainMm === null
      ? 'Aucune pluie n’est enregistrée à ce moment : demandez avant d’enregistrer un arrosage.'
      : `Les ${rainMm} mm de pluie enregistrés à ce moment ne l’expliquent pas : demandez avant d’enregistrer un arrosage.`,
  olderWaterings: (count) => frenchCount(count, 'arrosage plus ancien', 'arrosages plus anciens'),
  olderRises: (count) => frenchCount(count, 'hausse plus ancienne', 'hausses plus anciennes'),
  omitted: (rows) => `Sans compter ${rows} : donnez un limit plus grand ou un end plus ancien.`,
  noSoilMoisture:
    'Aucune humidité du sol n’y est mesurée, donc l’effet d’un arrosage ne peut pas être vu.',
};
