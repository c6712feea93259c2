import type { MoistureValue } from './rises.ts';
import type { ReadingColumns } from './sensor-readings.ts';

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
export const moistureWithoutDropouts = (points: readonly MoistureValue[]): MoistureValue[] =>
  points.filter(({ value }, index) => !isSensorDropout(value, points[index - 1]?.value));
