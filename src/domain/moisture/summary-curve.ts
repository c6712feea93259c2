import { type Slice, slicesOf, thicknessMm } from '../soil/soil-profile.ts';
import { type CurveSettings, type DepthWeights, depthWeights } from './depth-weights.ts';

/** Lists have one entry per sensor. */
export interface SummaryCurve extends DepthWeights {
  readonly depthsCm: readonly (number | null)[];
  readonly slices: readonly (Slice | null)[];
  /** 0 without a slice; sensors at one depth share it. */
  readonly thicknessMm: readonly number[];
}

export function buildSummaryCurve(depthsCm: readonly (number | null)[], settings: CurveSettings): SummaryCurve {
  const slices = slicesOf(depthsCm, settings.rootDepthCm);
  const thickness = slices.map((slice, index) =>
    slice ? thicknessMm(slice) / depthsCm.filter((depth) => depth === depthsCm[index]).length : 0,
  );
  return { depthsCm, slices, thicknessMm: thickness, ...depthWeights(depthsCm, slices, settings) };
}

export interface RowRange {
  readonly from: number;
  readonly to: number;
}

export const weightedMeans = (
  { weights }: Pick<SummaryCurve, 'weights'>,
  means: readonly ArrayLike<number>[],
  rows: RowRange,
): Float64Array => weightedMeansBy(weights, means, rows);

/** % over the saturation of each sensor's soil (m3/m3); NaN, unknown soil, counts as no value. */
export const saturationShares = (
  { weights }: SummaryCurve,
  means: readonly ArrayLike<number>[],
  rows: RowRange,
  saturations: readonly number[],
): Float64Array => weightedMeansBy(weights, means, rows, saturations);

/** In mm, from moistures in %. A slice without a value gets the mean of the others by thickness. */
export function soilWaterMm(
  { thicknessMm: thickness }: Pick<SummaryCurve, 'thicknessMm'>,
  means: readonly ArrayLike<number>[],
  rows: RowRange,
): Float64Array {
  const wholeMm = thickness.reduce((sum, each) => sum + each, 0);
  return weightedMeansBy(thickness, means, rows).map((mean) => (mean / 100) * wholeMm);
}

/** One loop over typed arrays: the runtime takes longer to compile a function per row than to run it. */
function weightedMeansBy(
  weights: readonly number[],
  means: readonly ArrayLike<number>[],
  { from, to }: RowRange,
  divisors: readonly number[] = weights.map(() => 1),
): Float64Array {
  const weightOf = Float64Array.from(weights);
  const divisorOf = Float64Array.from(divisors);
  const result = new Float64Array(to - from);
  for (let row = from; row < to; row++) {
    let sum = 0;
    let weight = 0;
    for (let sensor = 0; sensor < weightOf.length; sensor++) {
      const value = means[sensor]![row]! / divisorOf[sensor]!;
      if (Number.isNaN(value)) continue;
      sum += value * weightOf[sensor]!;
      weight += weightOf[sensor]!;
    }
    result[row - from] = weight > 0 ? sum / weight : Number.NaN;
  }
  return result;
}
