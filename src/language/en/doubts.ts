import type { QualityFlag } from '../../domain/moisture/suspect-readings.ts';
import { say } from '../../domain/text/say.ts';
import type { Duration, Figures, List, Text } from '../../domain/text/text.ts';

interface DoubtFigures {
  /** In %, or in points for a noisy sensor. */
  readonly limit: Figures | null;
  readonly age: Duration | null;
}

const doubtfulValues: Record<QualityFlag, (readings: List, figures: DoubtFigures) => Text> = {
  TOO_DRY_FOR_SOIL: (readings, { limit }) =>
    say`${readings}, where its soil keeps at least ${limit} %`,
  TOO_WET_FOR_SOIL: (readings, { limit }) =>
    say`${readings}, where its soil holds at most ${limit} %`,
  SENSOR_FELL: (readings, { limit, age }) => say`${readings}, fallen from ${limit} % ${age} ago`,
  SENSOR_NOISY: (readings, { limit }) =>
    say`${readings}, with values that stray by ${limit} points from hour to hour`,
  SENSOR_DRIFTS: (readings, { limit, age }) =>
    say`${readings}, up from ${limit} % in ${age} without water`,
  SENSOR_STUCK: (readings, { age }) => say`exactly ${readings} for ${age}`,
};

const doubtChecks: Record<QualityFlag, (values: Text) => Text> = {
  TOO_DRY_FOR_SOIL: (values) =>
    say`The probe reads ${values}: check the sensor, its contact with the soil and the soil profile before you rely on it.`,
  TOO_WET_FOR_SOIL: (values) =>
    say`The probe reads ${values}: check the sensor, its cable and the soil profile before you rely on it.`,
  SENSOR_FELL: (values) =>
    say`The probe reads ${values}, faster than its soil can dry: see whether the sensor still stands firmly in the soil, and check its cable before you rely on it.`,
  SENSOR_NOISY: (values) =>
    say`The probe reads ${values}: check its cable, its plugs and its power before you rely on it.`,
  SENSOR_DRIFTS: (values) =>
    say`The probe reads ${values} and without another depth losing as much: check the sensor, and look at the soil before you rely on it.`,
  SENSOR_STUCK: (values) =>
    say`The probe has read ${values}: check the sensor and its cable, and look at the soil before you rely on it.`,
};

export const englishDoubts = {
  reading: (value: Figures, depth: Text) => say`${value} at ${depth}`,
  value: doubtfulValues,
  check: doubtChecks,
  unknownDepth: say`an unknown depth`,
  separator: say`; `,
};
