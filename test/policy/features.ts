/**
 * Features inside a layer, lowest first. Features of one line may not import each other. Files at a
 * layer's root are below all of them.
 */
export const FEATURES: readonly (readonly string[])[] = [
  ['company'],
  ['soil'],
  ['moisture'],
  ['mail', 'keys', 'members'],
  ['weather', 'backups'],
  ['alerts'],
  ['irrigation'],
  ['balance'],
  ['facts'],
  ['monitoring'],
  ['ingest', 'farm'],
  ['advice'],
  ['changes', 'jobs'],
];

/** Layers whose folders are features. */
export const FEATURE_LAYERS = [
  'src/domain',
  'src/schema',
  'src/language',
  'src/store',
  'src/service',
  'tools',
];
