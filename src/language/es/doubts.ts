import type { Language } from '../en/index.ts';

export const spanishDoubts: Language['doubts'] = {
  reading: (value, depth) => `${value} % a ${depth}`,
  value: {
    TOO_DRY_FOR_SOIL: (readings, limit) =>
      `${readings}, donde el suelo conserva al menos un ${limit} %`,
    TOO_WET_FOR_SOIL: (readings, limit) =>
      `${readings}, donde el suelo retiene como mucho un ${limit} %`,
    SENSOR_STUCK: (readings, duration) => `exactamente ${readings} desde hace ${duration}`,
  },
  check: {
    TOO_DRY_FOR_SOIL: (values) =>
      `La sonda marca ${values}: revise el sensor, su contacto con el suelo y el perfil del suelo antes de fiarse.`,
    TOO_WET_FOR_SOIL: (values) =>
      `La sonda marca ${values}: revise el sensor, su cable y el perfil del suelo antes de fiarse.`,
    SENSOR_STUCK: (values) =>
      `La sonda marca ${values}: revise el sensor y su cable, y mire el suelo en el campo antes de fiarse.`,
  },
  unknownDepth: 'una profundidad desconocida',
  separator: '; ',
};
