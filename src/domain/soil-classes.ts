/**
 * The twelve USDA texture classes as a catalog: by decreasing sand, then increasing clay. Sand and clay in % are the class
 * points of Saxton & Rawls (2006), Soil Water Characteristic Estimates by Texture and Organic Matter, Table 3.
 */
export interface SoilClass {
  /** Stable identifier, 1 to 12 in catalog order. */
  readonly id: number;
  /** English name, invariable: what an integration stores. */
  readonly usdaClass: UsdaClass;
  readonly nameFr: string;
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

const CLASS_POINTS: Record<UsdaClass, readonly [nameFr: string, sandPct: number, clayPct: number]> = {
  Sand: ['Sable', 88, 5],
  'Loamy sand': ['Sable limoneux', 80, 5],
  'Sandy loam': ['Limon sableux', 65, 10],
  'Sandy clay loam': ['Limon argilo-sableux', 60, 25],
  'Sandy clay': ['Argile sableuse', 50, 40],
  Loam: ['Limon', 40, 20],
  'Clay loam': ['Limon argileux', 30, 35],
  Clay: ['Argile', 25, 50],
  'Silt loam': ['Limon fin', 20, 15],
  Silt: ['Limon très fin', 10, 5],
  'Silty clay loam': ['Limon argileux fin', 10, 35],
  'Silty clay': ['Argile limoneuse', 10, 45],
};

export const SOIL_CLASSES: readonly SoilClass[] = USDA_CLASSES.map((usdaClass, index) => {
  const [nameFr, sandPct, clayPct] = CLASS_POINTS[usdaClass];
  return { id: index + 1, usdaClass, nameFr, sandPct, clayPct };
});

/** The class of that name. */
export const soilClassByName = (usdaClass: UsdaClass): SoilClass =>
  SOIL_CLASSES.find((each) => each.usdaClass === usdaClass)!;
