import { bucketStart } from '../periods.ts';

/**
 * Readings, or sums of them, side by side and in any order. `sensor` is a sensor's place in the list of the curve's
 * sensors, `at` the instant of a reading or the start of the hour or day that was summed, in ms; `count` is left out for
 * readings, whose `sum` is the value.
 */
export interface ColumnarSums {
  readonly sensor: ArrayLike<number>;
  readonly at: ArrayLike<number>;
  readonly sum: ArrayLike<number>;
  readonly count?: ArrayLike<number>;
  readonly length: number;
}

/** The rows of a series, in order of time: each sensor's mean at each of them, NaN where it has none. */
export interface SeriesRows {
  /** Instants of readings or starts of buckets, in ms. */
  readonly at: ArrayLike<number>;
  /** One list per sensor, as long as `at`. */
  readonly means: readonly ArrayLike<number>[];
}

export interface BucketedRows extends SeriesRows {
  readonly at: Float64Array;
  readonly means: readonly Float64Array[];
  /** Readings of each sensor in all. */
  readonly counts: readonly number[];
}

/**
 * The mean of each sensor's own readings in each bucket. Without an interval each instant is a row. A bucket without any
 * reading is no row, so that gaps stay gaps. Sums must not straddle buckets: an interval that is no multiple of the hour
 * or day they are of, or a period that cuts one, needs what is finer.
 */
export function bucketMeans(sums: ColumnarSums, sensors: number, intervalMs: number | null): BucketedRows {
  const starts = bucketStarts(sums, intervalMs);
  const at = distinctSorted(starts);
  const means = Array.from({ length: sensors }, () => new Float64Array(at.length));
  const rowCounts = Array.from({ length: sensors }, () => new Float64Array(at.length));
  let place = -1;
  for (let index = 0; index < sums.length; index++) {
    const start = starts[index]!;
    // They mostly come in order of time, sensor by sensor.
    place = at[place + 1] === start ? place + 1 : indexOfStart(start, at);
    const sensor = sums.sensor[index]!;
    means[sensor]![place]! += sums.sum[index]!;
    rowCounts[sensor]![place]! += sums.count ? sums.count[index]! : 1;
  }
  const counts = means.map((list, sensor) => {
    let all = 0;
    for (let row = 0; row < at.length; row++) {
      const count = rowCounts[sensor]![row]!;
      // No reading, no mean: 0 / 0 is NaN.
      list[row]! /= count;
      all += count;
    }
    return all;
  });
  return { at, means, counts };
}

/** Where the bucket of each sum begins. */
function bucketStarts({ at, length }: ColumnarSums, intervalMs: number | null): Float64Array {
  const starts = new Float64Array(length);
  for (let index = 0; index < length; index++)
    starts[index] = intervalMs === null ? at[index]! : bucketStart(at[index]!, intervalMs);
  return starts;
}

/** The different starts, in order. */
const distinctSorted = (starts: Float64Array): Float64Array =>
  starts
    .slice()
    .sort()
    .filter((start, index, sorted) => start !== sorted[index - 1]);

/** The place of a start among all of them. */
function indexOfStart(start: number, at: Float64Array): number {
  let low = 0;
  let high = at.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at[middle]! < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
