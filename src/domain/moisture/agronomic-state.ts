import { roundTo } from '../decimal.ts';
import { meanSoil, READILY_AVAILABLE_FRACTION, type SoilConstants } from '../soil/soil-catalog.ts';
import { type DatedLayer, soilAt } from '../soil/soil-profile.ts';
import { readingAge } from './coverage.ts';
import type { SummaryCurve } from './summary-curve.ts';

/** Source: spec, "Agronomic states". */
export const AGRONOMIC_STATES = ['saturated', 'comfort', 'stress'] as const;
export type AgronomicState = (typeof AGRONOMIC_STATES)[number];

export type ThresholdBasis = 'annotation' | 'soil_profile';

export interface AgronomicThresholds {
  readonly fieldCapacity: number | null;
  readonly stressPoint: number | null;
  readonly basis: { readonly fieldCapacity: ThresholdBasis | null; readonly stressPoint: ThresholdBasis | null };
}

const THRESHOLD_DECIMALS = 2;

/** In m3/m3, weighted like the curve over sensors with a value and a layer. */
export function curveSoilConstants(
  curve: SummaryCurve,
  layers: readonly DatedLayer[],
  at: number,
  hasValue: (sensor: number) => boolean,
): Pick<SoilConstants, 'fieldCapacity' | 'wiltingPoint'> | null {
  const soils = curve.depthsCm.flatMap((depth, sensor) => {
    const soil = depth === null || !hasValue(sensor) ? null : soilAt(layers, depth, at);
    return soil === null ? [] : [{ weight: curve.weights[sensor]!, soil }];
  });
  return meanSoil(soils);
}

/** Drawn lines (%) override soil constants (m3/m3). */
export function resolveThresholds(
  lines: { readonly fieldCapacity: number | null; readonly stressPoint: number | null },
  soil: Pick<SoilConstants, 'fieldCapacity' | 'wiltingPoint'> | null,
): AgronomicThresholds {
  const fieldCapacity = soil && roundTo(100 * soil.fieldCapacity, THRESHOLD_DECIMALS);
  const stressPoint =
    soil &&
    roundTo(
      100 * (soil.fieldCapacity - READILY_AVAILABLE_FRACTION * (soil.fieldCapacity - soil.wiltingPoint)),
      THRESHOLD_DECIMALS,
    );
  const basisOf = (line: number | null): ThresholdBasis | null =>
    line !== null ? 'annotation' : soil !== null ? 'soil_profile' : null;
  return {
    fieldCapacity: lines.fieldCapacity ?? fieldCapacity,
    stressPoint: lines.stressPoint ?? stressPoint,
    basis: { fieldCapacity: basisOf(lines.fieldCapacity), stressPoint: basisOf(lines.stressPoint) },
  };
}

export function classifyAgronomicState(
  newest: { readonly at: number; readonly value: number | null } | null,
  { fieldCapacity, stressPoint }: Pick<AgronomicThresholds, 'fieldCapacity' | 'stressPoint'>,
  now: number,
): AgronomicState | null {
  if (newest === null || newest.value === null || !readingAge(newest.at, now).isFresh) return null;
  if (fieldCapacity === null || stressPoint === null) return null;
  if (newest.value > fieldCapacity) return 'saturated';
  return newest.value < stressPoint ? 'stress' : 'comfort';
}
