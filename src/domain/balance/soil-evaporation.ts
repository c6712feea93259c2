import { SOIL_HORIZONS, type UsdaClass } from '../soil/soil-catalog.ts';

/** The greatest losses of the surface layer of a soil by evaporation, in mm. */
export interface SurfaceSoil {
  /** TEW of equation 73. */
  readonly totalMm: number;
  /** REW of table 19: evaporates as fast as the air takes it. */
  readonly readyMm: number;
}

/** The depth in m that evaporation dries: 0.10 to 0.15 according to FAO-56. */
const EVAPORATION_DEPTH_M = 0.1;

/**
 * The middle of the range of table 19. The three classes that it leaves out have the figure of
 * those beside them.
 */
const READILY_EVAPORABLE_MM: Readonly<Record<UsdaClass, number>> = {
  Sand: 4.5,
  'Loamy sand': 6,
  'Sandy loam': 8,
  'Sandy clay loam': 9,
  'Sandy clay': 9.5,
  Loam: 9,
  'Clay loam': 9.5,
  Clay: 10,
  'Silt loam': 9.5,
  Silt: 9.5,
  'Silty clay loam': 9.5,
  'Silty clay': 10,
};

/** Equation 73; water contents in m3/m3. */
export const evaporableMm = (fieldCapacity: number, wiltingPoint: number, depthM: number): number =>
  1000 * (fieldCapacity - 0.5 * wiltingPoint) * depthM;

export function surfaceOf(
  usdaClass: UsdaClass,
  { fieldCapacity, wiltingPoint }: { fieldCapacity: number; wiltingPoint: number },
): SurfaceSoil {
  const totalMm = evaporableMm(fieldCapacity, wiltingPoint, EVAPORATION_DEPTH_M);
  return { totalMm, readyMm: Math.min(READILY_EVAPORABLE_MM[usdaClass], 0.9 * totalMm) };
}

const between = (low: number, value: number, high: number): number =>
  Math.min(high, Math.max(low, value));

/** Where the weather lacks them. Equation 72 holds for these values without a correction. */
const USUAL_WIND_MS = 2;
const USUAL_HUMIDITY_MIN = 45;

/** The crop of which the reference evapotranspiration is: short grass, or tall alfalfa. */
export type ReferenceCrop = 'grass' | 'alfalfa';

/**
 * Equation 72: the most that crop and soil together can evaporate, as a share of the reference.
 * Over alfalfa that is about 1 (R. G. Allen et al. (2005), The ASCE Standardized Reference
 * Evapotranspiration Equation).
 */
export function upperCoefficient(
  basal: number,
  heightM: number,
  { windMs, humidityMin }: { readonly windMs: number | null; readonly humidityMin: number | null },
  reference: ReferenceCrop,
): number {
  if (reference === 'alfalfa') return Math.max(1, basal + 0.05);

  const wind = between(1, windMs ?? USUAL_WIND_MS, 6);
  const humidity = between(20, humidityMin ?? USUAL_HUMIDITY_MIN, 80);
  const ofClimate = 0.04 * (wind - 2) - 0.004 * (humidity - 45);
  return Math.max(1.2 + ofClimate * (heightM / 3) ** 0.3, basal + 0.05);
}

/** Equation 76: the share of the ground that the crop covers. */
export function groundCover(
  basal: number,
  basalOfBareSoil: number,
  upper: number,
  heightM: number,
): number {
  const share = Math.max(0, (basal - basalOfBareSoil) / (upper - basalOfBareSoil));
  return between(0, share ** (1 + 0.5 * heightM), 0.99);
}

/** Equation 75: the share of the ground that is both bare and wet. */
export const exposedWetShare = (cover: number, wettedFraction: number): number =>
  between(0.01, Math.min(1 - cover, wettedFraction), 1);

/** Equation 74: how far the drying of the surface has slowed evaporation down. */
export const evaporationReduction = (lostMm: number, { totalMm, readyMm }: SurfaceSoil): number =>
  between(0, (totalMm - lostMm) / (totalMm - readyMm), 1);

/** Taken from the texture class that holds water most alike; water contents in m3/m3. */
export function surfaceOfSoil(soil: {
  readonly fieldCapacity: number;
  readonly wiltingPoint: number;
}): SurfaceSoil {
  const distance = ({ fieldCapacity, wiltingPoint }: typeof soil): number =>
    Math.hypot(fieldCapacity - soil.fieldCapacity, wiltingPoint - soil.wiltingPoint);
  const nearest = SOIL_HORIZONS.reduce((best, horizon) =>
    distance(horizon) < distance(best) ? horizon : best,
  );
  return surfaceOf(nearest.usdaClass, soil);
}
