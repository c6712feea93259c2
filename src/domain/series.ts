import type { SeriesRows } from './buckets.ts';
import { type SummaryCurve, saturationShares, waterStocksMm, weightedMeans } from './curve.ts';
import { roundTo } from './decimal.ts';
import { type DatedLayer, profileChanges, soilAt } from './soil-profile.ts';

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
function toSeriesValues(values: Float64Array): (number | null)[] {
  const list: (number | null)[] = [];
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    list.push(Number.isNaN(value) ? null : roundTo(value, SERIES_DECIMALS));
  }
  return list;
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
  const values = toSeriesValues(weightedMeans(curve, means, { from: 0, to: at.length }));
  return Array.from(at, (instant, row) => ({ at: instant, value: values[row]! }));
}

/** The points of moisture, in the soil that was in force at each of them. Rows are in order of time. */
export function moisturePoints(curve: SummaryCurve, rows: SeriesRows, layers: readonly DatedLayer[]): MoisturePoint[] {
  const { at, means } = rows;
  const all = { from: 0, to: at.length };
  const values = toSeriesValues(weightedMeans(curve, means, all));
  const vwcMax = toSeriesValues(saturationSharesByProfile(layers, curve, rows));
  const mm = toSeriesValues(waterStocksMm(curve, means, all));
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
