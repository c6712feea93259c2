import { say } from '../../domain/text/say.ts';
import type { Language } from '../en/index.ts';

export const frenchDoubts: Language['doubts'] = {
  reading: (value, depth) => say`${value} à ${depth}`,
  value: {
    TOO_DRY_FOR_SOIL: (readings, { limit }) =>
      say`${readings}, où le sol garde au moins ${limit} %`,
    TOO_WET_FOR_SOIL: (readings, { limit }) =>
      say`${readings}, où le sol retient au plus ${limit} %`,
    SENSOR_FELL: (readings, { limit, age }) => say`${readings}, contre ${limit} % il y a ${age}`,
    SENSOR_NOISY: (readings, { limit }) =>
      say`${readings}, avec des valeurs qui sautent de ${limit} points d'une heure à l'autre`,
    SENSOR_DRIFTS: (readings, { limit, age }) =>
      say`${readings}, contre ${limit} % il y a ${age} et sans eau depuis`,
    SENSOR_STUCK: (readings, { age }) => say`exactement ${readings} depuis ${age}`,
  },
  check: {
    TOO_DRY_FOR_SOIL: (values) =>
      say`La sonde indique ${values} : vérifiez le capteur, son contact avec le sol et le profil de sol avant de vous y fier.`,
    TOO_WET_FOR_SOIL: (values) =>
      say`La sonde indique ${values} : vérifiez le capteur, son câble et le profil de sol avant de vous y fier.`,
    SENSOR_FELL: (values) =>
      say`La sonde indique ${values}, plus vite que le sol ne peut sécher : vérifiez le capteur, son câble et son contact avec le sol avant de vous y fier.`,
    SENSOR_NOISY: (values) =>
      say`La sonde indique ${values} : vérifiez son câble, ses fiches et son alimentation avant de vous y fier.`,
    SENSOR_DRIFTS: (values) =>
      say`La sonde indique ${values}, alors qu'aucune autre profondeur n'a perdu autant d'eau : vérifiez le capteur, et regardez le sol sur place avant de vous y fier.`,
    SENSOR_STUCK: (values) =>
      say`La sonde indique ${values} : vérifiez le capteur et son câble, et regardez le sol sur place avant de vous y fier.`,
  },
  unknownDepth: say`une profondeur inconnue`,
  separator: say` ; `,
};
