import { roundTo } from '../decimal.ts';
import { itemAt } from '../items.ts';
import type { Period } from '../periods.ts';
import type { SoilConstants } from '../soil/soil-catalog.ts';
import { type DatedLayer, profileChanges, soilAt, soilOfSlice } from '../soil/soil-profile.ts';
import type { SeriesRows } from './bucket-means.ts';
import { MEASUREMENTS, type MeasurementType } from './measurement.ts';
import {
  type SummaryCurve,
  saturationShares,
  soilWaterMm,
  weightedMeans,
} from './summary-curve.ts';

function roundedValues(values: Float64Array, decimals: number): (number | null)[] {
  const list: (number | null)[] = [];
  for (let row = 0; row < values.length; row++) {
    const value = itemAt(values, row);
    list.push(Number.isNaN(value) ? null : roundTo(value, decimals));
  }
  return list;
}

export interface TimedValue {
  readonly at: number;
  readonly value: number;
}

export interface SeriesPoint {
  readonly at: number;
  readonly value: number | null;
}

export function summaryPoints(
  type: MeasurementType,
  curve: SummaryCurve,
  { at, means }: SeriesRows,
): SeriesPoint[] {
  const { decimals } = MEASUREMENTS[type];
  const values = roundedValues(weightedMeans(curve, means, { from: 0, to: at.length }), decimals);
  return Array.from(at, (instant, row) => ({ at: instant, value: itemAt(values, row) }));
}

/** Each point uses the soil in force at its time. */
export function moisturePoints(
  curve: SummaryCurve,
  rows: SeriesRows,
  layers: readonly DatedLayer[],
) {
  const { at, means } = rows;
  const allRows = { from: 0, to: at.length };
  const { decimals } = MEASUREMENTS.humidity;
  const values = roundedValues(weightedMeans(curve, means, allRows), decimals);
  const vwcMax = roundedValues(saturationSharesByProfile(layers, curve, rows), decimals);
  const mm = roundedValues(soilWaterMm(curve, means, allRows), decimals);

  return Array.from(at, (instant, row) => ({
    at: instant,
    value: itemAt(values, row),
    vwcMax: itemAt(vwcMax, row),
    mm: itemAt(mm, row),
  }));
}

function saturationSharesByProfile(
  layers: readonly DatedLayer[],
  curve: SummaryCurve,
  { at, means }: SeriesRows,
): Float64Array {
  const shares = new Float64Array(at.length);
  const changes = profileChanges(layers);
  for (let from = 0; from < at.length; ) {
    const start = itemAt(at, from);
    const nextChangeAt = changes.find((change) => change > start) ?? Number.POSITIVE_INFINITY;
    let to = from + 1;
    while (to < at.length && itemAt(at, to) < nextChangeAt) to++;
    const saturations = curve.depthsCm.map((depth) =>
      depth === null ? Number.NaN : (soilAt(layers, depth, start)?.saturation ?? Number.NaN),
    );
    shares.set(saturationShares(curve, means, { from, to }, saturations), from);
    from = to;
  }

  return shares;
}

interface DepthDetail {
  readonly weight: number;
  readonly topCm: number | null;
  readonly bottomCm: number | null;
  /** m3/m3. */
  readonly fieldCapacity: number | null;
  readonly wiltingPoint: number | null;
  readonly saturation: number | null;
  readonly values: readonly (number | null)[];
}

const DETAIL_DECIMALS = 6;

export function depthDetails(
  curve: SummaryCurve,
  { means }: SeriesRows,
  layers: readonly DatedLayer[],
  at: number,
): DepthDetail[] {
  return curve.depthsCm.map((depthCm, sensor) => {
    const slice = curve.slices[sensor] ?? null;
    const soilAtDepth = depthCm === null ? null : soilAt(layers, depthCm, at);
    const soil = slice === null ? soilAtDepth : soilOfSlice(layers, slice, at);
    const constant = (name: keyof SoilConstants): number | null =>
      soil && roundTo(soil[name], DETAIL_DECIMALS);

    return {
      weight: roundTo(itemAt(curve.weights, sensor), DETAIL_DECIMALS),
      topCm: slice?.topCm ?? null,
      bottomCm: slice?.bottomCm ?? null,
      fieldCapacity: constant('fieldCapacity'),
      wiltingPoint: constant('wiltingPoint'),
      saturation: constant('saturation'),
      values: Array.from(itemAt(means, sensor), (value) =>
        Number.isNaN(value) ? null : roundTo(value, DETAIL_DECIMALS),
      ),
    };
  });
}

/** Computed from the rounded values that clients see. Of equal extremes the earliest counts. */
export function seriesStatistics(type: MeasurementType, points: readonly SeriesPoint[]) {
  const pointsWithValue = points.flatMap(({ at, value }) =>
    value === null ? [] : [{ at, value }],
  );
  const [first, last] = [pointsWithValue[0], pointsWithValue.at(-1)];
  if (first === undefined || last === undefined) return null;

  let [min, max, sum]: [TimedValue, TimedValue, number] = [first, first, 0];
  for (const point of pointsWithValue) {
    if (point.value < min.value) min = point;
    if (point.value > max.value) max = point;
    sum += point.value;
  }

  const mean = roundTo(sum / pointsWithValue.length, MEASUREMENTS[type].decimals);
  return { min, max, mean, first, last };
}

/** The points from the start on and before the end; they are in the order of time. */
export const pointsWithin = (
  points: readonly TimedValue[],
  { start, end }: Period,
): readonly TimedValue[] => points.slice(indexOfFirst(points, start), indexOfFirst(points, end));

/** The index of the first point at or after `at`. */
function indexOfFirst(points: readonly TimedValue[], at: number): number {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (itemAt(points, middle).at < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
