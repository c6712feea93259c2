import type { SeriesRows } from './buckets.ts';
import { type Curve, saturationShare, storageMm, weightedMean } from './curve.ts';
import { rounded } from './decimal.ts';
import { type DatedLayer, profileChanges, soilAt } from './soil-profile.ts';

/** The weighted series of a probe. Source: spec, "Weighted series point". */

export type MeasurementType = 'humidity' | 'temperature' | 'tensio';

/** The type that is served: that of the sensors where they have but one, whatever was asked for. */
export function servedType(sensors: readonly { type: MeasurementType }[], asked: MeasurementType): MeasurementType {
  const types = new Set(sensors.map(({ type }) => type));
  return types.size === 1 ? [...types][0]! : asked;
}

/** Decimal places of served values. Source: spec, "Weighted series point". */
export const SERVED_DECIMALS = 1;

const served = (value: number): number | null => (Number.isNaN(value) ? null : rounded(value, SERVED_DECIMALS));

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
export const summarySeries = (curve: Curve, { at, means }: SeriesRows): SeriesPoint[] =>
  Array.from(at, (instant, row) => ({ at: instant, value: served(weightedMean(curve, means, row)) }));

/** The points of moisture, in the soil that was in force at each of them. Rows are in order of time. */
export function moistureSeries(curve: Curve, rows: SeriesRows, layers: readonly DatedLayer[]): MoisturePoint[] {
  const saturationsAt = saturationsInOrder(curve.depthsCm, layers);
  return summarySeries(curve, rows).map(({ at, value }, row) => ({
    at,
    value,
    vwcMax: served(saturationShare(curve, rows.means, row, saturationsAt(at))),
    mm: served(storageMm(curve, rows.means, row)),
  }));
}

/** Saturation at each depth, NaN without a layer, asked in order of time: worked out anew where the profile changed. */
function saturationsInOrder(
  depthsCm: readonly (number | null)[],
  layers: readonly DatedLayer[],
): (at: number) => readonly number[] {
  const changes = profileChanges(layers);
  let saturations: readonly number[] = [];
  let validTo = Number.NEGATIVE_INFINITY;
  return (at) => {
    if (at >= validTo) {
      saturations = depthsCm.map((depth) =>
        depth === null ? Number.NaN : (soilAt(layers, depth, at)?.saturation ?? Number.NaN),
      );
      validTo = changes.find((change) => change > at) ?? Number.POSITIVE_INFINITY;
    }
    return saturations;
  };
}
