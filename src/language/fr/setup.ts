import type { UsdaClass } from '../../domain/soil/soil-catalog.ts';
import type { Language } from '../en/index.ts';
import type { CalendarDay, SoilLayerFacts } from '../en/setup.ts';
import { frenchCore } from './core.ts';
import { frenchCount, frenchFormat, frenchNoun, withDe, withJusqua } from './grammar.ts';

export const frenchSetup: Language['setup'] = {
  noFlowRate: 'débit inconnu',
  emitterFlow: (litresPerHour) => `${litresPerHour} L/h par émetteur`,
  emitterDensity: (perM2) => `${perM2} émetteurs par m2`,
  fractionWetted: (fraction, isDefault) =>
    `fraction humectée ${fraction}${isDefault ? ' (par défaut)' : ''}`,
  noIrrigatedArea: 'surface irriguée inconnue',
  spacing: (emitterM, lineM, density) =>
    `Émetteurs tous les ${emitterM} m sur des lignes espacées de ${lineM} m : ${density} par m2.`,
  sinceBeginning: 'depuis le début',
  since: (instant, zone) => `depuis ${instant} (${zone})`,
  inForce: ({ name, equipment, parcel, since, versionId }) =>
    `Équipement ${withDe(name)} : ${equipment}${parcel === null ? '' : ` (installation ${withDe(parcel)})`}, ${since} (version ${versionId}).`,
  noParcelSetup: (parcel) =>
    `${parcel} n’a pas d’installation d’irrigation à elle : set_parcel_installation en déclare une.`,
  appliesTo: (probes, since) =>
    probes === null
      ? `Elle vaut ${since}, mais pour aucune sonde.`
      : `Elle vaut ${since} pour ${probes}.`,
  reachedProbes: (probes) => `Elle vaut pour ${probes}.`,
  probesWithOwnSetup: (probes, count) =>
    `${probes} ${frenchNoun(count, 'a sa propre installation', 'ont leur propre installation')}.`,
  setupOf: (name) => `installation ${withDe(name)}`,
  until: (instant) => withJusqua(instant),
  noSetup: (name) =>
    `${name} n’a pas d’installation d’irrigation : déclarez-en une avec set_module_installation.`,
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
  declaredForParcel: (parcel, equipment) =>
    `L’installation ${withDe(parcel)} est déclarée : ${equipment}.`,
  generalizeResult: ({ name, since, changed, probes, isDryRun }) =>
    `L’installation ${withDe(name)} ${isDryRun ? 's’étendrait' : 's’étend'} à toute sa parcelle${since === null ? '' : ` ${since}`} : ${changed} ${frenchNoun(changed, 'module', 'modules')} sur ${probes} ${changeVerb(changed, isDryRun)} d’installation.`,
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

function changeVerb(count: number, isDryRun: boolean): string {
  if (isDryRun) return frenchNoun(count, 'changerait', 'changeraient');
  return frenchNoun(count, 'change', 'changent');
}

const formatScheduleDay = ({ day, month, year }: CalendarDay): string =>
  frenchCore.day(day, month, year);

export const frenchSchedule: Language['schedule'] = {
  everyDays: (days) => {
    if (days === 1) return 'chaque jour';
    return days === 2 ? 'un jour sur deux' : `tous les ${days} jours`;
  },
  weekly: (weekdays) =>
    `chaque ${frenchFormat.list(weekdays.map((day) => frenchFormat.weekdays('long')[day - 1]!))}`,
  schedule: (
    { id, target, frequency, times, zone, amount, isActive },
    from,
    until,
    countsByItself,
  ) =>
    `La programmation ${id} ${isActive ? 'arrose' : 'est arrêtée ; elle arroserait'} ${target} ${frequency} à ${times} (${zone}), ${amount} à chaque fois, à partir ${withDe(formatScheduleDay(from))}${until === null ? '' : ` ${withJusqua(formatScheduleDay(until))}`} ; les arrosages passés ${countsByItself ? 'comptent comme faits sans confirmation' : 'sont à confirmer'}.`,
  reaches: (probes) =>
    probes === null ? 'La parcelle n’a encore aucune sonde.' : `Elle concerne ${probes}.`,
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
    frenchCount(
      count,
      'corrigé à la main et laissé tel quel',
      'corrigés à la main et laissés tels quels',
    ),
  plansFollow: (probes) =>
    `D’autres arrosages prévus de ${frenchCount(probes, 'sonde')} seront mis à jour sous peu.`,
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
  until: (instant, zone) =>
    `Des réglages ultérieurs restent en vigueur depuis ${instant} (${zone}).`,
  withoutEffect:
    'L’humidité du sol n’y est pas mesurée : aucun déficit n’est calculé et ces réglages restent sans effet. S’agissait-il d’une autre sonde ?',
  rootsBelowSensors: (rootDepth, deepest) =>
    `Le capteur le plus profond est à ${deepest} cm : de là jusqu’à ${rootDepth} cm, l’humidité est supposée la même.`,
  unchanged: (name) => `Rien n’a changé : ${name} a déjà ces réglages.`,
};

const TEXTURE_NAMES: Record<UsdaClass, string> = {
  Sand: 'Sable',
  'Loamy sand': 'Sable limoneux',
  'Sandy loam': 'Limon sableux',
  'Sandy clay loam': 'Limon argilo-sableux',
  'Sandy clay': 'Argile sableuse',
  Loam: 'Limon',
  'Clay loam': 'Limon argileux',
  Clay: 'Argile',
  'Silt loam': 'Limon fin',
  Silt: 'Limon très fin',
  'Silty clay loam': 'Limon argileux fin',
  'Silty clay': 'Argile limoneuse',
};

const formatLayer = ({ texture, top, bottom }: SoilLayerFacts): string =>
  `${texture} de ${top} à ${bottom} cm`;

export const frenchSoil: Language['soil'] = {
  texture: (usdaClass) => TEXTURE_NAMES[usdaClass],
  layer: formatLayer,
  layerWithThresholds: (layer, fieldCapacity, wiltingPoint) =>
    `${formatLayer(layer)} (capacité au champ ${fieldCapacity} %, point de flétrissement ${wiltingPoint} %)`,
  noProfile: (parcel) =>
    `Aucun sol n’est déclaré pour ${parcel} : demandez sa texture et déclarez-la avec set_soil_profile.`,
  profile: (parcel, layers) => `Le sol ${withDe(parcel)}, de haut en bas : ${layers.join(' ; ')}.`,
  declaredLayers: (parcel, layers) =>
    `Déclaré pour ${parcel} à partir de maintenant : ${layers.length === 0 ? 'rien de nouveau' : layers.join(', ')}.`,
  closedLayers: (layers) => `Closes, et gardées pour les dates passées : ${layers.join(', ')}.`,
  layersStillInForce: (layers) => `Toujours en vigueur : ${layers.join(', ')}.`,
  overlappingLayers: (layers) =>
    `${layers.join(', ')} ${layers.length === 1 ? 'chevauche' : 'chevauchent'} les couches déclarées : là où deux couches couvrent une profondeur, celle qui commence le plus bas compte. Avec closeOthers true, les autres sont closes.`,
  textures: (names) =>
    `${names.length} classes de texture, de la plus sableuse à la moins sableuse : ${names.join(', ')}.`,
};
