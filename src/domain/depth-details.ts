import type { SeriesRows } from './buckets.ts';
import type { SummaryCurve } from './curve.ts';
import { roundTo } from './decimal.ts';
import type { SoilConstants } from './soil.ts';
import { type DatedLayer, soilAt, soilOfSlice } from './soil-profile.ts';

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
