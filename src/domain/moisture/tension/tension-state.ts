import type { UsdaClass } from '../../soil/soil-catalog.ts';
import { type AgronomicState, freshValue, type NewestValue } from '../agronomic-state.ts';

/** Levels in kPa, equal to centibars; higher is drier. Null if not drawn. */
export interface TensionLevels {
  readonly wetLevel: number | null;
  readonly dryLevel: number | null;
}

/** The tension at the permanent wilting point. */
export const MAX_TENSION_KPA = 1500;

export const areLevelsCrossed = ({ wetLevel, dryLevel }: TensionLevels): boolean =>
  wetLevel !== null && dryLevel !== null && wetLevel >= dryLevel;

/** Null if unknown: without fresh data or a usable dry level. */
export function isAboveDryLevel(
  newest: NewestValue | null,
  levels: TensionLevels,
  now: number,
): boolean | null {
  const value = freshValue(newest, now);
  return value === null || levels.dryLevel === null || areLevelsCrossed(levels)
    ? null
    : value > levels.dryLevel;
}

/** A single level is enough to recognize the state beyond it. */
export function classifyTension(
  newest: NewestValue | null,
  levels: TensionLevels,
  now: number,
): AgronomicState | null {
  const value = freshValue(newest, now);
  if (value === null || areLevelsCrossed(levels)) return null;
  const { wetLevel, dryLevel } = levels;
  if (dryLevel !== null && value > dryLevel) return 'stress';
  if (wetLevel !== null && value < wetLevel) return 'saturated';
  return wetLevel === null || dryLevel === null ? null : 'comfort';
}

/**
 * Tensions in kPa. Below `wetLevel` the soil is saturated; growers mostly irrigate between
 * `dryFrom` and `dryTo`.
 */
interface TypicalTension {
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
 * A starting point: the best levels depend on crop, climate and equipment (2 to 800 kPa; C. C.
 * Shock and F.-X. Wang (2011), Soil Water Tension, a Powerful Measurement for Productivity and
 * Stewardship, HortScience 46:178-185). Sources: Irrometer, Soil Water Basics
 * (irrometer.com/basics.html) for the ranges; Soil Survey Manual, USDA Handbook 18, chapter 3, for
 * the coarse and fine classes.
 */
export function typicalTension(usdaClass: UsdaClass): TypicalTension {
  if (COARSE_CLASSES.includes(usdaClass)) return COARSE;
  return FINE_CLASSES.includes(usdaClass) ? FINE : MEDIUM;
}
