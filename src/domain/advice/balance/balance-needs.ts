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
