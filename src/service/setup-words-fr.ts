import { counted, of, until } from '../domain/french.ts';
import type { SetupWords } from './setup-words.ts';

export const frenchSetups: SetupWords = {
  equipment: ({ system, mmPerH, fractionWetted, isDefaultFraction, areaM2 }) =>
    [
      system,
      mmPerH === null ? 'débit inconnu' : `${mmPerH} mm/h`,
      `fraction humectée ${fractionWetted}${isDefaultFraction ? ' (par défaut)' : ''}`,
      areaM2 === null ? 'surface irriguée inconnue' : `${areaM2} m2`,
    ].join(', '),
  sinceAlways: 'depuis toujours',
  since: (instant, zone) => `depuis ${instant} (${zone})`,
  inForce: (name, equipment, parcel, since) =>
    `Équipement ${of(name)} : ${equipment}${parcel === null ? '' : ` (installation ${of(parcel)})`}, ${since}.`,
  none: (name) => `${name} n’a pas d’installation d’irrigation : déclarez-en une avec set_module_installation.`,
  missing: (count, withoutSetup) => {
    const why =
      withoutSetup === 0
        ? 'faute du débit ou de la surface qu’il faudrait dans l’équipement'
        : `${withoutSetup === count ? '' : `dont ${withoutSetup} `}faute d’installation à cette date`;
    return `${counted(count, 'arrosage')} sans dose, ${why}.`;
  },
  placed: (name, distanceCm) =>
    distanceCm === null
      ? `L’emplacement ${of(name)} est noté, sans distance à l’émetteur.`
      : `${name} est à ${distanceCm} cm de l’émetteur le plus proche ; cela ne change aucune dose.`,
  version: (id, equipment, since) => `La version ${id} est maintenant : ${equipment}, ${since}.`,
  declaredForParcel: (parcel, system) => `L’installation ${of(parcel)} est déclarée : ${system}.`,
  generalized: (name, changed, probes, isTried) =>
    `L’installation ${of(name)} ${isTried ? 's’étendrait' : 's’étend'} à toute sa parcelle : ${changed} ${changed < 2 ? 'module' : 'modules'} sur ${probes} ${verb(changed, isTried)} d’installation.`,
  nothingWritten: 'Rien n’a été enregistré.',
  listed: (count) =>
    `${count} d’entre eux ${count < 2 ? 'est listé' : 'sont listés'} : get_irrigation_setup montre les autres.`,
  span: (from, to) =>
    `La version déclarée ne vaut que ${from === null ? 'du début' : of(from)} ${until(to)} ; ce qui vaut aujourd’hui était déjà là.`,
  overriding: (count, probes) =>
    `${count} ${count < 2 ? 'module' : 'modules'} sur ${probes} ${count < 2 ? 'a sa' : 'ont leur'} propre installation, qui continue d’y valoir.`,
  completed: (count) =>
    count < 2
      ? `${count} arrosage resté sans dose est complété.`
      : `${count} arrosages restés sans dose sont complétés.`,
  renewed: (count) =>
    `${counted(count, 'arrosage prévu', 'arrosages prévus')} ${count < 2 ? 'prend' : 'prennent'} la dose du nouvel équipement.`,
  kept: (count) =>
    `${counted(count, 'dose enregistrée', 'doses enregistrées')} ${count < 2 ? 'garde son' : 'gardent leur'} chiffre d’avant ; correct_watering avec refreeze true ${count < 2 ? 'la' : 'les'} recalcule.`,
};

function verb(count: number, isTried: boolean): string {
  if (isTried) return count < 2 ? 'changerait' : 'changeraient';
  return count < 2 ? 'change' : 'changent';
}
