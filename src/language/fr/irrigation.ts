import type { WateringStatus } from '../../schema/watering.ts';
import type { Language } from '../en/index.ts';
import type { CalendarDay } from '../en/irrigation.ts';
import { frenchCore } from './core.ts';
import { frenchCount, frenchFormat, frenchNoun, withDe, withJusqua } from './grammar.ts';

const SYSTEM_NAMES: Record<string, string> = {
  drip: 'goutte-à-goutte',
  micro_sprinkler: 'micro-aspersion',
  sprinkler: 'aspersion',
  pivot: 'pivot',
  gravity: 'irrigation gravitaire',
  manual: 'arrosage manuel',
  other: 'un autre équipement',
};

const STATUS_NAMES: Record<WateringStatus, string> = { done: 'réalisé', planned: 'prévu', skipped: 'annulé' };
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
  logged: { done: 'Arrosage enregistré :', planned: 'Arrosage prévu :', skipped: 'Arrosage noté comme annulé :' },
  corrected: (status, id) => `L’arrosage ${id} est maintenant ${STATUS_NAMES[status]} :`,
  details: (amount, name, when, dose) => `${amount} sur ${name}, ${when} : ${dose}.`,
  parcelDetails: (amount, probes, parcel, when, doses) =>
    `${amount} sur ${probes === 1 ? 'la seule sonde' : `les ${probes} sondes`} ${withDe(parcel)}, ${when} : ${doses}.`,
  forWholeParcel: (amount, areaM2) => `${amount} pour toute la parcelle${areaM2 === null ? '' : ` (${areaM2} m2)`}`,
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
  page: (count, isAhead, when, name, dose, status) =>
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
  toConfirm: 'Il ne compte plus de lui-même comme fait : confirmez-le avec status done une fois l’eau donnée.',
  correction: {
    heading: (id, name, when) => `Arrosage ${id} sur ${name}, ${when}`,
    sentence: (heading, parts) => `${heading} : ${parts.join(' ; ')}.`,
    confirmed: 'confirmé',
    takenBack: 'annulé',
    cancelled: 'annulé',
    stillCancelled: (restoring) => `Il reste annulé et ne compte pas : status ${restoring} le rétablit.`,
    countsAgain: 'compte de nouveau',
    plannedAgain: (wasDone) => `de nouveau prévu${wasDone ? ', pas encore fait' : ''}`,
    moved: ({ from, to, isSameDay }) => (isSameDay ? `déplacé de ${from} à ${to}` : `déplacé, il était noté ${from}`),
    replaced: (amount, before) => `${amount} au lieu de ${before}`,
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
    const reasons = byReason.map(([reason, count]) => `${count} ${MISSING_DOSE_REASONS[reason] ?? reason}`);
    return `${frenchCount(completed, 'dose complétée', 'doses complétées')} sur ${name} ; ${missing} ${frenchNoun(missing, 'manque', 'manquent')} encore${missing === 0 ? '' : ` (${reasons.join(', ')})`}.`;
  },
};

export const frenchSetup: Language['setup'] = {
  noFlowRate: 'débit inconnu',
  emitterFlow: (litresPerHour) => `${litresPerHour} L/h par émetteur`,
  emitterDensity: (perM2) => `${perM2} émetteurs par m2`,
  fractionWetted: (fraction, isDefault) => `fraction humectée ${fraction}${isDefault ? ' (par défaut)' : ''}`,
  noIrrigatedArea: 'surface irriguée inconnue',
  spacing: (emitterM, lineM, density) =>
    `Émetteurs tous les ${emitterM} m sur des lignes espacées de ${lineM} m : ${density} par m2.`,
  sinceBeginning: 'depuis le début',
  since: (instant, zone) => `depuis ${instant} (${zone})`,
  inForce: (name, equipment, parcel, since, versionId) =>
    `Équipement ${withDe(name)} : ${equipment}${parcel === null ? '' : ` (installation ${withDe(parcel)})`}, ${since} (version ${versionId}).`,
  noParcelSetup: (parcel) =>
    `${parcel} n’a pas d’installation d’irrigation à elle : set_parcel_installation en déclare une.`,
  appliesTo: (probes, since) =>
    probes === null ? `Elle vaut ${since}, mais pour aucune sonde.` : `Elle vaut ${since} pour ${probes}.`,
  reachedProbes: (probes) => `Elle vaut pour ${probes}.`,
  probesWithOwnSetup: (probes, count) =>
    `${probes} ${frenchNoun(count, 'a sa propre installation', 'ont leur propre installation')}.`,
  setupOf: (name) => `installation ${withDe(name)}`,
  until: (instant) => withJusqua(instant),
  noSetup: (name) => `${name} n’a pas d’installation d’irrigation : déclarez-en une avec set_module_installation.`,
  missingDoses: (count, withoutSetup) => {
    const reason =
      withoutSetup === 0
        ? 'faute d’un débit ou d’une surface irriguée'
        : `${withoutSetup === count ? '' : `dont ${withoutSetup} `}faute d’installation à cette date`;
    return `${frenchCount(count, 'arrosage')} sans dose, ${reason}.`;
  },
  parcelAreaUnknown: (parcel, count) =>
    `La surface irriguée ${withDe(parcel)} n’est pas connue, et il la faut pour le volume de ${frenchCount(count, 'arrosage')} de toute la parcelle : demandez-la et ajoutez-la à l’installation de la parcelle avec set_parcel_installation, ou avec correct_installation si elle en a une.`,
  placement: (name, distanceCm) =>
    distanceCm === null
      ? `L’emplacement ${withDe(name)} est enregistré, sans distance à l’émetteur.`
      : `${name} est à ${distanceCm} cm de l’émetteur le plus proche ; cela ne change aucune dose.`,
  version: (id, owner, equipment, since) =>
    `La version ${id} de l’installation ${withDe(owner)} est maintenant : ${equipment}, ${since}.`,
  declaredVersion: (id, owner, equipment) =>
    `Version ${id} de l’installation ${withDe(owner)} déclarée : ${equipment}.`,
  declaredForParcel: (parcel, equipment) => `L’installation ${withDe(parcel)} est déclarée : ${equipment}.`,
  generalizeResult: ({ name, since, changed, probes, isTried }) =>
    `L’installation ${withDe(name)} ${isTried ? 's’étendrait' : 's’étend'} à toute sa parcelle${since === null ? '' : ` ${since}`} : ${changed} ${frenchNoun(changed, 'module', 'modules')} sur ${probes} ${changeVerb(changed, isTried)} d’installation.`,
  nothingWritten: 'Rien n’a été enregistré.',
  listedModules: (count) =>
    `${count} d’entre eux ${frenchNoun(count, 'est listé', 'sont listés')} : get_irrigation_setup montre les autres.`,
  validityPeriod: (from, to) =>
    `La version déclarée ne vaut que ${from === null ? 'du début' : withDe(from)} ${withJusqua(to)} ; l’installation d’aujourd’hui n’a pas changé.`,
  completedDoses: (count) =>
    count < 2
      ? `${count} arrosage resté sans dose est complété.`
      : `${count} arrosages restés sans dose sont complétés.`,
  updatedPlannedDoses: (count) =>
    `${frenchCount(count, 'arrosage prévu', 'arrosages prévus')} ${frenchNoun(count, 'prend', 'prennent')} la dose du nouvel équipement.`,
  unchangedDoses: (count) =>
    `${frenchCount(count, 'dose enregistrée', 'doses enregistrées')} ${frenchNoun(count, 'garde son', 'gardent leur')} chiffre d’avant ; correct_watering avec refreeze true ${frenchNoun(count, 'la', 'les')} recalcule.`,
};

function changeVerb(count: number, isTried: boolean): string {
  if (isTried) return frenchNoun(count, 'changerait', 'changeraient');
  return frenchNoun(count, 'change', 'changent');
}

const formatScheduleDay = ({ day, month, year }: CalendarDay): string => frenchCore.day(day, month, year);

export const frenchSchedule: Language['schedule'] = {
  everyDays: (days) => (days === 1 ? 'chaque jour' : days === 2 ? 'un jour sur deux' : `tous les ${days} jours`),
  weekly: (weekdays) => `chaque ${frenchFormat.list(weekdays.map((day) => frenchFormat.weekdays('long')[day - 1]!))}`,
  schedule: ({ id, target, frequency, times, zone, amount, isActive }, from, until, countsByItself) =>
    `La programmation ${id} ${isActive ? 'arrose' : 'est arrêtée ; elle arroserait'} ${target} ${frequency} à ${times} (${zone}), ${amount} à chaque fois, à partir ${withDe(formatScheduleDay(from))}${until === null ? '' : ` ${withJusqua(formatScheduleDay(until))}`} ; les arrosages passés ${countsByItself ? 'comptent comme faits sans confirmation' : 'sont à confirmer'}.`,
  reaches: (probes) => (probes === null ? 'La parcelle n’a encore aucune sonde.' : `Elle concerne ${probes}.`),
  row: ({ target, frequency, times, zone, amount, isActive }) =>
    `${target} ${frequency} à ${times}${zone === null ? '' : ` (${zone})`}, ${amount}${isActive ? '' : ' (arrêtée)'}`,
  noMatch: 'Aucune programmation ne correspond.',
  page: (rows, zone) => `Programmations${zone === null ? '' : ` (${zone})`} : ${rows.join(' ; ')}.`,
  nothingPlanned: 'Rien n’est prévu dans les 90 prochains jours.',
  planned: (planned, next) =>
    `${frenchCount(planned, 'arrosage prévu', 'arrosages prévus')} dans les 90 prochains jours, le prochain ${next}.`,
  withoutDose: (missing) =>
    `${missing} d’entre eux ${frenchNoun(missing, 'n’a', 'n’ont')} pas encore de dose : get_irrigation_setup de la sonde montre ce qui manque.`,
  moved: (count) => frenchCount(count, 'arrosage à venir déplacé', 'arrosages à venir déplacés'),
  movedTimes: (from, to) => ` de ${from} à ${to}`,
  updated: (count) =>
    `${frenchCount(count, 'arrosage à venir prend', 'arrosages à venir prennent')} la nouvelle quantité ou la nouvelle dose`,
  added: (count) => frenchCount(count, 'ajouté'),
  removed: (count) => frenchCount(count, 'supprimé'),
  noneChanged: 'Aucun arrosage à venir n’a changé',
  keptManual: (count) =>
    frenchCount(count, 'corrigé à la main et laissé tel quel', 'corrigés à la main et laissés tels quels'),
  plansFollow: (probes) => `D’autres arrosages prévus de ${frenchCount(probes, 'sonde')} suivent aussitôt.`,
  stillWatersToday: (times) =>
    `Elle arrose encore aujourd’hui à ${times} ; s’il ne le faut pas, annulez cet arrosage avec correct_watering.`,
  removedToday: (times) => `L’arrosage d’aujourd’hui à ${times} est supprimé par ce changement.`,
  duplicate: (id) =>
    `La programmation ${id} arrose la même cible à la même heure : si les deux font double emploi, arrêtez-en une avec update_schedule et isActive false.`,
  differentAreas: (doses) =>
    `Les sondes de la parcelle ont des surfaces irriguées différentes, et chaque dose est calculée avec celle de l’équipement propre à la sonde : ${doses.join(' ; ')}. Le volume ne compte qu’une fois pour la parcelle ; log_watering, lui, le répartit sur toute la parcelle.`,
  doseOfArea: (mm, probes, areaM2) =>
    `${mm === null ? 'sans dose' : `${mm} mm`} sur ${probes} (${areaM2 === null ? 'sans surface' : `${areaM2} m2`})`,
};

export const frenchSettings: Language['settings'] = {
  labels: {
    rootDepthCm: 'profondeur des racines',
    depthWeights: 'pondération',
    allowedDepletion: 'épuisement admis',
    refillPercent: 'remplissage',
    efficiencyPercent: 'efficience',
    leachingPercent: 'lessivage',
    hoursPerDay: 'durée maximale par jour',
  },
  defaults: {
    rootDepthCm: 'jusqu’au capteur le plus profond',
    depthWeights: 'selon la profondeur des racines, ou toutes les profondeurs à égalité',
    efficiencyPercent: '100 %, sans pertes',
  },
  perDay: (duration) => `au plus ${duration} par jour`,
  inForce: (values) => `Réglages : ${values.join(' ; ')}.`,
  change: (label, from, to, byDefault) =>
    to === null
      ? `${label} sans valeur, au lieu de ${from} (désormais par défaut : ${byDefault})`
      : `${label} ${to}, ${from === null ? 'sans valeur auparavant' : `au lieu de ${from}`} (par défaut : ${byDefault})`,
  changed: (name, changes, since) => `${name}, ${since} : ${changes.join(' ; ')}.`,
  until: (instant, zone) => `Des réglages ultérieurs restent en vigueur depuis ${instant} (${zone}).`,
  withoutEffect:
    'L’humidité du sol n’y est pas mesurée : aucun déficit n’est calculé et ces réglages restent sans effet. S’agissait-il d’une autre sonde ?',
  rootsBelowSensors: (rootDepth, deepest) =>
    `Le capteur le plus profond est à ${deepest} cm : de là jusqu’à ${rootDepth} cm, l’humidité est supposée la même.`,
  unchanged: (name) => `Rien n’a changé : ${name} a déjà ces réglages.`,
};
