import type { ReadingColumns } from '../../../src/domain/moisture/sensor-readings.ts';
import type { TimedValue } from '../../../src/domain/moisture/series.ts';

export const toReadingColumns = (
  readings: readonly TimedValue[],
  before: TimedValue | null = null,
): ReadingColumns => ({
  before,
  at: readings.map(({ at }) => at),
  value: readings.map(({ value }) => value),
});
