import { capital } from '../domain/capital.ts';
import type { StateWords, ThresholdKind } from './state-words.ts';

const STATES = {
  saturated: 'saturated, wetter than its soil keeps',
  comfort: 'in comfort',
  stress: 'under water stress',
} as const;

const KINDS: Record<ThresholdKind, string> = { stressPoint: 'stress point', fieldCapacity: 'field capacity' };
const RESTS_ON = { annotation: 'line drawn on its curve', soil_profile: 'soil profile' } as const;

export const englishStates: StateWords = {
  noSoilMoisture: 'It has no soil moisture sensor; get_moisture_series shows what it measures.',
  noMoisture: (name) => `How ${name} stands is not known: there is no soil moisture of it.`,
  read: (value, at) => `${value} % by volume ${at}`,
  stands: (name, state, read) => `${name} is ${STATES[state]}, ${read}.`,
  noThresholds: (name, read) => `How ${name} stands is not known, for want of thresholds: ${read}.`,
  old: (name, age, read) => `Old data, so how ${name} stands is not known: its newest moisture is ${age} old, ${read}.`,
  thresholds: (known) =>
    `${capital(known.map(({ kind, value, restsOn }) => `${KINDS[kind]} ${value} % (${RESTS_ON[restsOn]})`).join(', '))}.`,
  crossed: 'They are crossed, so this state means nothing: correct one with update_annotation.',
  undeclared: (missing) =>
    `No ${missing.map((kind) => KINDS[kind]).join(' and no ')}: declare its parcel's soil with set_soil_profile, or draw a line with create_annotation.`,
};
