import { roundTo } from '../decimal.ts';
import type { SoilConstants } from '../soil/soil-catalog.ts';
import { type DatedLayer, profileChanges, soilAt, soilOfSlice } from '../soil/soil-profile.ts';
import type { SeriesRows } from './bucket-means.ts';
import { type SummaryCurve, saturationShares, waterStocksMm, weightedMeans } from './summary-curve.ts';

/** The weighted series of a probe. Source: spec, "Weighted series point". */

export type MeasurementType = 'humidity' | 'temperature' | 'tensio';

/** The type that is served: that of the sensors where they have but one, whatever was asked for. */
export function resolveMeasurementType(
  sensors: readonly { type: MeasurementType }[],
  requested: MeasurementType,
): MeasurementType {
  const types = new Set(sensors.map(({ type }) => type));
  return types.size === 1 ? [...types][0]! : requested;
}

/** Decimal places of served values. Source: spec, "Weighted series point". */
export const SERIES_DECIMALS = 1;

/** Values as they are served; null for NaN. */
function toTimedValues(values: Float64Array): (number | null)[] {
  const list: (number | null)[] = [];
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    list.push(Number.isNaN(value) ? null : roundTo(value, SERIES_DECIMALS));
  }
  return list;
}

/** `at` in ms. */
export interface TimedValue {
  readonly at: number;
  readonly value: number;
}

/** A point of temperature or tension; `at` is the instant of a reading or the start of a bucket, in ms. */
export interface SeriesPoint {
  readonly at: number;
  /** The main value of the type, weighted as the curve, to one decimal place; null where no sensor with weight has a value. */
  readonly value: number | null;
}

/** A point of moisture, whose main value is in % of volume. */
export interface MoisturePoint extends SeriesPoint {
  /** The same in % of what the soil can hold; null without a soil profile. */
  readonly vwcMax: number | null;
  /** Water in the slices of the curve, in mm; null where there are none. */
  readonly mm: number | null;
}

/** The main value of each row, whatever the type: what statistics, alerts and states rest on. */
export function summaryPoints(curve: SummaryCurve, { at, means }: SeriesRows): SeriesPoint[] {
  const values = toTimedValues(weightedMeans(curve, means, { from: 0, to: at.length }));
  return Array.from(at, (instant, row) => ({ at: instant, value: values[row]! }));
}

/** The points of moisture, in the soil that was in force at each of them. Rows are in order of time. */
export function moisturePoints(curve: SummaryCurve, rows: SeriesRows, layers: readonly DatedLayer[]): MoisturePoint[] {
  const { at, means } = rows;
  const all = { from: 0, to: at.length };
  const values = toTimedValues(weightedMeans(curve, means, all));
  const vwcMax = toTimedValues(saturationSharesByProfile(layers, curve, rows));
  const mm = toTimedValues(waterStocksMm(curve, means, all));
  return Array.from(at, (instant, row) => ({
    at: instant,
    value: values[row]!,
    vwcMax: vwcMax[row]!,
    mm: mm[row]!,
  }));
}

/** Shares of saturation, one stretch of rows after the other; the profile changes between them alone. */
function saturationSharesByProfile(
  layers: readonly DatedLayer[],
  curve: SummaryCurve,
  { at, means }: SeriesRows,
): Float64Array {
  const shares = new Float64Array(at.length);
  const changes = profileChanges(layers);
  for (let from = 0; from < at.length; ) {
    const start = at[from]!;
    const changesAt = changes.find((change) => change > start) ?? Number.POSITIVE_INFINITY;
    let to = from + 1;
    while (to < at.length && at[to]! < changesAt) to++;
    const saturations = curve.depthsCm.map((depth) =>
      depth === null ? Number.NaN : (soilAt(layers, depth, start)?.saturation ?? Number.NaN),
    );
    shares.set(saturationShares(curve, means, { from, to }, saturations), from);
    from = to;
  }
  return shares;
}

/** What one sensor of a curve stands for, what the soil there holds, and its own values. */
export interface DepthDetail {
  /** Share of the curve when every sensor has a value, 0 to 1. */
  readonly weight: number;
  /** Its slice; null where it stands for none. */
  readonly topCm: number | null;
  readonly bottomCm: number | null;
  /** m3/m3; null without a layer. */
  readonly fieldCapacity: number | null;
  readonly wiltingPoint: number | null;
  readonly saturation: number | null;
  /** One per row, null without a reading. */
  readonly values: readonly (number | null)[];
}

/** Decimal places of what is there to reckon with: enough for that, and without the noise of binary fractions. */
const DETAIL_DECIMALS = 6;

/** Each sensor of a curve, with the soil in force at an instant: over its slice, or at its depth where it has none. */
export function depthDetails(
  curve: SummaryCurve,
  { means }: SeriesRows,
  layers: readonly DatedLayer[],
  at: number,
): DepthDetail[] {
  return curve.depthsCm.map((depthCm, sensor) => {
    const slice = curve.slices[sensor] ?? null;
    const soil = slice ? soilOfSlice(layers, slice, at) : depthCm === null ? null : soilAt(layers, depthCm, at);
    const constant = (name: keyof SoilConstants): number | null => soil && roundTo(soil[name], DETAIL_DECIMALS);
    return {
      weight: roundTo(curve.weights[sensor]!, DETAIL_DECIMALS),
      topCm: slice?.topCm ?? null,
      bottomCm: slice?.bottomCm ?? null,
      fieldCapacity: constant('fieldCapacity'),
      wiltingPoint: constant('wiltingPoint'),
      saturation: constant('saturation'),
      values: Array.from(means[sensor]!, (value) => (Number.isNaN(value) ? null : roundTo(value, DETAIL_DECIMALS))),
    };
  });
}

/** Statistics of the main values as they were served; of equal extremes the earliest. */
export interface SeriesStatistics {
  readonly min: TimedValue;
  readonly max: TimedValue;
  /** To one decimal place, like the values. */
  readonly mean: number;
  readonly first: TimedValue;
  readonly last: TimedValue;
}

/** Statistics of points in order of time, those without a value left out; null where none has one. */
export function seriesStatistics(points: readonly SeriesPoint[]): SeriesStatistics | null {
  const known = points.flatMap(({ at, value }) => (value === null ? [] : [{ at, value }]));
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return null;
  let [min, max, sum]: [TimedValue, TimedValue, number] = [first, first, 0];
  for (const each of known) {
    if (each.value < min.value) min = each;
    if (each.value > max.value) max = each;
    sum += each.value;
  }
  return { min, max, mean: roundTo(sum / known.length, SERIES_DECIMALS), first, last };
}
