import type { QualityFlag } from '../../domain/moisture/suspect-readings.ts';

const doubtfulValues: Record<QualityFlag, (readings: string, qualifier: string) => string> = {
  TOO_DRY_FOR_SOIL: (readings, limit) => `${readings}, where its soil keeps at least ${limit} %`,
  TOO_WET_FOR_SOIL: (readings, limit) => `${readings}, where its soil holds at most ${limit} %`,
  SENSOR_STUCK: (readings, duration) => `exactly ${readings} for ${duration}`,
};

const doubtChecks: Record<QualityFlag, (values: string) => string> = {
  TOO_DRY_FOR_SOIL: (values) =>
    `The probe reads ${values}: check the sensor, its contact with the soil and the soil profile before you rely on it.`,
  TOO_WET_FOR_SOIL: (values) =>
    `The probe reads ${values}: check the sensor, its cable and the soil profile before you rely on it.`,
  SENSOR_STUCK: (values) =>
    `The probe has read ${values}: check the sensor and its cable, and look at the soil before you rely on it.`,
};

export const englishDoubts = {
  reading: (value: string, depth: string) => `${value} % at ${depth}`,
  value: doubtfulValues,
  check: doubtChecks,
  unknownDepth: 'an unknown depth',
  separator: '; ',
};
