import type { UsdaClass } from '../soil/soil-catalog.ts';
import type { AgronomicState } from './agronomic-state.ts';
import { readingAge } from './coverage.ts';

/** In kPa, which are centibars. Higher is drier. Null if not drawn. */
export interface TensionLevels {
  readonly wetLevel: number | null;
  readonly dryLevel: number | null;
}

/** Permanent wilting point. */
export const MAX_TENSION_KPA = 1500;

export const areLevelsCrossed = ({ wetLevel, dryLevel }: TensionLevels): boolean =>
  wetLevel !== null && dryLevel !== null && wetLevel >= dryLevel;

interface NewestTension {
  readonly at: number;
  readonly value: number | null;
}

/** Null where it is unknown: without fresh data or a dry level. */
export function isAboveDryLevel(newest: NewestTension | null, levels: TensionLevels, now: number): boolean | null {
  if (newest === null || newest.value === null || !readingAge(newest.at, now).isFresh) return null;
  return levels.dryLevel === null || areLevelsCrossed(levels) ? null : newest.value > levels.dryLevel;
}

/** One level is enough for the state beyond it. */
export function classifyTension(
  newest: NewestTension | null,
  levels: TensionLevels,
  now: number,
): AgronomicState | null {
  if (newest === null || newest.value === null || !readingAge(newest.at, now).isFresh) return null;
  if (areLevelsCrossed(levels)) return null;
  const { wetLevel, dryLevel } = levels;
  if (dryLevel !== null && newest.value > dryLevel) return 'stress';
  if (wetLevel !== null && newest.value < wetLevel) return 'saturated';
  return wetLevel === null || dryLevel === null ? null : 'comfort';
}

/** Below `wetLevel` the soil is saturated; growers mostly irrigate between `dryFrom` and `dryTo`. In kPa. */
export interface TypicalTension {
  readonly wetLevel: number;
  readonly dryFrom: number;
  readonly dryTo: number;
}

const COARSE: TypicalTension = { wetLevel: 10, dryFrom: 10, dryTo: 30 };
const MEDIUM: TypicalTension = { wetLevel: 10, dryFrom: 30, dryTo: 60 };
const FINE: TypicalTension = { wetLevel: 10, dryFrom: 60, dryTo: 100 };

const COARSE_CLASSES: readonly UsdaClass[] = ['Sand', 'Loamy sand'];
const FINE_CLASSES: readonly UsdaClass[] = ['Sandy clay', 'Silty clay', 'Clay'];

/**
 * A start only: the best levels depend on crop, climate and equipment (2 to 800 kPa; C. C. Shock and F.-X. Wang (2011),
 * Soil Water Tension, a Powerful Measurement for Productivity and Stewardship, HortScience 46:178-185). Source of the
 * ranges: Irrometer, Soil Water Basics (irrometer.com/basics.html); of coarse and fine classes: Soil Survey Manual,
 * USDA Handbook 18, chapter 3.
 */
export function typicalTension(usdaClass: UsdaClass): TypicalTension {
  if (COARSE_CLASSES.includes(usdaClass)) return COARSE;
  return FINE_CLASSES.includes(usdaClass) ? FINE : MEDIUM;
}
