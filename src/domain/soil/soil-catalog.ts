import { roundTo } from '../decimal.ts';

/** Sand and clay (%) are the class points of Saxton & Rawls (2006), Table 3. */
export interface SoilClass {
  readonly id: number;
  /** Always English and never changed, because integrations store it. */
  readonly usdaClass: UsdaClass;
  readonly sandPct: number;
  readonly clayPct: number;
}

export const USDA_CLASSES = [
  'Sand',
  'Loamy sand',
  'Sandy loam',
  'Sandy clay loam',
  'Sandy clay',
  'Loam',
  'Clay loam',
  'Clay',
  'Silt loam',
  'Silt',
  'Silty clay loam',
  'Silty clay',
] as const;
export type UsdaClass = (typeof USDA_CLASSES)[number];

const CLASS_POINTS: Record<UsdaClass, readonly [sandPct: number, clayPct: number]> = {
  Sand: [88, 5],
  'Loamy sand': [80, 5],
  'Sandy loam': [65, 10],
  'Sandy clay loam': [60, 25],
  'Sandy clay': [50, 40],
  Loam: [40, 20],
  'Clay loam': [30, 35],
  Clay: [25, 50],
  'Silt loam': [20, 15],
  Silt: [10, 5],
  'Silty clay loam': [10, 35],
  'Silty clay': [10, 45],
};

export const SOIL_CLASSES: readonly SoilClass[] = USDA_CLASSES.map((usdaClass, index) => {
  const [sandPct, clayPct] = CLASS_POINTS[usdaClass];
  return { id: index + 1, usdaClass, sandPct, clayPct };
});

export const soilClassByName = (usdaClass: UsdaClass): SoilClass =>
  SOIL_CLASSES.find((soilClass) => soilClass.usdaClass === usdaClass)!;

/**
 * Water contents in m3/m3 from the texture. Source: K. E. Saxton and W. J. Rawls (2006), Soil Water
 * Characteristic Estimates by Texture and Organic Matter for Hydrologic Solutions, Soil Sci. Soc.
 * Am. J. 70:1569-1578, Table 1.
 */
export interface SoilConstants {
  /** The water content at 1,500 kPa. */
  readonly wiltingPoint: number;
  /** The water content at 33 kPa. */
  readonly fieldCapacity: number;
  /** The water content with all pores full. */
  readonly saturation: number;
}

export function meanSoil(
  parts: readonly { weight: number; soil: SoilConstants }[],
): SoilConstants | null {
  const weight = parts.reduce((sum, part) => sum + part.weight, 0);
  if (weight === 0) return null;
  const mean = (name: keyof SoilConstants): number =>
    parts.reduce((sum, part) => sum + part.weight * part.soil[name], 0) / weight;
  return {
    wiltingPoint: mean('wiltingPoint'),
    fieldCapacity: mean('fieldCapacity'),
    saturation: mean('saturation'),
  };
}

/**
 * Roots dry soil to the wilting point, evaporation dries the surface to half of that. Source:
 * FAO-56, equation 73.
 */
export const driestMoisture = (wiltingPoint: number): number => wiltingPoint / 2;

/** Equations 1, 2, 3 and 5; sand and clay 0 to 1 by weight, organic matter in %. */
export function soilConstants(sand: number, clay: number, organicMatterPct: number): SoilConstants {
  const wiltingPoint = moistureAt1500(sand, clay, organicMatterPct);
  const fieldCapacity = moistureAt33(sand, clay, organicMatterPct);
  const drainable = moistureFrom33ToSaturation(sand, clay, organicMatterPct);
  return {
    wiltingPoint,
    fieldCapacity,
    saturation: fieldCapacity + drainable - 0.097 * sand + 0.043,
  };
}

// `first` is the first solution of the paper, without its correction; `om` is the organic matter in
// %.

function moistureAt1500(sand: number, clay: number, om: number): number {
  const first =
    -0.024 * sand +
    0.487 * clay +
    0.006 * om +
    0.005 * sand * om -
    0.013 * clay * om +
    0.068 * sand * clay +
    0.031;
  return first + (0.14 * first - 0.02);
}

function moistureAt33(sand: number, clay: number, om: number): number {
  const first =
    -0.251 * sand +
    0.195 * clay +
    0.011 * om +
    0.006 * sand * om -
    0.027 * clay * om +
    0.452 * sand * clay +
    0.299;
  return first + (1.283 * first * first - 0.374 * first - 0.015);
}

function moistureFrom33ToSaturation(sand: number, clay: number, om: number): number {
  const first =
    0.278 * sand +
    0.034 * clay +
    0.022 * om -
    0.018 * sand * om -
    0.027 * clay * om -
    0.584 * sand * clay +
    0.078;
  return first + (0.636 * first - 0.107);
}

export interface SoilHorizon extends SoilClass, SoilConstants {
  readonly siltPct: number;
}

/** % by weight. Source: spec, "Soil horizon reference". */
const CATALOG_ORGANIC_MATTER_PCT = 2.5;

export const SOIL_HORIZONS: readonly SoilHorizon[] = SOIL_CLASSES.map((soilClass) => {
  const estimated = soilConstants(
    soilClass.sandPct / 100,
    soilClass.clayPct / 100,
    CATALOG_ORGANIC_MATTER_PCT,
  );

  return {
    ...soilClass,
    siltPct: 100 - soilClass.sandPct - soilClass.clayPct,
    wiltingPoint: roundTo(estimated.wiltingPoint, 4),
    fieldCapacity: roundTo(estimated.fieldCapacity, 4),
    saturation: roundTo(estimated.saturation, 4),
  };
});

export const soilHorizonById = (id: number): SoilHorizon | null =>
  SOIL_HORIZONS.find((horizon) => horizon.id === id) ?? null;
