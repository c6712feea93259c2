import type { AgronomicState } from '../moisture/agronomic-state.ts';

/** What decides how urgently a probe needs a look. Moisture in %, tension in kPa; null where unknown. */
export interface ProbeCondition {
  readonly id: number;
  readonly state: AgronomicState | null;
  /** Above the drawn dry level; of tensiometers. */
  readonly isDry: boolean;
  /** Today, beyond what is planned. */
  readonly needsWater: boolean;
  readonly daysToStress: number | null;
  readonly moisture: number | null;
  readonly tension: number | null;
  readonly hasFiringAlert: boolean;
  readonly hasSensorDoubt: boolean;
  readonly isSilent: boolean;
}

/** Soon: time enough to plan a watering, as far as a drying rate can be trusted. */
const SOON_DAYS = 3;

/** Most urgent first. A probe without fresh data may be dry unseen, so that it comes before those that are well. */
export const NEEDS = [
  'stress',
  'water',
  'firing',
  'soon',
  'doubt',
  'silent',
  'comfort',
  'unjudged',
  'saturated',
] as const;
export type Need = (typeof NEEDS)[number];

export function needOf(probe: ProbeCondition): Need {
  const { state, daysToStress: days } = probe;
  if (probe.isSilent) return probe.hasFiringAlert ? 'firing' : 'silent';
  if (state === 'stress' || probe.isDry || days === 0) return 'stress';
  if (probe.needsWater) return 'water';
  if (probe.hasFiringAlert) return 'firing';
  if (days !== null && days <= SOON_DAYS) return 'soon';
  if (probe.hasSensorDoubt) return 'doubt';
  if (state === 'saturated') return 'saturated';
  return state === 'comfort' || days !== null ? 'comfort' : 'unjudged';
}

const SCALE = 10;
const LAST = Number.MAX_SAFE_INTEGER;

const scaled = (value: number | null): number => (value === null ? LAST : Math.round(value * SCALE));

/** Whole numbers, to be compared one after the other: the need, days until stress, the driest, then the id. */
export const needOrder = (probe: ProbeCondition): number[] => [
  NEEDS.indexOf(needOf(probe)),
  scaled(probe.daysToStress),
  probe.moisture === null && probe.tension !== null ? -scaled(probe.tension) : scaled(probe.moisture),
  probe.id,
];

export function compareOrders(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, place) => value !== b[place]);
  return index < 0 ? 0 : a[index]! - b[index]!;
}
