import type { SensorReadings } from './sensor-readings.ts';

/** A sensor that reads more than this, in %, and next 0, has more likely lost touch than dried out. */
const DOUBTED_ABOVE = 2;

/**
 * Readings of moisture with each doubtful 0 as missing: a sensor that loses touch with the soil, or its wire, sends a
 * single one. A 0 is believed when the sensor's reading just before it was 0 too, or all but 0. That looks back alone, so
 * that what was made of a reading when it came is what is made of it ever after.
 */
export function withoutDoubtfulZeros(readings: SensorReadings): SensorReadings {
  const value = Float64Array.from(readings.value);
  let previous = readings.before?.value;
  for (let row = 0; row < value.length; row++) {
    const own = value[row]!;
    if (own === 0 && (previous === undefined || previous > DOUBTED_ABOVE)) value[row] = Number.NaN;
    previous = own;
  }
  return { ...readings, value };
}
