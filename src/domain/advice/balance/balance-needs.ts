/** What a water balance needs and nobody has said, or no weather tells. */
export const BALANCE_NEEDS = [
  'crop',
  'stage',
  'root_depth',
  'soil',
  'weather',
  'doses',
  'full_soil',
] as const;
export type BalanceNeed = (typeof BALANCE_NEEDS)[number];

/**
 * Why the soil is taken to have been at field capacity before the first day: somebody said so, rain
 * and waterings filled it, or the crop was planted.
 */
export const FULL_SOIL_BASES = ['said', 'filled', 'planting'] as const;

export type FullSoilBasis = (typeof FULL_SOIL_BASES)[number];

/**
 * What a balance adds to an advice: it stands in for a silent probe, or differs more and more from
 * one that reports, even so far that it is dry and the readings are not.
 */
export const BALANCE_REASONS = ['BY_BALANCE', 'DRY_BY_BALANCE', 'BALANCE_DIFFERS'] as const;
export type BalanceReason = (typeof BALANCE_REASONS)[number];
