import { type CurveSettings, type DepthWeights, depthWeights } from './depth-weights.ts';
import { type Slice, slicesOf, thicknessMm } from './slices.ts';

/**
 * How a summary curve follows from the sensors of one type: what each stands for, and how much it weighs. Its lists are
 * one per sensor, as are the `means` of a row of a series (buckets.ts): NaN where a sensor has no value.
 */
export interface Curve extends DepthWeights {
  readonly depthsCm: readonly (number | null)[];
  readonly slices: readonly (Slice | null)[];
  /** Thickness of the slice, 0 without one; sensors at one depth share it. */
  readonly thicknessMm: readonly number[];
}

export function curveOf(depthsCm: readonly (number | null)[], settings: CurveSettings): Curve {
  const slices = slicesOf(depthsCm, settings.rootDepthCm);
  const thickness = slices.map((slice, index) =>
    slice ? thicknessMm(slice) / depthsCm.filter((depth) => depth === depthsCm[index]).length : 0,
  );
  return { depthsCm, slices, thicknessMm: thickness, ...depthWeights(depthsCm, slices, settings) };
}

/** Mean of one row by the weights of the curve, over the sensors that have a value; NaN where none of them has weight. */
export const weightedMean = ({ weights }: Curve, means: readonly ArrayLike<number>[], row: number): number =>
  meanBy(weights, means, row);

/**
 * Moisture of one row as a share of saturation, in %, by the same weights: each sensor's % over what the soil around it
 * can hold (`saturations`, m3/m3). One in soil that is not known, NaN, counts as one without a value.
 */
export const saturationShare = (
  { weights }: Curve,
  means: readonly ArrayLike<number>[],
  row: number,
  saturations: readonly number[],
): number => meanBy(weights, means, row, saturations);

/**
 * Water in all slices, in mm, from the moistures of one row in %. A slice without a value has the mean of the others by
 * thickness, so that the stock is their mean over the whole thickness; NaN without slices or without a value in any.
 */
export function storageMm(
  { thicknessMm: thickness }: Pick<Curve, 'thicknessMm'>,
  means: readonly ArrayLike<number>[],
  row: number,
): number {
  const wholeMm = thickness.reduce((sum, each) => sum + each, 0);
  return (meanBy(thickness, means, row) / 100) * wholeMm;
}

function meanBy(
  weights: readonly number[],
  means: readonly ArrayLike<number>[],
  row: number,
  divisors?: readonly number[],
): number {
  let sum = 0;
  let weight = 0;
  for (let sensor = 0; sensor < weights.length; sensor++) {
    const value = divisors ? means[sensor]![row]! / divisors[sensor]! : means[sensor]![row]!;
    if (Number.isNaN(value)) continue;
    sum += value * weights[sensor]!;
    weight += weights[sensor]!;
  }
  return weight > 0 ? sum / weight : Number.NaN;
}
