import { roundTo } from '../decimal.ts';
import { itemAt } from '../items.ts';
import {
  type DepletionBasis,
  stressPointOf,
  THRESHOLD_DECIMALS,
} from '../soil/allowed-depletion.ts';
import { meanSoil, type SoilConstants } from '../soil/soil-catalog.ts';
import { type DatedLayer, soilAt } from '../soil/soil-profile.ts';
import { readingAge } from './coverage.ts';
import type { SummaryCurve } from './summary-curve.ts';

/** Source: spec, "Agronomic states". */
export const AGRONOMIC_STATES = ['saturated', 'comfort', 'stress'] as const;
export type AgronomicState = (typeof AGRONOMIC_STATES)[number];

export type ThresholdBasis = 'annotation' | 'soil_profile';

export interface AgronomicThresholds {
  /** In % of volume, like the next two. */
  readonly fieldCapacity: number | null;
  readonly wiltingPoint: number | null;
  /** Null unless the wilting point is below the field capacity. */
  readonly stressPoint: number | null;
  /** A share, from 0 to 1. */
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
): SoilConstants | null {
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

export interface NewestValue {
  readonly at: number;
  readonly value: number | null;
}

/** Null if there is no value or it is too old. */
export const freshValue = (newest: NewestValue | null, now: number): number | null =>
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
