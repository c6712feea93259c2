import { type Slice, slicesOf, thicknessMm } from '../soil/soil-slices.ts';
import { type CurveSettings, type DepthWeights, depthWeights } from './depth-weights.ts';

/** How the summary follows from the sensors of one type. Its lists have one entry per sensor. */
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

/** Rows of a series, `to` excluded. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** Weighted means of rows, each over the sensors that have a value; NaN where none of them has weight. */
export const weightedMeans = (
  { weights }: SummaryCurve,
  means: readonly ArrayLike<number>[],
  rows: RowRange,
): Float64Array => weightedMeansBy(weights, means, rows);

/**
 * Rows as shares of saturation in %, by the same weights: each sensor's % over the saturation of its soil (m3/m3). A
 * sensor in unknown soil, NaN, counts as one without a value.
 */
export const saturationShares = (
  { weights }: SummaryCurve,
  means: readonly ArrayLike<number>[],
  rows: RowRange,
  saturations: readonly number[],
): Float64Array => weightedMeansBy(weights, means, rows, saturations);

/**
 * Water in all slices in mm, from moistures in %. A slice without a value has the mean of the others by thickness, so that
 * the stock is their mean over the whole thickness; NaN without any value.
 */
export function waterStocksMm(
  { thicknessMm: thickness }: Pick<SummaryCurve, 'thicknessMm'>,
  means: readonly ArrayLike<number>[],
  rows: RowRange,
): Float64Array {
  const wholeMm = thickness.reduce((sum, each) => sum + each, 0);
  return weightedMeansBy(thickness, means, rows).map((mean) => (mean / 100) * wholeMm);
}

/** One loop over typed arrays, because the runtime takes longer to compile a function for each row than to run it. */
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
