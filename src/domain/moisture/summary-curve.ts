import { itemAt } from '../items.ts';
import { type Slice, slicesOf, thicknessMm } from '../soil/slices.ts';

export const WEIGHT_BASES = ['depth_weights', 'root_uptake', 'equal'] as const;
type WeightBasis = (typeof WEIGHT_BASES)[number];

export interface CurveSettings {
  readonly rootDepthCm: number | null;
  /** Keys are depths in cm. */
  readonly depthWeights: Readonly<Record<string, number>> | null;
  /** Of emitters below the surface. */
  readonly emitterDepthCm: number | null;
}

export interface DepthWeights {
  readonly basis: WeightBasis;
  readonly weights: readonly number[];
}

/**
 * Cumulative share by quarters of the root zone: 40, 30, 20 and 10 %. Source: spec, "Weighted
 * series point".
 */
const UPTAKE_BY_QUARTER = [0, 0.4, 0.7, 0.9, 1] as const;

function uptakeShareAbove(depthCm: number, rootDepthCm: number): number {
  const quarters = Math.min(4, (4 * depthCm) / rootDepthCm);
  const whole = Math.min(3, Math.floor(quarters));
  const [from, to] = [UPTAKE_BY_QUARTER[whole]!, UPTAKE_BY_QUARTER[whole + 1]!];
  return from + (quarters - whole) * (to - from);
}

/** Share of its water that a root zone takes from this slice. */
export const rootUptakeShare = ({ topCm, bottomCm }: Slice, rootDepthCm: number): number =>
  uptakeShareAbove(bottomCm, rootDepthCm) - uptakeShareAbove(topCm, rootDepthCm);

/**
 * Skips a basis that would give every sensor 0. If some sensors have a set weight, the others get
 * 0. Sensors at the same depth share its weight.
 */
export function depthWeights(
  depthsCm: readonly (number | null)[],
  slices: readonly (Slice | null)[],
  { rootDepthCm, depthWeights: setWeights }: Pick<CurveSettings, 'rootDepthCm' | 'depthWeights'>,
): DepthWeights {
  const sensorCountAt = (depth: number | null): number =>
    depthsCm.filter((other) => other === depth).length;

  const weightByDepth = new Map(
    Object.entries(setWeights ?? {}).map(([depth, weight]) => [Number(depth), weight]),
  );
  const weightsByBasis = {
    depth_weights: depthsCm.map((depth) => (depth === null ? 0 : (weightByDepth.get(depth) ?? 0))),
    root_uptake: depthsCm.map((_, index) => {
      const slice = slices[index];
      return slice && rootDepthCm ? rootUptakeShare(slice, rootDepthCm) : 0;
    }),
  };

  for (const basis of ['depth_weights', 'root_uptake'] as const) {
    const weights = depthsCm.map(
      (depth, index) => itemAt(weightsByBasis[basis], index) / sensorCountAt(depth),
    );
    const sum = weights.reduce((total, weight) => total + weight, 0);
    if (sum > 0) return { basis, weights: weights.map((weight) => weight / sum) };
  }

  return { basis: 'equal', weights: depthsCm.map(() => 1 / depthsCm.length) };
}

/** Lists have one entry per sensor. */
export interface SummaryCurve extends DepthWeights {
  readonly depthsCm: readonly (number | null)[];
  readonly slices: readonly (Slice | null)[];
  /** 0 without a slice; sensors at one depth share it. */
  readonly thicknessMm: readonly number[];
}

/** Emitters in the root zone leave the soil above them dry, which then says nothing of the crop. */
const wateredFromCm = ({ rootDepthCm, emitterDepthCm }: CurveSettings): number =>
  rootDepthCm !== null && emitterDepthCm !== null && emitterDepthCm < rootDepthCm
    ? emitterDepthCm
    : 0;

export function buildSummaryCurve(
  depthsCm: readonly (number | null)[],
  settings: CurveSettings,
): SummaryCurve {
  const slices = slicesOf(depthsCm, settings.rootDepthCm, wateredFromCm(settings));
  const thickness = slices.map((slice, index) =>
    slice ? thicknessMm(slice) / depthsCm.filter((depth) => depth === depthsCm[index]).length : 0,
  );
  return { depthsCm, slices, thicknessMm: thickness, ...depthWeights(depthsCm, slices, settings) };
}

interface RowRange {
  readonly from: number;
  readonly to: number;
}

export const weightedMeans = (
  { weights }: Pick<SummaryCurve, 'weights'>,
  means: readonly ArrayLike<number>[],
  rows: RowRange,
): Float64Array => weightedMeansBy(weights, means, rows);

interface WeightedSensor {
  readonly weight: number;
  /** The value in each row; null where the sensor has none. */
  readonly values: readonly (number | null)[];
}

/** The weighted mean of each row, unrounded; null where no sensor has a value. */
export function summaryOf(sensors: readonly WeightedSensor[], rows: number): (number | null)[] {
  const means = sensors.map(({ values }) => values.map((value) => value ?? Number.NaN));
  const weights = sensors.map(({ weight }) => weight);
  const summary = weightedMeans({ weights }, means, { from: 0, to: rows });
  return Array.from(summary, (value) => (Number.isNaN(value) ? null : value));
}

/**
 * The mean of each sensor's moisture (%) divided by the saturation (m3/m3) of its soil. A
 * saturation of NaN, for unknown soil, leaves the sensor out.
 */
export const saturationShares = (
  { weights }: SummaryCurve,
  means: readonly ArrayLike<number>[],
  rows: RowRange,
  saturations: readonly number[],
): Float64Array => weightedMeansBy(weights, means, rows, saturations);

/** The water in mm. A slice without a value gets the mean of the others by thickness. */
export function soilWaterMm(
  { thicknessMm: thickness }: Pick<SummaryCurve, 'thicknessMm'>,
  means: readonly ArrayLike<number>[],
  rows: RowRange,
): Float64Array {
  const wholeMm = thickness.reduce((sum, mm) => sum + mm, 0);
  return weightedMeansBy(thickness, means, rows).map((mean) => (mean / 100) * wholeMm);
}

/** One loop over typed arrays, because calling a function per row is measurably slower. */
function weightedMeansBy(
  weights: readonly number[],
  means: readonly ArrayLike<number>[],
  { from, to }: RowRange,
  divisors: readonly number[] = weights.map(() => 1),
): Float64Array {
  const weightColumn = Float64Array.from(weights);
  const divisorColumn = Float64Array.from(divisors);
  const result = new Float64Array(to - from);
  for (let row = from; row < to; row++) {
    let sum = 0;
    let weight = 0;
    for (let sensor = 0; sensor < weightColumn.length; sensor++) {
      const value = means[sensor]![row]! / divisorColumn[sensor]!;
      if (Number.isNaN(value)) continue;
      sum += value * weightColumn[sensor]!;
      weight += weightColumn[sensor]!;
    }
    result[row - from] = weight > 0 ? sum / weight : Number.NaN;
  }

  return result;
}
