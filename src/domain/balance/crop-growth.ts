import type { CropOfDay } from './daily-balance.ts';
import {
  type Coefficients,
  coefficientOn,
  type GrowthStage,
  growthOn,
  type StageLengths,
} from './growth-stages.ts';
import { availableMm, type BalanceLayers } from './root-zone-soil.ts';

/** A crop, as the balance of its season needs it. */
export interface GrowingCrop {
  readonly basis: 'dual' | 'single';
  readonly coefficients: Coefficients;
  /** In m. */
  readonly height: { readonly initial: number; readonly max: number };
  readonly rootsCm: { readonly initial: number; readonly max: number };
  /** p of table 22. */
  readonly allowedDepletion: number;
}

/** When it grows: by days from planting, or by stages where their lengths are unknown. */
export type GrowthClock =
  | { readonly lengths: StageLengths; readonly dayOf: (index: number) => number }
  | { readonly stageOf: (index: number) => GrowthStage };

/** The coefficient of dry soil without a crop: 0.15 to 0.20 according to FAO-56, equation 76. */
const BARE_SOIL_COEFFICIENT = 0.15;

/** The crop on the day `index` of a balance. */
export function cropOfDay(
  crop: GrowingCrop,
  clock: GrowthClock,
  layers: BalanceLayers,
  index: number,
): CropOfDay {
  const { coefficients, height, rootsCm } = crop;
  const { coefficient, growth } = growthOfDay(coefficients, clock, index);
  const rootDepthCm = rootsCm.initial + growth * (rootsCm.max - rootsCm.initial);
  const available = availableMm(layers, rootDepthCm);
  return {
    coefficient,
    basis: crop.basis,
    coefficientOfBareSoil: Math.min(coefficients.initial, BARE_SOIL_COEFFICIENT),
    heightM: height.initial + growth * (height.max - height.initial),
    allowedDepletion: crop.allowedDepletion,
    availableMm: available,
    availableBelowMm: availableMm(layers, rootsCm.max) - available,
  };
}

function growthOfDay(
  coefficients: Coefficients,
  clock: GrowthClock,
  index: number,
): { readonly coefficient: number; readonly growth: number } {
  if ('lengths' in clock) {
    const day = clock.dayOf(index);
    return {
      coefficient: coefficientOn(day, clock.lengths, coefficients),
      growth: growthOn(day, clock.lengths),
    };
  }

  const { initial, mid, end } = coefficients;
  const ofStage = {
    initial: { coefficient: initial, growth: 0 },
    development: { coefficient: (initial + mid) / 2, growth: 0.5 },
    mid: { coefficient: mid, growth: 1 },
    late: { coefficient: (mid + end) / 2, growth: 1 },
  };
  return ofStage[clock.stageOf(index)];
}
