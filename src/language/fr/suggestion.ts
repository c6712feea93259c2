import type { Language } from '../en/index.ts';
import { withDe } from './grammar.ts';

const THOROUGH_WATERING =
  'Arrosez une fois jusqu’à ce qu’aucun capteur ne monte plus, et tracez ce que le sol retient deux jours après (create_annotation, fill threshold1).';

export const frenchSuggestion: Language['suggestion'] = {
  held: (name, value, count, { least, most, isDoubtful }) =>
    `Une fois ressuyé, le sol à ${name} retient ${value} % : ${isDoubtful ? 'c’est la' : 'c’est sa capacité au champ,'} médiane de 24 à 48 heures après ${count} apports d’eau descendus jusqu’au capteur le plus profond, ${least === most ? `tous à ${least}` : `entre ${least} et ${most}`} %.`,
  wettings: (times, areMore, zone) => `${areMore ? 'Dernières arrivées' : 'Arrivées'} de l’eau : ${times} (${zone}).`,
  tooLow: (inForce) =>
    `C’est bien moins que les ${inForce} % actuels, donc sans doute pas la capacité au champ : ces apports étaient probablement trop faibles pour remplir le sol, ou sa texture est mal déclarée. ${THOROUGH_WATERING}`,
  tooWide: `L’écart est trop grand pour une même capacité au champ : certains apports étaient probablement trop faibles pour remplir le sol. ${THOROUGH_WATERING}`,
  noSoilMoisture: (name) =>
    `Aucun capteur ne mesure l’humidité du sol à ${name} : sa capacité au champ reste inconnue.`,
  stressPoint: (value) => `Les plantes commencent alors à souffrir dès ${value} %.`,
  noStressPoint:
    'Pour le seuil de stress, il faut aussi un point de flétrissement inférieur : déclarez le sol de sa parcelle avec set_soil_profile.',
  offer: (value, exact, inForce) =>
    `${inForce === null ? 'Aucune capacité au champ n’est connue' : `La valeur actuelle est ${inForce} %`} : demandez si ${value} % doit compter, puis tracez-la avec create_annotation (h-line, fill threshold1, p1 [maintenant en ms, ${exact}]).`,
  tooFew: (name, count, needed) =>
    `Les mesures ne permettent pas de dire la capacité au champ ${withDe(name)} : depuis un an, ${count === 0 ? 'aucun apport d’eau n’est descendu' : count === 1 ? 'un seul apport d’eau est descendu' : `${count} apports d’eau seulement sont descendus`} du haut jusqu’au capteur le plus profond avant deux jours sans eau, et il en faut ${needed}.`,
  unusedWettings: (reasons) => `Non retenus : ${reasons}.`,
  unused: {
    wateredAgain: (count) => `${count} avec un nouvel apport d’eau dans les deux jours`,
    tooRecent: (count) => `${count} de moins de deux jours`,
    gaps: (count) => `${count} avec trop peu de mesures ensuite`,
  },
  howToGetMore:
    'Arrosez jusqu’à ce que le capteur le plus profond monte, attendez deux jours et redemandez ; ou tracez une capacité au champ déjà connue.',
};
