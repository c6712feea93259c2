import { roundTo } from '../decimal.ts';
import { type DepletionBasis, stressPointOf, THRESHOLD_DECIMALS } from '../soil/allowed-depletion.ts';
import { meanSoil, type SoilConstants } from '../soil/soil-catalog.ts';
import { type DatedLayer, soilAt } from '../soil/soil-profile.ts';
import { readingAge } from './coverage.ts';
import type { SummaryCurve } from './summary-curve.ts';

/** Source: spec, "Agronomic states". */
export const AGRONOMIC_STATES = ['saturated', 'comfort', 'stress'] as const;
export type AgronomicState = (typeof AGRONOMIC_STATES)[number];

export type ThresholdBasis = 'annotation' | 'soil_profile';

export interface AgronomicThresholds {
  /** In % of volume. */
  readonly fieldCapacity: number | null;
  readonly wiltingPoint: number | null;
  /** Null unless the wilting point is below field capacity. */
  readonly stressPoint: number | null;
  readonly allowedDepletion: number;
  readonly basis: {
    readonly fieldCapacity: ThresholdBasis | null;
    readonly wiltingPoint: ThresholdBasis | null;
    /** `annotation` when both of the others are drawn. */
    readonly stressPoint: ThresholdBasis | null;
    readonly allowedDepletion: DepletionBasis;
  };
}

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
  const inPercent = (share: number): number => roundTo(100 * share, THRESHOLD_DECIMALS);
  const fieldCapacity = lines.fieldCapacity ?? (soil && inPercent(soil.fieldCapacity));
  const wiltingPoint = lines.wiltingPoint ?? (soil && inPercent(soil.wiltingPoint));
  const stressPoint =
    fieldCapacity === null || wiltingPoint === null || wiltingPoint >= fieldCapacity
      ? null
      : stressPointOf(fieldCapacity, wiltingPoint, depletion.share);
  const basisOf = (line: number | null): ThresholdBasis | null =>
    line !== null ? 'annotation' : soil !== null ? 'soil_profile' : null;
  const areDrawn = lines.fieldCapacity !== null && lines.wiltingPoint !== null;
  return {
    ...{ fieldCapacity, wiltingPoint, stressPoint },
    allowedDepletion: depletion.share,
    basis: {
      fieldCapacity: basisOf(lines.fieldCapacity),
      wiltingPoint: basisOf(lines.wiltingPoint),
      stressPoint: stressPoint === null ? null : areDrawn ? 'annotation' : 'soil_profile',
      allowedDepletion: depletion.basis,
    },
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
