import type { ColumnarSums } from './bucket-means.ts';
import type { TimedValue } from './series.ts';

/** The readings of one sensor, oldest first, each instant once. */
export interface ReadingColumns {
  /** The reading before the first one. */
  readonly before: TimedValue | null;
  readonly at: ArrayLike<number>;
  /** NaN counts as missing. */
  readonly value: ArrayLike<number>;
  /** How many readings a value is the mean of; absent: one. */
  readonly count?: ArrayLike<number>;
}

export const NO_READINGS: ReadingColumns = { before: null, at: [], value: [] };

export function splitBySensor(
  readings: ColumnarSums,
  before: readonly (TimedValue | null)[],
): ReadingColumns[] {
  const counts = before.map(() => 0);
  for (let index = 0; index < readings.length; index++) counts[readings.sensor[index]!]! += 1;
  const columns = counts.map((count) => ({
    at: new Float64Array(count),
    value: new Float64Array(count),
    count: new Float64Array(count),
  }));

  const nextRow = before.map(() => 0);
  for (let index = 0; index < readings.length; index++) {
    const sensor = readings.sensor[index]!;
    const { at, value, count } = columns[sensor]!;
    const row = nextRow[sensor]!;
    nextRow[sensor] = row + 1;
    at[row] = readings.at[index]!;
    count[row] = readings.count?.[index] ?? 1;
    value[row] = readings.sum[index]! / count[row];
  }

  return columns.map((column, sensor) => ({ before: before[sensor]!, ...sortedByTime(column) }));
}

/** Fast path: the store mostly returns them sorted. */
function sortedByTime(columns: Readonly<Record<'at' | 'value' | 'count', Float64Array>>) {
  const { at, value, count } = columns;
  if (at.every((instant, row) => row === 0 || at[row - 1]! < instant)) return columns;
  const rows = Array.from(at, (_, row) => row).sort((a, b) => at[a]! - at[b]!);
  return {
    at: Float64Array.from(rows, (row) => at[row]!),
    value: Float64Array.from(rows, (row) => value[row]!),
    count: Float64Array.from(rows, (row) => count[row]!),
  };
}

/** A 0 after a value above this more likely means lost contact than dry soil. */
const DROPOUT_ABOVE_PERCENT = 2;

/**
 * A sensor that loses contact sends a single 0; a second 0 in a row is a real value. Only earlier
 * readings decide, so that the result for a reading never changes after it arrives.
 */
const isSensorDropout = (value: number, previous: number | undefined): boolean =>
  value === 0 && (previous === undefined || previous > DROPOUT_ABOVE_PERCENT);

export function withoutDropouts(readings: ReadingColumns): ReadingColumns {
  const value = Float64Array.from(readings.value);
  let previous = readings.before?.value;
  for (let row = 0; row < value.length; row++) {
    const current = value[row]!;
    if (isSensorDropout(current, previous)) value[row] = Number.NaN;
    previous = current;
  }
  return { ...readings, value };
}

export const moistureWithoutDropouts = (points: readonly TimedValue[]): TimedValue[] =>
  points.filter(({ value }, index) => !isSensorDropout(value, points[index - 1]?.value));
