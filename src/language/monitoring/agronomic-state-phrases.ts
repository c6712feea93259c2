import type { TensionFlag } from '../../domain/facts/suspect-tension.ts';
import { withoutNulls } from '../../domain/items.ts';
import type { ThresholdBasis } from '../../domain/moisture/agronomic-state.ts';
import type { DepletionBasis } from '../../domain/soil/allowed-depletion.ts';
import { capitalize } from '../../domain/text.ts';
import { nextCall, nextLine } from '../next-calls.ts';

export type ThresholdKind = 'fieldCapacity' | 'wiltingPoint';

const STATE_NAMES = {
  saturated: 'above field capacity',
  comfort: 'in comfort',
  stress: 'under water stress',
} as const;

export const statePhrases = {
  noMoisture: (name: string) =>
    `The state of ${name} is unknown: it has no soil moisture readings.`,
  reading: (value: string, at: string) => `${value} % by volume ${at}`,
  state: (name: string, state: 'saturated' | 'comfort' | 'stress', reading: string) =>
    `${name} is ${STATE_NAMES[state]}, ${reading}.`,
  noThresholds: (name: string, reading: string) =>
    `The state of ${name} is unknown because it has no usable thresholds: ${reading}.`,
  staleData: (name: string, age: string, reading: string) =>
    `Old data, so the state of ${name} is unknown: its newest moisture is ${age} old, ${reading}.`,
};

interface ThresholdFacts {
  readonly kind: ThresholdKind;
  readonly value: string;
  readonly basis: ThresholdBasis;
}

const THRESHOLD_NAMES: Readonly<Record<ThresholdKind, string>> = {
  fieldCapacity: 'field capacity',
  wiltingPoint: 'wilting point',
};

const BASIS_NAMES = {
  annotation: 'line drawn on its curve',
  soil_profile: 'soil profile',
} as const;

export const thresholdPhrases = {
  noSoilMoisture: `It has no soil moisture sensor.${nextCall('get_moisture_series')}`,
  thresholds: (stressPoint: string | null, thresholds: readonly ThresholdFacts[]) => {
    const rows = thresholds.map(
      ({ kind, value, basis }) => `${THRESHOLD_NAMES[kind]} ${value} % (${BASIS_NAMES[basis]})`,
    );
    return `${capitalize(withoutNulls([stressPoint === null ? null : `stress point ${stressPoint} %`, ...rows]).join(', '))}.`;
  },
  crossedThresholds: `The wilting point is not below the field capacity, so there is no stress point: move or delete a line.${nextCall('update_annotation')}${nextCall('delete_annotation')}`,
  allowedDepletion: {
    setting: (percent: string, _crop: string) =>
      `Plants begin to suffer when ${percent} % of the water between field capacity and wilting point is used, as set for this probe.`,
    crop: (percent: string, crop: string) =>
      `Plants begin to suffer when ${percent} % of the water between field capacity and wilting point is used: the figure of FAO-56 for the crop of the parcel (${crop}).`,
    default: (percent: string, _crop: string) =>
      `Plants begin to suffer when about ${percent} % of the water between field capacity and wilting point is used; with the crop, its own figure counts.${nextCall('set_parcel', 'type')}`,
  } satisfies Record<DepletionBasis, (percent: string, crop: string) => string>,
  missingThresholds: (missing: readonly ThresholdKind[]) =>
    `No ${missing.map((kind) => THRESHOLD_NAMES[kind]).join(' and no ')}: declare the soil of its parcel, or draw a line.${nextCall('set_soil_profile')}${nextCall('create_annotation')}`,
};

interface TensionFacts {
  readonly name: string;
  readonly reading: string;
  /** Levels in kPa; empty if not drawn. */
  readonly wet: string;
  readonly dry: string;
}

interface SuspectFigures {
  readonly since: string;
  /** In kPa; `from` is empty for a value that stands still. */
  readonly value: string;
  readonly from: string;
}

export const tensionPhrases = {
  noReading: (name: string) => `The state of ${name} is unknown: it has no readings of tension.`,
  reading: (value: string, at: string) => `${value} kPa ${at}`,
  staleData: (name: string, age: string, reading: string) =>
    `Old data, so the state of ${name} is unknown: its newest tension is ${age} old, ${reading}.`,
  tooDry: ({ name, reading, dry }: TensionFacts) =>
    `${name} is too dry: ${reading}, above its dry level of ${dry} kPa (higher is drier).`,
  tooWet: ({ name, reading, wet }: TensionFacts) =>
    `${name} is wet: ${reading}, below its wet level of ${wet} kPa (higher is drier).`,
  comfort: ({ name, reading, wet, dry }: TensionFacts) =>
    `${name} is in comfort: ${reading}, between its wet level of ${wet} and its dry level of ${dry} kPa (higher is drier).`,
  notDry: ({ name, reading, dry }: TensionFacts) =>
    `${name} is not too dry: ${reading}, not above its dry level of ${dry} kPa (higher is drier). No wet level is drawn.`,
  notWet: ({ name, reading, wet }: TensionFacts) =>
    `${name} is not wet: ${reading}, not below its wet level of ${wet} kPa (higher is drier). Whether it is too dry is unknown, because no dry level is drawn.`,
  noLevels: ({ name, reading }: TensionFacts) =>
    `${name} reads ${reading}, where higher is drier. Whether that is too dry is unknown, because no levels are drawn.`,
  crossedLevels: ({ name, reading, wet, dry }: TensionFacts) =>
    `${name} reads ${reading}, where higher is drier, but its wet level of ${wet} kPa is not below its dry level of ${dry} kPa: correct one.${nextCall('update_annotation')}`,
  inDoubt: (name: string, reading: string) =>
    `${name} reads ${reading} (higher is drier), which says neither wet nor dry.`,
  suspect: {
    TENSION_AT_ZERO: (sensor, { since }) =>
      `${sensor} has stood at 0 kPa since ${since}, as an empty tensiometer or a cable with a short circuit does: refill it or check the cable, and look at the soil by hand.`,
    TENSION_AT_LIMIT: (sensor, { since, value }) =>
      `${sensor} has stood at ${value} kPa since ${since}, the highest that it sends: the soil is that dry, or the sensor has lost contact with it, or its cable is broken: look at the soil by hand, and water if it is dry.`,
    TENSION_FELL: (sensor, { since, from, value }) =>
      `${sensor} fell from ${from} to ${value} kPa (${since}), but no watering or rain is recorded then and no other depth or probe of the parcel moved: ask whether it was watered or rained, and log that; else check the sensor and its cable, and look at the soil by hand.`,
  } satisfies Record<TensionFlag, (sensor: string, figures: SuspectFigures) => string>,
  sensorAt: (depth: string | null) =>
    depth === null ? 'Its tension' : `Its tension at ${depth} cm`,
  waterNow: 'Water now.',
  notYet: 'No need to water yet.',
  typical: (texture: string, { wet, from, to }: { wet: number; from: number; to: number }) =>
    `Usual on ${texture.toLowerCase()}: water between ${from} and ${to} kPa, wet below ${wet} kPa; it depends on the crop.`,
  drawLevels: `Ask which levels apply, then draw them.${nextLine('dry or wet')}`,
  unknownSoil: `Usual levels depend on the soil: with the texture of its parcel they are suggested.${nextCall('set_soil_profile')}`,
};
