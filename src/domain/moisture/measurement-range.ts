import type { MeasurementType } from './series.ts';

/** In %, deg C and kPa. Loggers write codes such as 9999 for a failed measurement. */
export const MEASUREMENT_RANGES: Readonly<Record<MeasurementType, { readonly min: number; readonly max: number }>> = {
  humidity: { min: 0, max: 100 },
  temperature: { min: -60, max: 80 },
  tensio: { min: -1500, max: 1500 },
};
