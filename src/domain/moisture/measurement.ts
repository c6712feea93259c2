import { firstOf } from '../items.ts';

export const MEASUREMENT_TYPES = ['humidity', 'temperature', 'tensio'] as const;
export type MeasurementType = (typeof MEASUREMENT_TYPES)[number];

/**
 * The unit in which readings are stored and served, and the range of a sensor: loggers write 9999
 * for a failure.
 */
export const MEASUREMENTS = {
  humidity: { unit: '%', min: 0, max: 100 },
  temperature: { unit: 'deg C', min: -60, max: 80 },
  tensio: { unit: 'kPa', min: -1500, max: 1500 },
} as const satisfies Record<MeasurementType, { unit: string; min: number; max: number }>;

/** What is measured, as people name it. */
export type Measure = 'moisture' | 'air_humidity' | 'temperature' | 'tension';

const SOIL_MEASURES = {
  humidity: 'moisture',
  temperature: 'temperature',
  tensio: 'tension',
} as const;

/** Weather stations measure the humidity of the air. */
export const measureOf = (type: MeasurementType, category?: string | null): Measure =>
  isAirHumidity(type, category) ? 'air_humidity' : SOIL_MEASURES[type];

/** The only type of the sensors, whatever was requested; else the requested one. */
export function resolveMeasurementType(
  sensors: readonly { type: MeasurementType }[],
  requested: MeasurementType,
): MeasurementType {
  const types = new Set(sensors.map(({ type }) => type));
  return types.size === 1 ? firstOf([...types]) : requested;
}

const isAirHumidity = (type: MeasurementType, category: string | null | undefined): boolean =>
  type === 'humidity' && category === 'WEATHER_STATION';

export const isSoilMoisture = (
  {
    type,
    sensors = [],
  }: { readonly type: MeasurementType; readonly sensors?: readonly unknown[] | undefined },
  { category }: { readonly category: string | null },
): boolean => type === 'humidity' && sensors.length > 0 && !isAirHumidity(type, category);
