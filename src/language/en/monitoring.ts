import type { StatePhrases, ThresholdKind } from '../monitoring/monitoring-phrases.ts';
import { capitalize } from '../text.ts';

const STATE_NAMES = {
  saturated: 'saturated, wetter than its soil keeps',
  comfort: 'in comfort',
  stress: 'under water stress',
} as const;

const THRESHOLD_NAMES: Record<ThresholdKind, string> = { stressPoint: 'stress point', fieldCapacity: 'field capacity' };
const BASIS_NAMES = { annotation: 'line drawn on its curve', soil_profile: 'soil profile' } as const;

export const englishState: StatePhrases = {
  noSoilMoisture: 'It has no soil moisture sensor; get_moisture_series shows what it measures.',
  noMoisture: (name) => `How ${name} stands is not known: there is no soil moisture of it.`,
  reading: (value, at) => `${value} % by volume ${at}`,
  state: (name, state, read) => `${name} is ${STATE_NAMES[state]}, ${read}.`,
  noThresholds: (name, read) => `How ${name} stands is not known, for want of thresholds: ${read}.`,
  staleData: (name, age, read) =>
    `Old data, so how ${name} stands is not known: its newest moisture is ${age} old, ${read}.`,
  thresholds: (known) =>
    `${capitalize(known.map(({ kind, value, basis }) => `${THRESHOLD_NAMES[kind]} ${value} % (${BASIS_NAMES[basis]})`).join(', '))}.`,
  crossedThresholds: 'They are crossed, so this state means nothing: correct one with update_annotation.',
  missingThresholds: (missing) =>
    `No ${missing.map((kind) => THRESHOLD_NAMES[kind]).join(' and no ')}: declare its parcel's soil with set_soil_profile, or draw a line with create_annotation.`,
};
