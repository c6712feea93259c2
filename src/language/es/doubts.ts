import { say } from '../../domain/text/say.ts';
import type { Language } from '../en/index.ts';

export const spanishDoubts: Language['doubts'] = {
  reading: (value, depth) => say`${value} a ${depth}`,
  value: {
    TOO_DRY_FOR_SOIL: (readings, { limit }) =>
      say`${readings}, donde el suelo conserva al menos un ${limit} %`,
    TOO_WET_FOR_SOIL: (readings, { limit }) =>
      say`${readings}, donde el suelo retiene como mucho un ${limit} %`,
    SENSOR_FELL: (readings, { limit, age }) =>
      say`${readings}, tras caer desde un ${limit} % hace ${age}`,
    SENSOR_NOISY: (readings, { limit }) =>
      say`${readings}, con valores que saltan ${limit} puntos de una hora a otra`,
    SENSOR_DRIFTS: (readings, { limit, age }) =>
      say`${readings}, tras subir desde un ${limit} % en ${age} sin agua`,
    SENSOR_STUCK: (readings, { age }) => say`exactamente ${readings} desde hace ${age}`,
  },
  check: {
    TOO_DRY_FOR_SOIL: (values) =>
      say`La sonda marca ${values}: revise el sensor, su contacto con el suelo y el perfil del suelo antes de fiarse.`,
    TOO_WET_FOR_SOIL: (values) =>
      say`La sonda marca ${values}: revise el sensor, su cable y el perfil del suelo antes de fiarse.`,
    SENSOR_FELL: (values) =>
      say`La sonda marca ${values}, más deprisa de lo que el suelo puede secarse: revise el sensor, su cable y su contacto con el suelo antes de fiarse.`,
    SENSOR_NOISY: (values) =>
      say`La sonda marca ${values}: revise su cable, sus conexiones y su alimentación antes de fiarse.`,
    SENSOR_DRIFTS: (values) =>
      say`La sonda marca ${values}, sin que otra profundidad haya perdido tanta agua: revise el sensor y mire el suelo en el campo antes de fiarse.`,
    SENSOR_STUCK: (values) =>
      say`La sonda marca ${values}: revise el sensor y su cable, y mire el suelo en el campo antes de fiarse.`,
  },
  unknownDepth: say`una profundidad desconocida`,
  separator: say`; `,
};
