import { drawnFieldCapacity } from '../../facts/probe-state.ts';
import type { DepthsCm } from '../../facts/trusted-depths.ts';
import type { Slice } from '../../soil/slices.ts';
import type { AdviceResult } from '../advice.ts';
import { type BalanceComparison, compareWithBalance } from '../balance/balance-comparison.ts';
import { type RootZoneSlice, rootZoneDeficit, type WaterDeficit } from '../watering-advice.ts';
import type { FarmConditions } from './farm-conditions.ts';
import type { MoistureConditions } from './moisture-conditions.ts';
import { rootZoneSlices } from './water-amounts.ts';

/** The deficit of the root zone: as measured, else by the balance in place of a silent probe. */
export interface SoilDeficit extends BalanceComparison {
  readonly slices: readonly RootZoneSlice[];
  readonly deficit: WaterDeficit | null;
}

export function soilDeficit(conditions: MoistureConditions, farm: FarmConditions): SoilDeficit {
  const slices = rootZoneSlices(conditions.depths);
  const measured = rootZoneDeficit(slices, drawnFieldCapacity(conditions.facts.state));
  const comparison = compareWithBalance(conditions, farm);
  const { standIn } = comparison;
  const byBalance = standIn && { ...standIn, withoutValue: [], withoutLayer: [] };
  return { slices, deficit: measured ?? byBalance, ...comparison };
}

export function slicesOfDeficit(
  { deficit, slices }: SoilDeficit,
  { depths, suspectDepths, frozen }: MoistureConditions,
): AdviceResult['deficit'] {
  if (deficit === null) return null;

  const slicesOf = (depthsCm: DepthsCm): Slice[] =>
    depths.flatMap(({ depthCm, slice }) =>
      slice !== null && depthsCm.has(depthCm) ? [slice] : [],
    );
  const [suspect, inIce] = [slicesOf(suspectDepths), slicesOf(frozen)];
  const isNamed = ({ topCm }: Slice): boolean =>
    [...suspect, ...inIce].some((slice) => slice.topCm === topCm);
  return {
    bottomCm: slices.at(-1)?.bottomCm ?? 0,
    withoutValue: deficit.withoutValue.filter((slice) => !isNamed(slice)),
    inDoubt: suspect,
    frozen: inIce,
    withoutLayer: deficit.withoutLayer,
  };
}
