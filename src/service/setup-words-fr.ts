import { frenchCount, withDe, withJusqua } from '../domain/french.ts';
import type { SetupPhrases } from './setup-words.ts';

export const frenchSetup: SetupPhrases = {
  equipment: ({ system, mmPerH, fractionWetted, isDefaultFraction, areaM2 }) =>
    [
      system,
      mmPerH === null ? 'débit inconnu' : `${mmPerH} mm/h`,
      `fraction humectée ${fractionWetted}${isDefaultFraction ? ' (par défaut)' : ''}`,
      areaM2 === null ? 'surface irriguée inconnue' : `${areaM2} m2`,
    ].join(', '),
  sinceBeginning: 'depuis toujours',
  since: (instant, zone) => `depuis ${instant} (${zone})`,
  inForce: (name, equipment, parcel, since) =>
    `Équipement ${withDe(name)} : ${equipment}${parcel === null ? '' : ` (installation ${withDe(parcel)})`}, ${since}.`,
  noSetup: (name) => `${name} n’a pas d’installation d’irrigation : déclarez-en une avec set_module_installation.`,
  missingDoses: (count, withoutSetup) => {
    const why =
      withoutSetup === 0
        ? 'faute du débit ou de la surface qu’il faudrait dans l’équipement'
        : `${withoutSetup === count ? '' : `dont ${withoutSetup} `}faute d’installation à cette date`;
    return `${frenchCount(count, 'arrosage')} sans dose, ${why}.`;
  },
  placement: (name, distanceCm) =>
    distanceCm === null
      ? `L’emplacement ${withDe(name)} est noté, sans distance à l’émetteur.`
      : `${name} est à ${distanceCm} cm de l’émetteur le plus proche ; cela ne change aucune dose.`,
  version: (id, equipment, since) => `La version ${id} est maintenant : ${equipment}, ${since}.`,
  declaredForParcel: (parcel, system) => `L’installation ${withDe(parcel)} est déclarée : ${system}.`,
  generalizeResult: (name, changed, probes, isTried) =>
    `L’installation ${withDe(name)} ${isTried ? 's’étendrait' : 's’étend'} à toute sa parcelle : ${changed} ${changed < 2 ? 'module' : 'modules'} sur ${probes} ${changeVerb(changed, isTried)} d’installation.`,
  nothingWritten: 'Rien n’a été enregistré.',
  listedModules: (count) =>
    `${count} d’entre eux ${count < 2 ? 'est listé' : 'sont listés'} : get_irrigation_setup montre les autres.`,
  validityPeriod: (from, to) =>
    `La version déclarée ne vaut que ${from === null ? 'du début' : withDe(from)} ${withJusqua(to)} ; ce qui vaut aujourd’hui était déjà là.`,
  overridingModules: (count, probes) =>
    `${count} ${count < 2 ? 'module' : 'modules'} sur ${probes} ${count < 2 ? 'a sa' : 'ont leur'} propre installation, qui continue d’y valoir.`,
  completedDoses: (count) =>
    count < 2
      ? `${count} arrosage resté sans dose est complété.`
      : `${count} arrosages restés sans dose sont complétés.`,
  updatedPlannedDoses: (count) =>
    `${frenchCount(count, 'arrosage prévu', 'arrosages prévus')} ${count < 2 ? 'prend' : 'prennent'} la dose du nouvel équipement.`,
  unchangedDoses: (count) =>
    `${frenchCount(count, 'dose enregistrée', 'doses enregistrées')} ${count < 2 ? 'garde son' : 'gardent leur'} chiffre d’avant ; correct_watering avec refreeze true ${count < 2 ? 'la' : 'les'} recalcule.`,
};

function changeVerb(count: number, isTried: boolean): string {
  if (isTried) return count < 2 ? 'changerait' : 'changeraient';
  return count < 2 ? 'change' : 'changent';
}
