import { bucketStart } from '../periods.ts';

/**
 * Readings, or sums of them, as columns in any order. `sensor` is an index in the curve's list of sensors, `at` the instant
 * of a reading or the start of the hour or day that was summed, in ms. Readings have no `count`, and `sum` is the value.
 */
export interface ColumnarSums {
  readonly sensor: ArrayLike<number>;
  readonly at: ArrayLike<number>;
  readonly sum: ArrayLike<number>;
  readonly count?: ArrayLike<number>;
  readonly length: number;
}

/** The rows of a series by time: the mean of each sensor, NaN where it has none. */
export interface SeriesRows {
  /** Instants of readings or starts of buckets, in ms. */
  readonly at: ArrayLike<number>;
  /** One list per sensor, as long as `at`. */
  readonly means: readonly ArrayLike<number>[];
}

export interface BucketedRows extends SeriesRows {
  readonly at: Float64Array;
  readonly means: readonly Float64Array[];
  /** Readings of each sensor. */
  readonly counts: readonly number[];
}

/**
 * The mean of each sensor's own readings in each bucket. Without an interval each instant is a row. An empty bucket is no
 * row, so that gaps stay gaps. A sum must lie within one bucket: sums of days do not fit an interval of 6 hours.
 */
export function bucketMeans(sums: ColumnarSums, sensors: number, intervalMs: number | null): BucketedRows {
  const starts = bucketStarts(sums, intervalMs);
  const at = distinctSorted(starts);
  const means = Array.from({ length: sensors }, () => new Float64Array(at.length));
  const rowCounts = Array.from({ length: sensors }, () => new Float64Array(at.length));
  let place = -1;
  for (let index = 0; index < sums.length; index++) {
    const start = starts[index]!;
    // Sums mostly come by sensor and time.
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

function bucketStarts({ at, length }: ColumnarSums, intervalMs: number | null): Float64Array {
  const starts = new Float64Array(length);
  for (let index = 0; index < length; index++)
    starts[index] = intervalMs === null ? at[index]! : bucketStart(at[index]!, intervalMs);
  return starts;
}

const distinctSorted = (starts: Float64Array): Float64Array =>
  starts
    .slice()
    .sort()
    .filter((start, index, sorted) => start !== sorted[index - 1]);

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
