import type { Language } from '../en/index.ts';

export const frenchDoubts: Language['doubts'] = {
  reading: (value, depth) => `${value} % à ${depth}`,
  value: {
    TOO_DRY_FOR_SOIL: (readings, limit) => `${readings}, où le sol garde au moins ${limit} %`,
    TOO_WET_FOR_SOIL: (readings, limit) => `${readings}, où le sol retient au plus ${limit} %`,
    SENSOR_STUCK: (readings, duration) => `exactement ${readings} depuis ${duration}`,
  },
  check: {
    TOO_DRY_FOR_SOIL: (values) =>
      `La sonde indique ${values} : vérifiez le capteur, son contact avec le sol et le profil de sol avant de vous y fier.`,
    TOO_WET_FOR_SOIL: (values) =>
      `La sonde indique ${values} : vérifiez le capteur, son câble et le profil de sol avant de vous y fier.`,
    SENSOR_STUCK: (values) =>
      `La sonde indique ${values} : vérifiez le capteur et son câble, et regardez le sol sur place avant de vous y fier.`,
  },
  unknownDepth: 'une profondeur inconnue',
  separator: ' ; ',
};
