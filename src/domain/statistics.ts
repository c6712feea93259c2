import { roundTo } from './decimal.ts';
import { SERIES_DECIMALS, type SeriesPoint } from './series.ts';

/** A served value and when it stood, in ms. */
export interface SeriesValue {
  readonly at: number;
  readonly value: number;
}

/** Statistics of the main values as they were served; of equal extremes the earliest. */
export interface SeriesStatistics {
  readonly min: SeriesValue;
  readonly max: SeriesValue;
  /** To one decimal place, like the values. */
  readonly mean: number;
  readonly first: SeriesValue;
  readonly last: SeriesValue;
}

/** Statistics of points in order of time, those without a value left out; null where none has one. */
export function seriesStatistics(points: readonly SeriesPoint[]): SeriesStatistics | null {
  const known = points.flatMap(({ at, value }) => (value === null ? [] : [{ at, value }]));
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return null;
  let [min, max, sum]: [SeriesValue, SeriesValue, number] = [first, first, 0];
  for (const each of known) {
    if (each.value < min.value) min = each;
    if (each.value > max.value) max = each;
    sum += each.value;
  }
  return { min, max, mean: roundTo(sum / known.length, SERIES_DECIMALS), first, last };
}
