import {
  evaporationReduction,
  exposedWetShare,
  groundCover,
  type ReferenceCrop,
  type SurfaceSoil,
  upperCoefficient,
} from './soil-evaporation.ts';

/** The weather and water of a day. Amounts are in mm over the whole area. */
export interface BalanceDay {
  /** Reference evapotranspiration. */
  readonly et0Mm: number;
  readonly rainMm: number;
  /** Irrigation that reaches the soil. */
  readonly irrigationMm: number;
  /** The share of the surface that this irrigation wets (table 20). */
  readonly wettedFraction: number;
  /** At 2 m; null if unknown. */
  readonly windMs: number | null;
  /** Lowest relative humidity in %; null if unknown. */
  readonly humidityMin: number | null;
}

/** The crop on a day. */
export interface CropOfDay {
  /**
   * The coefficient of the crop alone (Kcb) where the evaporation of the soil is computed beside
   * it, else of crop and soil together (Kc).
   */
  readonly coefficient: number;
  readonly basis: 'dual' | 'single';
  /** Kcb of bare soil, before the crop has grown. */
  readonly coefficientOfBareSoil: number;
  readonly heightM: number;
  /** p of table 22. */
  readonly allowedDepletion: number;
  /** TAW of equation 82, of the soil that the roots have reached. */
  readonly availableMm: number;
  /** The same of the soil that they have not reached yet, but will. */
  readonly availableBelowMm: number;
}

export interface BalanceState {
  /** De: water that the wet and bare part of the surface has lost, in mm. */
  readonly surfaceMm: number;
  /** fw: the share of the surface that the last water has wetted. */
  readonly wettedFraction: number;
  /** The last water that wetted the surface was rain. */
  readonly isWetByRain: boolean;
  /** Dr: water that the root zone lacks to field capacity, in mm. */
  readonly rootZoneMm: number;
  /**
   * Water that the soil lacks which the roots have not reached, in mm. Null where that soil counts
   * as full, as in FAO-56.
   */
  readonly belowMm: number | null;
  readonly availableBelowMm: number;
}

export interface BalanceOptions {
  readonly surface: SurfaceSoil;
  readonly reference: ReferenceCrop;
  /** p follows the demand of the day (FAO-56, page 162). */
  readonly adjustsDepletion: boolean;
  /**
   * The share of the area that the root zone covers: 1, or the part that irrigation wets.
   * There irrigation, transpiration and the evaporation of irrigation water are concentrated, rain
   * and its evaporation are not.
   */
  readonly zoneFraction: number;
  /**
   * No more evaporates in a day than the surface holds. FAO-56 has no such limit, so that on a hot
   * day a small wetted share would lose some mm that it does not have.
   */
  readonly limitsEvaporation: boolean;
  /** What a field was seen to lose over what FAO-56 says; default 1. */
  readonly useShare?: number | undefined;
  /** What a mulch leaves of the evaporation of bare soil; default 1. */
  readonly evaporationShare?: number | undefined;
}

export interface BalanceResult {
  readonly state: BalanceState;
  /** mm over the whole area. */
  readonly evaporationMm: number;
  readonly transpirationMm: number;
  /** What the root zone loses by both, in mm of the zone. */
  readonly lossMm: number;
  /** Ks: 1 without stress. */
  readonly stressFactor: number;
  /** Water that drained below the roots, in mm of the zone. */
  readonly percolationMm: number;
}

/** Less rain does not wet the whole surface. An assumption; FAO-56 has no limit. */
const MIN_WETTING_RAIN_MM = 3;

const between = (low: number, value: number, high: number): number =>
  Math.min(high, Math.max(low, value));

/** The balance of a day, by FAO-56 chapters 7 and 8. */
export function balanceOfDay(
  before: BalanceState,
  day: BalanceDay,
  crop: CropOfDay,
  options: BalanceOptions,
): BalanceResult {
  const surface = surfaceOfDay(before, day, crop, options);
  const depletion = allowedDepletionOn(day, crop, surface.evaporationCoefficient, options);
  const stressFactor = stressFactorOf(before.rootZoneMm, crop.availableMm, depletion);
  const transpirationMm = stressFactor * crop.coefficient * day.et0Mm;

  const { zoneFraction, useShare = 1 } = options;
  const evaporationMm = surface.evaporationCoefficient * day.et0Mm;
  const evaporationShare = surface.isWetByRain ? 1 : zoneFraction;
  const lossMm = useShare * (transpirationMm / zoneFraction + evaporationMm / evaporationShare);
  const gainMm = day.rainMm + day.irrigationMm / zoneFraction;
  const roots = rootZoneAfter(before, crop, lossMm - gainMm);

  return {
    state: {
      surfaceMm: surface.lostMm,
      wettedFraction: surface.wettedFraction,
      isWetByRain: surface.isWetByRain,
      ...roots.state,
    },
    evaporationMm,
    transpirationMm,
    lossMm,
    stressFactor,
    percolationMm: roots.percolationMm,
  };
}

/** Equations 71 and 77 to 79. */
function surfaceOfDay(
  before: BalanceState,
  { rainMm, irrigationMm, et0Mm, ...day }: BalanceDay,
  { basis, coefficient, coefficientOfBareSoil, heightM }: CropOfDay,
  { surface, reference, limitsEvaporation, evaporationShare = 1 }: BalanceOptions,
) {
  const isWetByRain =
    irrigationMm > 0 ? false : before.isWetByRain || rainMm >= MIN_WETTING_RAIN_MM;
  const ofRainOrBefore = rainMm >= MIN_WETTING_RAIN_MM ? 1 : before.wettedFraction;
  const wettedFraction = irrigationMm > 0 ? day.wettedFraction : ofRainOrBefore;
  if (basis === 'single')
    return { evaporationCoefficient: 0, lostMm: before.surfaceMm, wettedFraction, isWetByRain };

  const upper = upperCoefficient(coefficient, heightM, day, reference);
  const cover = groundCover(coefficient, coefficientOfBareSoil, upper, heightM);
  const exposed = exposedWetShare(cover, wettedFraction);
  const reduction = evaporationReduction(before.surfaceMm, surface);
  const ofBareSoil = Math.min(reduction * (upper - coefficient), exposed * upper);
  const byDemand = evaporationShare * ofBareSoil;

  const wettingMm = rainMm + irrigationMm / wettedFraction;
  const lostBeforeMm = Math.max(0, before.surfaceMm - wettingMm);
  const remainingMm = surface.totalMm - lostBeforeMm;
  const evaporatedMm = (byDemand * et0Mm) / exposed;
  const exceeds = evaporatedMm > remainingMm;
  return {
    evaporationCoefficient:
      exceeds && limitsEvaporation ? (remainingMm * exposed) / et0Mm : byDemand,
    lostMm: lostBeforeMm + Math.min(evaporatedMm, remainingMm),
    wettedFraction,
    isWetByRain,
  };
}

/** FAO-56, page 162: p falls where the air takes more than 5 mm a day. */
function allowedDepletionOn(
  { et0Mm }: BalanceDay,
  { coefficient, allowedDepletion }: CropOfDay,
  evaporationCoefficient: number,
  { adjustsDepletion }: BalanceOptions,
): number {
  if (!adjustsDepletion) return allowedDepletion;
  const demandMm = (coefficient + evaporationCoefficient) * et0Mm;
  return between(0.1, allowedDepletion + 0.04 * (5 - demandMm), 0.8);
}

/** Equation 84. */
const stressFactorOf = (lackMm: number, available: number, depletion: number): number =>
  available === 0 ? 0 : between(0, (available - lackMm) / ((1 - depletion) * available), 1);

/** Equations 85 to 88, with `lossMm` the loss less the gain of the day. */
function rootZoneAfter(
  { rootZoneMm, belowMm, availableBelowMm }: BalanceState,
  crop: CropOfDay,
  lossMm: number,
): {
  readonly state: Pick<BalanceState, 'rootZoneMm' | 'belowMm' | 'availableBelowMm'>;
  readonly percolationMm: number;
} {
  // Roots that grow reach soil that lacks as much as what they leave below.
  const reachedMm =
    belowMm === null || availableBelowMm <= 0
      ? 0
      : belowMm * (1 - crop.availableBelowMm / availableBelowMm);
  const lackMm = rootZoneMm + reachedMm + lossMm;
  const lacking = between(0, lackMm, crop.availableMm);

  if (belowMm === null)
    return {
      state: { rootZoneMm: lacking, belowMm: null, availableBelowMm: 0 },
      percolationMm: Math.max(0, -lackMm),
    };

  // What the root zone cannot hold refills the soil below it; the rest drains.
  const belowAfterMm = belowMm - reachedMm + Math.min(0, lackMm);
  return {
    state: {
      rootZoneMm: lacking,
      belowMm: between(0, belowAfterMm, crop.availableBelowMm),
      availableBelowMm: crop.availableBelowMm,
    },
    percolationMm: Math.max(0, -belowAfterMm),
  };
}
