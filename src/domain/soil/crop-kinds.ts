import type { Crop } from './allowed-depletion.ts';

/**
 * Crops that a harvest does not end: trees, vines, shrubs, and crops that are cut or picked
 * repeatedly. The others are annual. Source: the groups of FAO-56, Tables 11 and 12 (perennial
 * vegetables, forages, sugar cane, tropical fruits and trees, grapes and berries, fruit trees).
 */
const LASTING_CROPS: ReadonlySet<Crop> = new Set([
  'artichoke',
  'asparagus',
  'mint',
  'strawberry',
  'sisal',
  'alfalfa',
  'bermudaGrass',
  'clover',
  'ryegrass',
  'sudanGrass',
  'pasture',
  'lawn',
  'sugarCane',
  'banana',
  'cacao',
  'coffee',
  'datePalm',
  'palm',
  'pineapple',
  'rubberTree',
  'tea',
  'berry',
  'tableGrape',
  'wineGrape',
  'hops',
  'almond',
  'apple',
  'cherry',
  'pear',
  'apricot',
  'peach',
  'plum',
  'avocado',
  'citrus',
  'conifer',
  'kiwi',
  'olive',
  'pistachio',
  'walnut',
]);

export const isAnnualCrop = (crop: Crop): boolean => !LASTING_CROPS.has(crop);
