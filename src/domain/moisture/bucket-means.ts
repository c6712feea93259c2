import { bucketStart } from '../periods.ts';
import { pointStart } from './series-points.ts';

/**
 * Readings, or their sums, in any order. `sensor` is an index; `at` is the instant of a reading, or
 * the start of the hour or day that was summed. For readings `sum` is the value and `count` is
 * absent.
 */
export interface ColumnarSums {
  readonly sensor: ArrayLike<number>;
  readonly at: ArrayLike<number>;
  readonly sum: ArrayLike<number>;
  readonly count?: ArrayLike<number>;
  readonly length: number;
  /** Each `at` is the start of a bucket. */
  readonly areOfBuckets?: boolean;
}

/** A row for each instant. */
export interface SeriesRows {
  readonly at: ArrayLike<number>;
  /** The values of each sensor, one a row; NaN counts as missing. */
  readonly means: readonly ArrayLike<number>[];
}

interface BucketedRows extends SeriesRows {
  readonly at: Float64Array;
  readonly means: readonly Float64Array[];
  /** The number of readings of each sensor. */
  readonly counts: readonly number[];
}

/**
 * Empty buckets are left out, so that gaps remain. A sum must lie within one bucket: sums of days
 * do not fit an interval of 6 hours.
 */
export function bucketMeans(
  sums: ColumnarSums,
  sensors: number,
  intervalMs: number | null,
  zone: string | null = null,
): BucketedRows {
  const starts = bucketStarts(sums, intervalMs, zone);
  const at = distinctSorted(starts);
  const means = Array.from({ length: sensors }, () => new Float64Array(at.length));
  const countsByBucket = Array.from({ length: sensors }, () => new Float64Array(at.length));
  let bucket = -1;
  for (let index = 0; index < sums.length; index++) {
    const start = starts[index]!;
    // Fast path: sums mostly come in the order of sensor and time.
    bucket = at[bucket + 1] === start ? bucket + 1 : indexOfStart(start, at);
    const sensor = sums.sensor[index]!;
    means[sensor]![bucket]! += sums.sum[index]!;
    countsByBucket[sensor]![bucket]! += sums.count ? sums.count[index]! : 1;
  }

  const counts = means.map((sumsOfBuckets, sensor) => {
    let total = 0;
    for (let row = 0; row < at.length; row++) {
      const count = countsByBucket[sensor]![row]!;
      // From a sum to a mean: 0 / 0 is NaN, a missing value.
      sumsOfBuckets[row]! /= count;
      total += count;
    }
    return total;
  });

  return { at, means, counts };
}

function bucketStarts(
  { at, length, areOfBuckets = false }: ColumnarSums,
  intervalMs: number | null,
  zone: string | null,
): Float64Array {
  if (intervalMs === null || areOfBuckets) return Float64Array.from(at);

  const starts = new Float64Array(length);
  // Sensors mostly share their instants, and the start of a local point takes several look-ups.
  const startsByInstant = new Map<number, number>();

  const startOf = (instant: number): number => {
    const start = startsByInstant.get(instant) ?? pointStart(instant, intervalMs, zone);
    startsByInstant.set(instant, start);
    return start;
  };

  for (let index = 0; index < length; index++)
    starts[index] = zone === null ? bucketStart(at[index]!, intervalMs) : startOf(at[index]!);
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
