import type { Language } from '../en/index.ts';

export const frenchDoubts: Language['doubts'] = {
  reading: (value, depth) => `${value} % à ${depth}`,
  value: {
    TOO_DRY_FOR_SOIL: (readings, { limit }) => `${readings}, où le sol garde au moins ${limit} %`,
    TOO_WET_FOR_SOIL: (readings, { limit }) => `${readings}, où le sol retient au plus ${limit} %`,
    SENSOR_FELL: (readings, { limit, age }) => `${readings}, contre ${limit} % il y a ${age}`,
    SENSOR_NOISY: (readings, { limit }) =>
      `${readings}, avec des valeurs qui sautent de ${limit} points d'une heure à l'autre`,
    SENSOR_DRIFTS: (readings, { limit, age }) =>
      `${readings}, contre ${limit} % il y a ${age} et sans eau depuis`,
    SENSOR_STUCK: (readings, { age }) => `exactement ${readings} depuis ${age}`,
  },
  check: {
    TOO_DRY_FOR_SOIL: (values) =>
      `La sonde indique ${values} : vérifiez le capteur, son contact avec le sol et le profil de sol avant de vous y fier.`,
    TOO_WET_FOR_SOIL: (values) =>
      `La sonde indique ${values} : vérifiez le capteur, son câble et le profil de sol avant de vous y fier.`,
    SENSOR_FELL: (values) =>
      `La sonde indique ${values}, plus vite que le sol ne peut sécher : vérifiez le capteur, son câble et son contact avec le sol avant de vous y fier.`,
    SENSOR_NOISY: (values) =>
      `La sonde indique ${values} : vérifiez son câble, ses fiches et son alimentation avant de vous y fier.`,
    SENSOR_DRIFTS: (values) =>
      `La sonde indique ${values}, alors qu'aucune autre profondeur n'a perdu autant d'eau : vérifiez le capteur, et regardez le sol sur place avant de vous y fier.`,
    SENSOR_STUCK: (values) =>
      `La sonde indique ${values} : vérifiez le capteur et son câble, et regardez le sol sur place avant de vous y fier.`,
  },
  unknownDepth: 'une profondeur inconnue',
  separator: ' ; ',
};
