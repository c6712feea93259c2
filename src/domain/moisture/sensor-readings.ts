import type { ColumnarSums } from './bucket-means.ts';
import type { TimedValue } from './series.ts';

/** What one sensor sent from an instant on, side by side and in order of time, each instant (ms) once. */
export interface ReadingColumns {
  /** Its last reading before that instant, null without any. */
  readonly before: TimedValue | null;
  readonly at: ArrayLike<number>;
  /** NaN for a reading that counts as missing. */
  readonly value: ArrayLike<number>;
}

/** A list of readings in order of time as columns. */
export const toReadingColumns = (
  readings: readonly TimedValue[],
  before: TimedValue | null = null,
): ReadingColumns => ({
  before,
  at: readings.map(({ at }) => at),
  value: readings.map(({ value }) => value),
});

/** Readings of several sensors in any order, parted by sensor and put in order of time; `before` has one for each. */
export function splitBySensor(readings: ColumnarSums, before: readonly (TimedValue | null)[]): ReadingColumns[] {
  const counts = before.map(() => 0);
  for (let index = 0; index < readings.length; index++) counts[readings.sensor[index]!]! += 1;
  const columns = counts.map((count) => ({ at: new Float64Array(count), value: new Float64Array(count) }));
  counts.fill(0);
  for (let index = 0; index < readings.length; index++) {
    const sensor = readings.sensor[index]!;
    const { at, value } = columns[sensor]!;
    const row = counts[sensor]!++;
    at[row] = readings.at[index]!;
    value[row] = readings.sum[index]!;
  }
  return columns.map((each, sensor) => ({ before: before[sensor]!, ...sortedByTime(each) }));
}

/** Columns by time. The store mostly gives them so already. */
function sortedByTime(columns: { readonly at: Float64Array; readonly value: Float64Array }) {
  const { at, value } = columns;
  if (at.every((instant, row) => row === 0 || at[row - 1]! < instant)) return columns;
  const rows = Array.from(at, (_, row) => row).sort((a, b) => at[a]! - at[b]!);
  return { at: Float64Array.from(rows, (row) => at[row]!), value: Float64Array.from(rows, (row) => value[row]!) };
}

/** A sensor that reads more than this, in %, and next 0, has more likely lost touch than dried out. */
const DROPOUT_ABOVE_PERCENT = 2;

/**
 * Whether a reading of moisture is a doubtful 0: a sensor that loses touch with the soil, or its wire, sends a single one.
 * A 0 is believed when the sensor's reading just before it, undefined without one, was 0 too, or all but 0. That looks back
 * alone, so that what was made of a reading when it came is what is made of it ever after.
 */
const isSensorDropout = (value: number, previous: number | undefined): boolean =>
  value === 0 && (previous === undefined || previous > DROPOUT_ABOVE_PERCENT);

/** Readings of moisture with each doubtful 0 as missing. */
export function withoutDropouts(readings: ReadingColumns): ReadingColumns {
  const value = Float64Array.from(readings.value);
  let previous = readings.before?.value;
  for (let row = 0; row < value.length; row++) {
    const own = value[row]!;
    if (isSensorDropout(own, previous)) value[row] = Number.NaN;
    previous = own;
  }
  return { ...readings, value };
}

/** The points of one sensor's moisture, in order of time, less its doubtful zeros. */
export const moistureWithoutDropouts = (points: readonly TimedValue[]): TimedValue[] =>
  points.filter(({ value }, index) => !isSensorDropout(value, points[index - 1]?.value));
