import type { Slice } from '../soil/soil-profile.ts';

export const WEIGHT_BASES = ['depth_weights', 'root_uptake', 'equal'] as const;
export type WeightBasis = (typeof WEIGHT_BASES)[number];

export interface CurveSettings {
  readonly rootDepthCm: number | null;
  /** By depth in cm. */
  readonly depthWeights: Readonly<Record<string, number>> | null;
}

export interface DepthWeights {
  readonly basis: WeightBasis;
  readonly weights: readonly number[];
}

/** Cumulative share by quarters of the root zone: 40, 30, 20 and 10 %. Source: spec, "Weighted series point". */
const UPTAKE_BY_QUARTER = [0, 0.4, 0.7, 0.9, 1] as const;

function uptakeShareAbove(depthCm: number, rootDepthCm: number): number {
  const quarters = Math.min(4, (4 * depthCm) / rootDepthCm);
  const whole = Math.min(3, Math.floor(quarters));
  const [from, to] = [UPTAKE_BY_QUARTER[whole]!, UPTAKE_BY_QUARTER[whole + 1]!];
  return from + (quarters - whole) * (to - from);
}

export const rootUptakeShare = ({ topCm, bottomCm }: Slice, rootDepthCm: number): number =>
  uptakeShareAbove(bottomCm, rootDepthCm) - uptakeShareAbove(topCm, rootDepthCm);

/**
 * A basis that would give every sensor 0 is skipped. A sensor without a set weight has 0 beside sensors with one, and
 * sensors at one depth share its weight.
 */
export function depthWeights(
  depthsCm: readonly (number | null)[],
  slices: readonly (Slice | null)[],
  { rootDepthCm, depthWeights: setWeights }: CurveSettings,
): DepthWeights {
  const sensorsAtDepth = (depth: number | null): number => depthsCm.filter((each) => each === depth).length;
  const weightByDepth = new Map(Object.entries(setWeights ?? {}).map(([depth, weight]) => [Number(depth), weight]));
  const weightOfDepth: [WeightBasis, (depth: number | null, slice: Slice | null) => number][] = [
    ['depth_weights', (depth) => weightByDepth.get(depth ?? Number.NaN) ?? 0],
    ['root_uptake', (_, slice) => (slice && rootDepthCm ? rootUptakeShare(slice, rootDepthCm) : 0)],
  ];
  for (const [basis, weightOf] of weightOfDepth) {
    const weights = depthsCm.map((depth, index) => weightOf(depth, slices[index] ?? null) / sensorsAtDepth(depth));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    if (sum > 0) return { basis, weights: weights.map((weight) => weight / sum) };
  }
  return { basis: 'equal', weights: depthsCm.map(() => 1 / depthsCm.length) };
}
