import { itemAt } from '../../items.ts';
import type { AgronomicState } from '../../moisture/agronomic-state.ts';
import { type CheckReason, isAlwaysChecked } from '../reason-kinds.ts';

/**
 * The facts that decide how urgently a probe needs a look. Moisture in %, tension in kPa; null
 * where unknown.
 */
export interface ProbeCondition {
  readonly id: number;
  readonly state: AgronomicState | null;
  /** True only for a tensiometer whose dry level is drawn. */
  readonly isAboveDryLevel: boolean;
  /** More water is needed today than is planned. */
  readonly needsWater: boolean;
  readonly daysToStress: number | null;
  readonly moisture: number | null;
  readonly tension: number | null;
  readonly hasFiringAlert: boolean;
  /** The reason to check it before it is watered. */
  readonly check: CheckReason | null;
  readonly isSilent: boolean;
}

/** Enough time to plan a watering, and not too far ahead to trust a drying rate. */
const SOON_DAYS = 3;

/**
 * Most urgent first. A reading in doubt says neither stress nor comfort, so it comes before both;
 * a probe that seems dry although it was just watered (`recheck`) comes after those that need it. A
 * silent probe may be dry without anyone knowing, so it comes before those that are well.
 */
export const NEEDS = [
  'doubt',
  'stress',
  'water',
  'recheck',
  'firing',
  'soon',
  'silent',
  'comfort',
  'unjudged',
  'saturated',
] as const;
export type Need = (typeof NEEDS)[number];

export function needOf(probe: ProbeCondition): Need {
  const { state, daysToStress: days, check } = probe;
  if (probe.isSilent) return probe.hasFiringAlert ? 'firing' : 'silent';
  if (check !== null) return isAlwaysChecked(check) ? 'doubt' : 'recheck';
  if (state === 'stress' || probe.isAboveDryLevel || days === 0) return 'stress';
  if (probe.needsWater) return 'water';
  if (probe.hasFiringAlert) return 'firing';
  if (days !== null && days <= SOON_DAYS) return 'soon';
  if (state === 'saturated') return 'saturated';
  return state === 'comfort' || days !== null ? 'comfort' : 'unjudged';
}

/** In tenths, so that values that look equal sort as equal. Unknown ones come last. */
const tenths = (value: number | null): number =>
  value === null ? Number.MAX_SAFE_INTEGER : Math.round(value * 10);

/**
 * Sort key: the need, the days until stress, the moisture (driest first) and the id, as whole
 * numbers.
 */
export const needSortKey = (
  need: Need,
  probe: Pick<ProbeCondition, 'daysToStress' | 'moisture' | 'tension' | 'id'>,
): number[] => [
  NEEDS.indexOf(need),
  tenths(probe.daysToStress),
  // A higher tension is drier.
  probe.moisture === null && probe.tension !== null
    ? -tenths(probe.tension)
    : tenths(probe.moisture),
  probe.id,
];

export function compareSortKeys(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, position) => value !== b[position]);
  return index < 0 ? 0 : itemAt(a, index) - itemAt(b, index);
}
