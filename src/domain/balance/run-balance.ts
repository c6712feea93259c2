import { cropOfDay, type GrowingCrop, type GrowthClock } from './crop-growth.ts';
import {
  type BalanceDay,
  type BalanceOptions,
  type BalanceResult,
  type BalanceState,
  balanceOfDay,
} from './daily-balance.ts';
import type { BalanceLayers } from './root-zone-soil.ts';
import type { SurfaceSoil } from './soil-evaporation.ts';

export interface BalanceSubject {
  readonly crop: GrowingCrop;
  readonly clock: GrowthClock;
  readonly layers: BalanceLayers;
  readonly options: BalanceOptions;
}

/** `surfaceMm` is what the surface has lost; by default evaporation has dried it. */
export const stateAtStart = (
  { crop, clock, layers, options }: BalanceSubject,
  lack: { readonly rootZoneMm: number; readonly belowMm: number | null },
  surfaceMm: number = options.surface.totalMm,
): BalanceState => ({
  surfaceMm,
  wettedFraction: 1,
  isWetByRain: true,
  ...lack,
  availableBelowMm: cropOfDay(crop, clock, layers, 0).availableBelowMm,
});

/** The greatest loss of a surface that is part of a root zone with such a deficit. */
export const surfaceWithin = (rootZoneMm: number, { totalMm }: SurfaceSoil): number =>
  Math.min(totalMm, rootZoneMm);

/** The balance of each day, from the first one on. */
export function runBalance(
  subject: BalanceSubject,
  start: BalanceState,
  days: readonly BalanceDay[],
): BalanceResult[] {
  const { crop, clock, layers, options } = subject;
  const results: BalanceResult[] = [];
  let state = start;

  for (const [index, day] of days.entries()) {
    const result = balanceOfDay(state, day, cropOfDay(crop, clock, layers, index), options);
    results.push(result);
    state = result.state;
  }

  return results;
}
