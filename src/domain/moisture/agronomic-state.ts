import { roundTo } from '../decimal.ts';
import { itemAt } from '../items.ts';
import {
  type DepletionBasis,
  stressPointOf,
  THRESHOLD_DECIMALS,
} from '../soil/allowed-depletion.ts';
import { meanSoil, type SoilConstants, type UsdaClass } from '../soil/soil-catalog.ts';
import { type DatedLayer, soilAt } from '../soil/soil-profile.ts';
import { readingAge } from './coverage.ts';
import type { SummaryCurve } from './summary-curve.ts';

/** Source: spec, "Agronomic states". */
export const AGRONOMIC_STATES = ['saturated', 'comfort', 'stress'] as const;
export type AgronomicState = (typeof AGRONOMIC_STATES)[number];

export type ThresholdBasis = 'annotation' | 'soil_profile';

interface AgronomicThresholds {
  /** Values in % of volume. */
  readonly fieldCapacity: number | null;
  readonly wiltingPoint: number | null;
  /** Null unless the wilting point is below the field capacity. */
  readonly stressPoint: number | null;
  readonly allowedDepletion: number;
  readonly basis: {
    readonly fieldCapacity: ThresholdBasis | null;
    readonly wiltingPoint: ThresholdBasis | null;
    /** `annotation` if both field capacity and wilting point are drawn. */
    readonly stressPoint: ThresholdBasis | null;
    readonly allowedDepletion: DepletionBasis;
  };
}

/** The mean in m3/m3 of the sensors with a value and a soil layer, weighted like the curve. */
export function curveSoilConstants(
  curve: SummaryCurve,
  layers: readonly DatedLayer[],
  at: number,
  hasValue: (sensor: number) => boolean,
): Pick<SoilConstants, 'fieldCapacity' | 'wiltingPoint'> | null {
  const soils = curve.depthsCm.flatMap((depth, sensor) => {
    const soil = depth === null || !hasValue(sensor) ? null : soilAt(layers, depth, at);
    return soil === null ? [] : [{ weight: itemAt(curve.weights, sensor), soil }];
  });
  return meanSoil(soils);
}

export const areThresholdsCrossed = ({
  fieldCapacity,
  wiltingPoint,
}: Pick<AgronomicThresholds, 'fieldCapacity' | 'wiltingPoint'>): boolean =>
  fieldCapacity !== null && wiltingPoint !== null && wiltingPoint >= fieldCapacity;

/** Drawn lines (%) override soil constants (m3/m3). */
export function resolveThresholds(
  lines: { readonly fieldCapacity: number | null; readonly wiltingPoint: number | null },
  soil: Pick<SoilConstants, 'fieldCapacity' | 'wiltingPoint'> | null,
  depletion: { readonly share: number; readonly basis: DepletionBasis },
): AgronomicThresholds {
  const toPercent = (fraction: number): number => roundTo(100 * fraction, THRESHOLD_DECIMALS);

  const fieldCapacity = lines.fieldCapacity ?? (soil && toPercent(soil.fieldCapacity));
  const wiltingPoint = lines.wiltingPoint ?? (soil && toPercent(soil.wiltingPoint));
  const stressPoint =
    fieldCapacity === null || wiltingPoint === null || wiltingPoint >= fieldCapacity
      ? null
      : stressPointOf(fieldCapacity, wiltingPoint, depletion.share);
  const soilBasis = soil === null ? null : 'soil_profile';
  const basisOf = (line: number | null): ThresholdBasis | null =>
    line === null ? soilBasis : 'annotation';

  const areBothDrawn = lines.fieldCapacity !== null && lines.wiltingPoint !== null;
  const stressBasis = areBothDrawn ? 'annotation' : 'soil_profile';
  return {
    fieldCapacity,
    wiltingPoint,
    stressPoint,
    allowedDepletion: depletion.share,
    basis: {
      fieldCapacity: basisOf(lines.fieldCapacity),
      wiltingPoint: basisOf(lines.wiltingPoint),
      stressPoint: stressPoint === null ? null : stressBasis,
      allowedDepletion: depletion.basis,
    },
  };
}

interface NewestValue {
  readonly at: number;
  readonly value: number | null;
}

/** Null if there is no value or it is too old. */
const freshValue = (newest: NewestValue | null, now: number): number | null =>
  newest !== null && readingAge(newest.at, now).isFresh ? newest.value : null;

export function classifyAgronomicState(
  newest: NewestValue | null,
  { fieldCapacity, stressPoint }: Pick<AgronomicThresholds, 'fieldCapacity' | 'stressPoint'>,
  now: number,
): AgronomicState | null {
  const value = freshValue(newest, now);
  if (value === null || fieldCapacity === null || stressPoint === null) return null;
  if (value > fieldCapacity) return 'saturated';
  return value < stressPoint ? 'stress' : 'comfort';
}

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
