import type { Crop } from '../../domain/soil/allowed-depletion.ts';

type Place =
  | 'block'
  | 'parcel'
  | 'field'
  | 'plot'
  | 'sector'
  | 'zone'
  | 'plantation'
  | 'paddock'
  | 'tree';
export type Device = 'probe' | 'tensiometer' | 'station' | 'module';
type Compass =
  | 'north'
  | 'south'
  | 'east'
  | 'west'
  | 'northeast'
  | 'northwest'
  | 'southeast'
  | 'southwest';
type Quality =
  | 'upper'
  | 'lower'
  | 'middle'
  | 'left'
  | 'right'
  | 'old'
  | 'young'
  | 'new'
  | 'big'
  | 'small';
type Feature = 'orchard' | 'greenhouse' | 'tunnel' | 'garden' | 'row';

/**
 * Words that names of probes and parcels share, so that each is found in the words of every
 * language. Forms of one meaning are separated by commas; plurals need no form.
 */
interface NameWords {
  /** Endings of words and of their plurals. */
  readonly plurals: readonly (readonly [ending: string, plural: string])[];
  /**
   * The endings of a word in no list that are taken for a plural, as a regular expression. They are
   * cautious, so that a misspelling is not one.
   */
  readonly likelyPlural: string;
  /** Left out of every name. */
  readonly fillers: string;
  /** Letters before an apostrophe, which are left out: "l’ouest". */
  readonly elisions: readonly string[];
  /** First, second, third and so on. */
  readonly ordinals: readonly string[];
  /** Endings of figures, as in "2nd". A single letter is none, because "2e" may be a name. */
  readonly ordinalEndings: readonly string[];
  /** The kinds of place: most people add one or leave it out. */
  readonly places: Readonly<Record<Place, string>>;
  readonly devices: Readonly<Record<Device, string>>;
  /** A type of parcel with one of these has no roof. */
  readonly openAir: string;
  readonly descriptors: Readonly<Record<Compass | Quality | Feature, string>>;
}

export const englishNames: NameWords = {
  plurals: [
    ['', 's'],
    ['', 'es'],
    ['y', 'ies'],
  ],
  likelyPlural: '(?<=\\p{L}{3}(?:ch|sh|ss|z))es|(?<=\\p{L}{3}[^s])s',
  fillers: 'the, number, of, in, at, on, by, from, for, and, my, our, that, this, both, all',
  elisions: [],
  ordinals:
    'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' '),
  ordinalEndings: ['st', 'nd', 'rd', 'th'],
  places: {
    block: 'block',
    parcel: 'parcel',
    field: 'field',
    plot: 'plot, lot',
    sector: 'sector, section',
    zone: 'zone, area',
    plantation: 'plantation, planting',
    paddock: 'paddock',
    tree: 'tree, plant',
  },
  devices: {
    probe:
      'probe, sensor, soil probe, soil sensor, moisture probe, moisture sensor, soil moisture probe, soil moisture sensor',
    tensiometer: 'tensiometer, tensio',
    station: 'station, weather station',
    module: 'module, device',
  },
  openAir: 'open air, open field, outdoor',
  descriptors: {
    north: 'north, northern',
    south: 'south, southern',
    east: 'east, eastern',
    west: 'west, western',
    northeast: 'northeast, north east, northeastern',
    northwest: 'northwest, north west, northwestern',
    southeast: 'southeast, south east, southeastern',
    southwest: 'southwest, south west, southwestern',
    upper: 'upper, top',
    lower: 'lower, bottom',
    middle: 'middle, centre, center, central',
    left: 'left, left hand',
    right: 'right, right hand',
    old: 'old',
    young: 'young',
    new: 'new',
    big: 'big, large',
    small: 'small, little',
    orchard: 'orchard, grove',
    greenhouse: 'greenhouse, green house, glasshouse',
    tunnel: 'tunnel, polytunnel, hoop house',
    garden: 'garden',
    row: 'row',
  },
};

/**
 * Names as singulars, the usual one first. A name inside a longer one ("potato" in "sweet potato")
 * does not count. After a semicolon, other plants of the same water needs, in the same order in
 * every language.
 */
export const englishCrops: Readonly<Record<Crop, string>> = {
  broccoli: 'broccoli',
  brusselsSprout: 'Brussels sprout',
  cabbage: 'cabbage; kale',
  carrot: 'carrot',
  cauliflower: 'cauliflower',
  celery: 'celery',
  garlic: 'garlic',
  lettuce: 'lettuce, salad',
  onion: 'onion; shallot',
  spinach: 'spinach',
  radish: 'radish',
  eggplant: 'eggplant, egg plant, aubergine',
  pepper: 'pepper, capsicum, paprika; chilli, chili',
  tomato: 'tomato',
  cantaloupe: 'cantaloupe, cantaloup',
  cucumber: 'cucumber; gherkin',
  pumpkin: 'pumpkin, winter squash; butternut',
  zucchini: 'zucchini, courgette, squash',
  melon: 'melon',
  watermelon: 'watermelon, water melon',
  beet: 'beet, beetroot',
  cassava: 'cassava, manioc',
  parsnip: 'parsnip',
  potato: 'potato',
  sweetPotato: 'sweet potato',
  turnip: 'turnip; rutabaga, swede',
  sugarBeet: 'sugar beet, sugarbeet',
  bean: 'bean; broad bean, fava bean',
  chickpea: 'chickpea, chick pea',
  cowpea: 'cowpea, cow pea, black eyed pea',
  peanut: 'peanut, groundnut',
  lentil: 'lentil',
  pea: 'pea',
  soybean: 'soybean, soya bean, soy bean, soya, soy',
  artichoke: 'artichoke',
  asparagus: 'asparagus',
  mint: 'mint',
  strawberry: 'strawberry',
  cotton: 'cotton',
  flax: 'flax, linseed',
  sisal: 'sisal',
  castor: 'castor bean, castor',
  rapeseed: 'rapeseed, canola, rape',
  safflower: 'safflower',
  sesame: 'sesame',
  sunflower: 'sunflower',
  barley: 'barley',
  oats: 'oat',
  wheat: 'wheat',
  maize: 'maize, corn',
  sweetCorn: 'sweet corn, sweetcorn',
  millet: 'millet',
  sorghum: 'sorghum',
  sweetSorghum: 'sweet sorghum',
  rice: 'rice',
  alfalfa: 'alfalfa, lucerne',
  bermudaGrass: 'bermuda grass, bermudagrass',
  clover: 'clover',
  ryegrass: 'ryegrass, rye grass',
  sudanGrass: 'Sudan grass, sudangrass',
  pasture: 'pasture, grassland, meadow',
  lawn: 'lawn, turf, turfgrass',
  sugarCane: 'sugar cane, sugarcane',
  banana: 'banana',
  cacao: 'cacao, cocoa',
  coffee: 'coffee',
  datePalm: 'date palm',
  palm: 'palm; coconut',
  pineapple: 'pineapple',
  rubberTree: 'rubber tree',
  tea: 'tea',
  berry: 'berry; blueberry; raspberry; blackberry; currant; gooseberry; blackcurrant',
  tableGrape: 'table grape, grape, raisin',
  wineGrape: 'wine grape, grapevine, vine, vineyard',
  hops: 'hop',
  almond: 'almond',
  apple: 'apple',
  cherry: 'cherry; sour cherry',
  pear: 'pear',
  apricot: 'apricot',
  peach: 'peach; nectarine',
  plum: 'plum, prune; stone fruit',
  avocado: 'avocado',
  citrus: 'citrus; orange; lemon; lime; mandarin, tangerine; clementine; grapefruit',
  conifer: 'conifer; pine; spruce; fir',
  kiwi: 'kiwi, kiwifruit',
  olive: 'olive',
  pistachio: 'pistachio',
  walnut: 'walnut',
};
