import { type Slice, slicesOf, thicknessMm } from '../soil/soil-slices.ts';

/** How the weights of a curve were chosen: set for the probe, by where roots take up water, or all alike. */
export const WEIGHT_BASES = ['depth_weights', 'root_uptake', 'equal'] as const;
export type WeightBasis = (typeof WEIGHT_BASES)[number];

/** Settings of a probe that its summary curve follows. */
export interface CurveSettings {
  /** Depth of the declared root zone, be it the crop's or set by hand. */
  readonly rootDepthCm: number | null;
  /** Weight by depth in cm, from 0 up. */
  readonly depthWeights: Readonly<Record<string, number>> | null;
}

export interface DepthWeights {
  readonly basis: WeightBasis;
  /** One per sensor, 1 in sum. */
  readonly weights: readonly number[];
}

/** Share of the uptake by the end of each quarter of the root zone: 40, 30, 20 and 10 %. Source: spec, "Weighted series point". */
const UPTAKE_BY_QUARTER = [0, 0.4, 0.7, 0.9, 1] as const;

/** Share of the uptake above a depth: even within each quarter of the root zone. */
function uptakeShareAbove(depthCm: number, rootDepthCm: number): number {
  const quarters = Math.min(4, (4 * depthCm) / rootDepthCm);
  const whole = Math.min(3, Math.floor(quarters));
  const [from, to] = [UPTAKE_BY_QUARTER[whole]!, UPTAKE_BY_QUARTER[whole + 1]!];
  return from + (quarters - whole) * (to - from);
}

/** Share of the water that roots take from a slice, 0 to 1. */
export const rootUptakeShare = ({ topCm, bottomCm }: Slice, rootDepthCm: number): number =>
  uptakeShareAbove(bottomCm, rootDepthCm) - uptakeShareAbove(topCm, rootDepthCm);

/**
 * The weight of each sensor in the summary curve: as set for its depth, else the uptake from its slice, else equal.
 * Weights set for depths where no sensor is do not count; a sensor that none is set for has weight 0. Each way gives way
 * to the next where it would leave all at 0. Sensors at one depth share its weight.
 */
export function depthWeights(
  depthsCm: readonly (number | null)[],
  slices: readonly (Slice | null)[],
  { rootDepthCm, depthWeights: setWeights }: CurveSettings,
): DepthWeights {
  const sensorsAtDepth = (depth: number | null): number => depthsCm.filter((each) => each === depth).length;
  const weightByDepth = new Map(Object.entries(setWeights ?? {}).map(([depth, weight]) => [Number(depth), weight]));
  const methods: [WeightBasis, (index: number) => number][] = [
    [
      'depth_weights',
      (index) => (weightByDepth.get(depthsCm[index] ?? Number.NaN) ?? 0) / sensorsAtDepth(depthsCm[index]!),
    ],
    [
      'root_uptake',
      (index) =>
        slices[index] && rootDepthCm
          ? rootUptakeShare(slices[index], rootDepthCm) / sensorsAtDepth(depthsCm[index]!)
          : 0,
    ],
  ];
  for (const [basis, weightOf] of methods) {
    const weights = depthsCm.map((_, index) => weightOf(index));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    if (sum > 0) return { basis, weights: weights.map((weight) => weight / sum) };
  }
  return { basis: 'equal', weights: depthsCm.map(() => 1 / depthsCm.length) };
}

/**
 * How a summary curve follows from the sensors of one type: what each stands for, and how much it weighs. Its lists are
 * one per sensor, as are the `means` of a row of a series (buckets.ts): NaN where a sensor has no value.
 */
export interface SummaryCurve extends DepthWeights {
  readonly depthsCm: readonly (number | null)[];
  readonly slices: readonly (Slice | null)[];
  /** Thickness of the slice, 0 without one; sensors at one depth share it. */
  readonly thicknessMm: readonly number[];
}

export function buildSummaryCurve(depthsCm: readonly (number | null)[], settings: CurveSettings): SummaryCurve {
  const slices = slicesOf(depthsCm, settings.rootDepthCm);
  const thickness = slices.map((slice, index) =>
    slice ? thicknessMm(slice) / depthsCm.filter((depth) => depth === depthsCm[index]).length : 0,
  );
  return { depthsCm, slices, thicknessMm: thickness, ...depthWeights(depthsCm, slices, settings) };
}

/** Rows of a series, from one to before another. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** Means of rows by the weights of the curve, each over the sensors that have a value; NaN where none of them has weight. */
export const weightedMeans = (
  { weights }: SummaryCurve,
  means: readonly ArrayLike<number>[],
  rows: RowRange,
): Float64Array => weightedMeansBy(weights, means, rows);

/**
 * Moistures of rows as shares of saturation, in %, by the same weights: each sensor's % over what the soil around it can
 * hold (`saturations`, m3/m3). One in soil that is not known, NaN, counts as one without a value.
 */
export const saturationShares = (
  { weights }: SummaryCurve,
  means: readonly ArrayLike<number>[],
  rows: RowRange,
  saturations: readonly number[],
): Float64Array => weightedMeansBy(weights, means, rows, saturations);

/**
 * Water in all slices, in mm, from the moistures of rows in %. A slice without a value has the mean of the others by
 * thickness, so that the stock is their mean over the whole thickness; NaN without slices or without a value in any.
 */
export function waterStocksMm(
  { thicknessMm: thickness }: Pick<SummaryCurve, 'thicknessMm'>,
  means: readonly ArrayLike<number>[],
  rows: RowRange,
): Float64Array {
  const wholeMm = thickness.reduce((sum, each) => sum + each, 0);
  return weightedMeansBy(thickness, means, rows).map((mean) => (mean / 100) * wholeMm);
}

/** One loop over arrays of one kind: a function for each row is compiled, by the runtime, for longer than it runs. */
function weightedMeansBy(
  weights: readonly number[],
  means: readonly ArrayLike<number>[],
  { from, to }: RowRange,
  divisors: readonly number[] = weights.map(() => 1),
): Float64Array {
  const by = Float64Array.from(weights);
  const over = Float64Array.from(divisors);
  const result = new Float64Array(to - from);
  for (let row = from; row < to; row++) {
    let sum = 0;
    let weight = 0;
    for (let sensor = 0; sensor < by.length; sensor++) {
      const value = means[sensor]![row]! / over[sensor]!;
      if (Number.isNaN(value)) continue;
      sum += value * by[sensor]!;
      weight += by[sensor]!;
    }
    result[row - from] = weight > 0 ? sum / weight : Number.NaN;
  }
  return result;
}
