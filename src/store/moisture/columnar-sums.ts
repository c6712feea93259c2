import type { ColumnarSums } from '../../domain/moisture/bucket-means.ts';

/** A reading, or the sum of several: the total of their values and how many they are. `at` in ms. */
export interface SensorSum {
  readonly sensorId: number;
  readonly at: number;
  readonly sum: number;
  readonly count: number;
}

export function columnarSums(rows: readonly SensorSum[], sensorIds: readonly number[]): ColumnarSums {
  const { length } = rows;
  const indexOf = new Map(sensorIds.map((id, index) => [id, index]));
  const sensor = new Int32Array(length);
  const [at, sum, count] = [new Float64Array(length), new Float64Array(length), new Float64Array(length)];
  for (const [index, row] of rows.entries()) {
    sensor[index] = indexOf.get(row.sensorId)!;
    at[index] = row.at;
    sum[index] = row.sum;
    count[index] = row.count;
  }
  return { sensor, at, sum, count, length };
}
