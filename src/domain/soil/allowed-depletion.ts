import { roundTo } from '../decimal.ts';

/** Decimals of field capacity, wilting point and stress point in %. */
export const THRESHOLD_DECIMALS = 2;

/** Set by a person for the probe, taken from the crop of its parcel, or the default. */
export const DEPLETION_BASES = ['setting', 'crop', 'default'] as const;
export type DepletionBasis = (typeof DEPLETION_BASES)[number];

/**
 * Share (0 to 1) of the water between field capacity and wilting point that plants use before they
 * suffer.
 */
export const DEFAULT_ALLOWED_DEPLETION = 0.5;

/**
 * The moisture (%) at which plants begin to suffer. It is computed from rounded soil figures, so
 * that every caller gets the same result. Source: R. G. Allen et al. (1998), Crop
 * Evapotranspiration, FAO Irrigation and Drainage Paper 56, chapter 8: readily available water is p
 * times the total.
 */
export const stressPointOf = (
  fieldCapacity: number,
  wiltingPoint: number,
  allowedDepletion: number,
): number =>
  roundTo(fieldCapacity - allowedDepletion * (fieldCapacity - wiltingPoint), THRESHOLD_DECIMALS);

/**
 * Source: FAO-56, Table 22, for about 5 mm of crop evapotranspiration a day. If the table has
 * several figures for a crop (green or dry, first or later year, lawns of cool or warm seasons),
 * the lowest counts: then water never comes too late.
 */
export const CROP_DEPLETIONS = {
  broccoli: 0.45,
  brusselsSprout: 0.45,
  cabbage: 0.45,
  carrot: 0.35,
  cauliflower: 0.45,
  celery: 0.2,
  garlic: 0.3,
  lettuce: 0.3,
  onion: 0.3,
  spinach: 0.2,
  radish: 0.3,
  eggplant: 0.45,
  pepper: 0.3,
  tomato: 0.4,
  cantaloupe: 0.45,
  cucumber: 0.5,
  pumpkin: 0.35,
  zucchini: 0.5,
  melon: 0.4,
  watermelon: 0.4,
  beet: 0.5,
  cassava: 0.35,
  parsnip: 0.4,
  potato: 0.35,
  sweetPotato: 0.65,
  turnip: 0.5,
  sugarBeet: 0.55,
  bean: 0.45,
  chickpea: 0.45,
  cowpea: 0.45,
  peanut: 0.5,
  lentil: 0.5,
  pea: 0.35,
  soybean: 0.5,
  artichoke: 0.45,
  asparagus: 0.45,
  mint: 0.4,
  strawberry: 0.2,
  cotton: 0.65,
  flax: 0.5,
  sisal: 0.8,
  castor: 0.5,
  rapeseed: 0.6,
  safflower: 0.6,
  sesame: 0.6,
  sunflower: 0.45,
  barley: 0.55,
  oats: 0.55,
  wheat: 0.55,
  maize: 0.55,
  sweetCorn: 0.5,
  millet: 0.55,
  sorghum: 0.55,
  sweetSorghum: 0.5,
  /** A share of saturation, not of the available water, according to a footnote of the table. */
  rice: 0.2,
  alfalfa: 0.55,
  bermudaGrass: 0.55,
  clover: 0.5,
  ryegrass: 0.6,
  sudanGrass: 0.55,
  pasture: 0.6,
  lawn: 0.4,
  sugarCane: 0.65,
  banana: 0.35,
  cacao: 0.3,
  coffee: 0.4,
  datePalm: 0.5,
  palm: 0.65,
  pineapple: 0.5,
  rubberTree: 0.4,
  tea: 0.4,
  berry: 0.5,
  tableGrape: 0.35,
  wineGrape: 0.45,
  hops: 0.5,
  almond: 0.4,
  apple: 0.5,
  cherry: 0.5,
  pear: 0.5,
  apricot: 0.5,
  peach: 0.5,
  plum: 0.5,
  avocado: 0.7,
  citrus: 0.5,
  conifer: 0.7,
  kiwi: 0.35,
  olive: 0.65,
  pistachio: 0.4,
  walnut: 0.5,
} as const satisfies Readonly<Record<string, number>>;
export type Crop = keyof typeof CROP_DEPLETIONS;

export interface Depletion {
  readonly share: number;
  readonly basis: DepletionBasis;
  /** The crop whose share it is; null where it is of a setting or the default. */
  readonly crop: Crop | null;
}

/** The depletion of the setting, else that of the crop of the parcel, else the default. */
export function depletionOf(setting: number | null, crop: Crop | null): Depletion {
  if (setting !== null) return { share: setting, basis: 'setting', crop: null };
  return crop === null
    ? { share: DEFAULT_ALLOWED_DEPLETION, basis: 'default', crop: null }
    : { share: CROP_DEPLETIONS[crop], basis: 'crop', crop };
}

export const CROPS = /* @__PURE__ */ Object.keys(CROP_DEPLETIONS) as Crop[];
