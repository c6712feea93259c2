import type { Crop } from '../soil/allowed-depletion.ts';
import type { Coefficients, StageLengths } from './growth-stages.ts';

export interface CropTables {
  /** Table 11; null for crops that it leaves out, and those that are cut repeatedly. */
  readonly lengths: StageLengths | null;
  /** Table 12. */
  readonly single: Coefficients;
  /** Table 17; null where it has no figure for the crop as it is grown. */
  readonly basal: Coefficients | null;
  /** Table 12, in m. */
  readonly heightM: number;
  /** Table 22: the range of the deepest roots, in m. */
  readonly rootsM: readonly [from: number, to: number];
}

type Triple = readonly [initial: number, mid: number, end: number];
type Lengths = readonly [initial: number, development: number, mid: number, late: number];
type Row = readonly [
  lengths: Lengths | null,
  single: Triple,
  basal: Triple | null,
  heightM: number,
  rootsM: readonly [number, number],
];

/**
 * FAO-56, tables 11, 12, 17 and 22. Of several rows of table 11, that for the Mediterranean counts,
 * else that for California, else the first. Trees have those without ground cover and killing
 * frost, crops of which fresh and dry fruit are harvested those of the fresh one. Hay that is cut
 * repeatedly has the coefficients of table 12 that are averaged over its cuts.
 */
const ROWS: Readonly<Record<Crop, Row>> = {
  broccoli: [[35, 45, 40, 15], [0.7, 1.05, 0.95], [0.15, 0.95, 0.85], 0.3, [0.4, 0.6]],
  brusselsSprout: [[25, 35, 25, 10], [0.7, 1.05, 0.95], [0.15, 0.95, 0.85], 0.4, [0.4, 0.6]],
  cabbage: [[40, 60, 50, 15], [0.7, 1.05, 0.95], [0.15, 0.95, 0.85], 0.4, [0.5, 0.8]],
  carrot: [[30, 40, 60, 20], [0.7, 1.05, 0.95], [0.15, 0.95, 0.85], 0.3, [0.5, 1]],
  cauliflower: [[35, 50, 40, 15], [0.7, 1.05, 0.95], [0.15, 0.95, 0.85], 0.4, [0.4, 0.7]],
  celery: [[25, 40, 45, 15], [0.7, 1.05, 1], [0.15, 0.95, 0.9], 0.6, [0.3, 0.5]],
  garlic: [null, [0.7, 1, 0.7], [0.15, 0.9, 0.6], 0.3, [0.3, 0.5]],
  lettuce: [[20, 30, 15, 10], [0.7, 1, 0.95], [0.15, 0.9, 0.9], 0.3, [0.3, 0.5]],
  onion: [[15, 25, 70, 40], [0.7, 1.05, 0.75], [0.15, 0.95, 0.65], 0.4, [0.3, 0.6]],
  spinach: [[20, 20, 20, 5], [0.7, 1, 0.95], [0.15, 0.9, 0.85], 0.3, [0.3, 0.5]],
  radish: [[5, 10, 15, 5], [0.7, 0.9, 0.85], [0.15, 0.85, 0.75], 0.3, [0.3, 0.5]],
  eggplant: [[30, 45, 40, 25], [0.6, 1.05, 0.9], [0.15, 1, 0.8], 0.8, [0.7, 1.2]],
  pepper: [[30, 35, 40, 20], [0.6, 1.05, 0.9], [0.15, 1, 0.8], 0.7, [0.5, 1]],
  tomato: [[30, 40, 45, 30], [0.6, 1.15, 0.8], [0.15, 1.1, 0.7], 0.6, [0.7, 1.5]],
  cantaloupe: [[30, 45, 35, 10], [0.5, 0.85, 0.6], [0.15, 0.75, 0.5], 0.3, [0.9, 1.5]],
  cucumber: [[20, 30, 40, 15], [0.6, 1, 0.75], [0.15, 0.95, 0.7], 0.3, [0.7, 1.2]],
  pumpkin: [[20, 30, 30, 20], [0.5, 1, 0.8], [0.15, 0.95, 0.7], 0.4, [1, 1.5]],
  zucchini: [[25, 35, 25, 15], [0.5, 0.95, 0.75], [0.15, 0.9, 0.7], 0.3, [0.6, 1]],
  melon: [[25, 35, 40, 20], [0.5, 1.05, 0.75], [0.15, 1, 0.7], 0.4, [0.8, 1.5]],
  watermelon: [[20, 30, 30, 30], [0.4, 1, 0.75], [0.15, 0.95, 0.7], 0.4, [0.8, 1.5]],
  beet: [[15, 25, 20, 10], [0.5, 1.05, 0.95], [0.15, 0.95, 0.85], 0.4, [0.6, 1]],
  cassava: [[20, 40, 90, 60], [0.3, 0.8, 0.3], [0.15, 0.7, 0.2], 1, [0.5, 0.8]],
  parsnip: [null, [0.5, 1.05, 0.95], [0.15, 0.95, 0.85], 0.4, [0.5, 1]],
  potato: [[30, 35, 50, 30], [0.5, 1.15, 0.75], [0.15, 1.1, 0.65], 0.6, [0.4, 0.6]],
  sweetPotato: [[20, 30, 60, 40], [0.5, 1.15, 0.65], [0.15, 1.1, 0.55], 0.4, [1, 1.5]],
  turnip: [null, [0.5, 1.1, 0.95], [0.15, 1, 0.85], 0.6, [0.5, 1]],
  sugarBeet: [[25, 35, 50, 50], [0.35, 1.2, 0.7], [0.15, 1.15, 0.5], 0.5, [0.7, 1.2]],
  bean: [[20, 30, 30, 10], [0.5, 1.05, 0.9], [0.15, 1, 0.8], 0.4, [0.5, 0.7]],
  chickpea: [null, [0.4, 1, 0.35], [0.15, 0.95, 0.25], 0.4, [0.6, 1]],
  cowpea: [[20, 30, 30, 20], [0.4, 1.05, 0.6], [0.15, 1, 0.55], 0.4, [0.6, 1]],
  peanut: [[35, 45, 35, 25], [0.4, 1.15, 0.6], [0.15, 1.1, 0.5], 0.4, [0.5, 1]],
  lentil: [[20, 30, 60, 40], [0.4, 1.1, 0.3], [0.15, 1.05, 0.2], 0.5, [0.6, 0.8]],
  pea: [[20, 30, 35, 15], [0.5, 1.15, 1.1], [0.15, 1.1, 1.05], 0.5, [0.6, 1]],
  soybean: [[20, 35, 60, 25], [0.5, 1.15, 0.5], [0.15, 1.1, 0.3], 0.75, [0.6, 1.3]],
  artichoke: [[20, 25, 250, 30], [0.5, 1, 0.95], [0.15, 0.95, 0.9], 0.7, [0.6, 0.9]],
  asparagus: [[90, 30, 200, 45], [0.5, 0.95, 0.3], [0.15, 0.9, 0.2], 0.5, [1.2, 1.8]],
  mint: [null, [0.6, 1.15, 1.1], [0.4, 1.1, 1.05], 0.7, [0.4, 0.8]],
  strawberry: [null, [0.4, 0.85, 0.75], [0.3, 0.8, 0.7], 0.2, [0.2, 0.3]],
  cotton: [[30, 50, 60, 55], [0.35, 1.17, 0.6], [0.15, 1.12, 0.45], 1.35, [1, 1.7]],
  flax: [[25, 35, 50, 40], [0.35, 1.1, 0.25], [0.15, 1.05, 0.2], 1.2, [1, 1.5]],
  sisal: [null, [0.35, 0.55, 0.55], [0.15, 0.55, 0.55], 1.5, [0.5, 1]],
  castor: [[25, 40, 65, 50], [0.35, 1.15, 0.55], [0.15, 1.1, 0.45], 0.3, [1, 2]],
  rapeseed: [null, [0.35, 1.1, 0.35], [0.15, 1.1, 0.25], 0.6, [1, 1.5]],
  safflower: [[20, 35, 45, 25], [0.35, 1.1, 0.25], [0.15, 1.1, 0.2], 0.8, [1, 2]],
  sesame: [[20, 30, 40, 20], [0.35, 1.1, 0.25], [0.15, 1.05, 0.2], 1, [1, 1.5]],
  sunflower: [[25, 35, 45, 25], [0.35, 1.1, 0.35], [0.15, 1.1, 0.25], 2, [0.8, 1.5]],
  barley: [[20, 25, 60, 30], [0.3, 1.15, 0.25], [0.15, 1.1, 0.15], 1, [1, 1.5]],
  oats: [[20, 25, 60, 30], [0.3, 1.15, 0.25], [0.15, 1.1, 0.15], 1, [1, 1.5]],
  wheat: [[20, 25, 60, 30], [0.3, 1.15, 0.25], [0.15, 1.1, 0.15], 1, [1, 1.5]],
  maize: [[30, 40, 50, 30], [0.3, 1.2, 0.6], [0.15, 1.15, 0.5], 2, [1, 1.7]],
  sweetCorn: [[20, 25, 25, 10], [0.3, 1.15, 1.05], [0.15, 1.1, 1], 1.5, [0.8, 1.2]],
  millet: [[15, 25, 40, 25], [0.3, 1, 0.3], [0.15, 0.95, 0.2], 1.5, [1, 2]],
  sorghum: [[20, 35, 40, 30], [0.3, 1.05, 0.55], [0.15, 1, 0.35], 1.5, [1, 2]],
  sweetSorghum: [[20, 35, 40, 30], [0.3, 1.2, 1.05], [0.15, 1.15, 1], 3, [1, 2]],
  rice: [[30, 30, 60, 30], [1.05, 1.2, 0.75], [1, 1.15, 0.57], 1, [0.5, 1]],
  alfalfa: [null, [0.95, 0.95, 0.95], null, 0.7, [1, 2]],
  bermudaGrass: [null, [1, 1, 1], [0.95, 0.95, 0.95], 0.35, [1, 1.5]],
  clover: [null, [0.9, 0.9, 0.9], null, 0.6, [0.6, 0.9]],
  ryegrass: [null, [1.05, 1.05, 1.05], [1, 1, 1], 0.3, [0.6, 1]],
  sudanGrass: [null, [0.9, 0.9, 0.9], null, 1.2, [1, 1.5]],
  pasture: [null, [0.9, 0.9, 0.9], [0.9, 0.9, 0.9], 0.22, [0.5, 1.5]],
  lawn: [null, [0.95, 0.95, 0.95], [0.9, 0.9, 0.9], 0.1, [0.5, 1]],
  sugarCane: [[30, 50, 180, 60], [0.4, 1.25, 0.75], [0.15, 1.2, 0.7], 3, [1.2, 2]],
  banana: [[120, 60, 180, 5], [1, 1.2, 1.1], [0.6, 1.1, 1.05], 4, [0.5, 0.9]],
  cacao: [null, [1.05, 1.05, 1.05], [1, 1, 1], 3, [0.7, 1]],
  coffee: [null, [0.95, 0.95, 0.95], [0.9, 0.9, 0.9], 2.5, [0.9, 1.5]],
  datePalm: [null, [0.95, 0.95, 0.95], [0.85, 0.85, 0.85], 8, [1.5, 2.5]],
  palm: [null, [1, 1, 1], [0.9, 0.9, 0.9], 8, [0.7, 1.1]],
  pineapple: [[60, 120, 600, 10], [0.5, 0.3, 0.3], [0.15, 0.25, 0.25], 0.9, [0.3, 0.6]],
  rubberTree: [null, [1, 1, 1], [0.9, 0.9, 0.9], 10, [1, 1.5]],
  tea: [null, [1, 1, 1], [0.95, 0.95, 0.95], 1.5, [0.9, 1.5]],
  berry: [null, [0.3, 1.05, 0.5], [0.2, 1, 0.4], 1.5, [0.6, 1.2]],
  tableGrape: [[20, 50, 75, 60], [0.3, 0.85, 0.45], [0.15, 0.8, 0.4], 2, [1, 2]],
  wineGrape: [[30, 60, 40, 80], [0.3, 0.7, 0.45], [0.15, 0.65, 0.4], 1.75, [1, 2]],
  hops: [[25, 40, 80, 10], [0.3, 1.05, 0.85], [0.15, 1, 0.8], 5, [1, 1.2]],
  almond: [[30, 50, 130, 30], [0.4, 0.9, 0.65], [0.2, 0.85, 0.6], 5, [1, 2]],
  apple: [[30, 50, 130, 30], [0.6, 0.95, 0.75], [0.5, 0.9, 0.7], 4, [1, 2]],
  cherry: [[30, 50, 130, 30], [0.6, 0.95, 0.75], [0.5, 0.9, 0.7], 4, [1, 2]],
  pear: [[30, 50, 130, 30], [0.6, 0.95, 0.75], [0.5, 0.9, 0.7], 4, [1, 2]],
  apricot: [[30, 50, 130, 30], [0.55, 0.9, 0.65], [0.45, 0.85, 0.6], 3, [1, 2]],
  peach: [[30, 50, 130, 30], [0.55, 0.9, 0.65], [0.45, 0.85, 0.6], 3, [1, 2]],
  plum: [[30, 50, 130, 30], [0.55, 0.9, 0.65], [0.45, 0.85, 0.6], 3, [1, 2]],
  avocado: [null, [0.6, 0.85, 0.75], [0.5, 0.8, 0.7], 3, [0.5, 1]],
  citrus: [[60, 90, 120, 95], [0.7, 0.65, 0.7], [0.65, 0.6, 0.65], 4, [1.2, 1.5]],
  conifer: [null, [1, 1, 1], [0.95, 0.95, 0.95], 10, [1, 1.5]],
  kiwi: [null, [0.4, 1.05, 1.05], [0.2, 1, 1], 3, [0.7, 1.3]],
  olive: [[30, 90, 60, 90], [0.65, 0.7, 0.7], [0.55, 0.65, 0.65], 4, [1.2, 1.7]],
  pistachio: [[20, 60, 30, 40], [0.4, 1.1, 0.45], [0.2, 1.05, 0.4], 4, [1, 1.5]],
  walnut: [[20, 10, 130, 30], [0.5, 1.1, 0.65], [0.4, 1.05, 0.6], 4.5, [1.7, 2.4]],
};

/**
 * Table 11: the rows of the same crops that are planted from October to January, by the same choice
 * among several, and for barley and oats those of winter barley (November).
 */
const WINTER_LENGTHS: Readonly<Partial<Record<Crop, Lengths>>> = {
  broccoli: [30, 35, 90, 40],
  brusselsSprout: [30, 35, 90, 40],
  cabbage: [30, 35, 90, 40],
  cauliflower: [30, 35, 90, 40],
  carrot: [30, 50, 90, 30],
  celery: [25, 40, 95, 20],
  lettuce: [30, 40, 25, 10],
  onion: [20, 35, 110, 45],
  spinach: [20, 30, 40, 10],
  pepper: [30, 40, 110, 30],
  tomato: [35, 45, 70, 30],
  cucumber: [25, 35, 50, 20],
  melon: [30, 45, 65, 20],
  sugarBeet: [45, 75, 80, 30],
  lentil: [25, 35, 70, 40],
  flax: [30, 40, 100, 50],
  safflower: [35, 55, 60, 40],
  barley: [40, 60, 60, 40],
  oats: [40, 60, 60, 40],
  wheat: [30, 140, 40, 30],
  sweetCorn: [20, 40, 70, 10],
};

const toLengths = ([initial, development, mid, late]: Lengths): StageLengths => ({
  initial,
  development,
  mid,
  late,
});

const toCoefficients = ([initial, mid, end]: Triple): Coefficients => ({ initial, mid, end });

export function cropTables(crop: Crop): CropTables {
  const [lengths, single, basal, heightM, rootsM] = ROWS[crop];
  return {
    lengths: lengths && toLengths(lengths),
    single: toCoefficients(single),
    basal: basal && toCoefficients(basal),
    heightM,
    rootsM,
  };
}

/** Its coefficients are the same all the year, so that its stage need not be known. */
export const isConstant = ({ initial, mid, end }: Coefficients): boolean =>
  initial === mid && mid === end;

/** Of a crop that is planted in autumn, where the table tells those apart. */
export function winterLengths(crop: Crop): StageLengths | null {
  const lengths = WINTER_LENGTHS[crop];
  return lengths === undefined ? cropTables(crop).lengths : toLengths(lengths);
}
