import type { MeasurementType } from './series.ts';

/** Weather stations measure the humidity of the air. */
export const isAirHumidity = (type: MeasurementType, category: string | null | undefined): boolean =>
  type === 'humidity' && category === 'WEATHER_STATION';

export const isSoilMoisture = (
  { type, sensors = [] }: { readonly type: MeasurementType; readonly sensors?: readonly unknown[] | undefined },
  { category }: { readonly category: string | null },
): boolean => type === 'humidity' && sensors.length > 0 && !isAirHumidity(type, category);
