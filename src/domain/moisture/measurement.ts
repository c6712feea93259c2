import { firstOf } from '../items.ts';
import type { UnitOfText } from '../text/units-of-text.ts';

export const MEASUREMENT_TYPES = ['humidity', 'temperature', 'tensio'] as const;
export type MeasurementType = (typeof MEASUREMENT_TYPES)[number];

interface Measurement {
  /** Its English name. In a list of sensors it stands for the type. */
  readonly word: string;
  /** The unit in which readings are stored and served. */
  readonly unit: string;
  /** The range of a sensor: loggers write 9999 for a failure. */
  readonly min: number;
  readonly max: number;
  /** The decimals of served values. Source: spec, "Weighted series point". */
  readonly decimals: number;
  /** Describes the field of a weighted series with the value. */
  readonly description: string;
}

/** The quantities that sensors measure. Their names are in `measurements.ts` of each language. */
export const MEASUREMENTS = {
  humidity: {
    word: 'moisture',
    unit: '%',
    min: 0,
    max: 100,
    decimals: 1,
    description: 'Moisture, %, weighted over the depths.',
  },
  temperature: {
    word: 'temperature',
    unit: 'deg C',
    min: -60,
    max: 80,
    decimals: 1,
    description: 'Temperature in degrees Celsius.',
  },
  tensio: {
    word: 'tension',
    unit: 'kPa',
    min: -1500,
    max: 1500,
    decimals: 1,
    description: 'Tension in kPa; higher is drier.',
  },
} as const satisfies Record<MeasurementType, Measurement>;

interface Curve {
  /** The field of a weighted series that has the value. */
  readonly field: `value_${string}`;
  /** The unit as people write it. */
  readonly symbol: UnitOfText;
  /** The scale of a chart goes below 0. */
  readonly isSigned?: true;
}

/** Apart from MEASUREMENTS, of which the page has no use. */
export const CURVES = {
  humidity: { field: 'value_vwc', symbol: '%' },
  temperature: { field: 'value_temp', symbol: '°C', isSigned: true },
  tensio: { field: 'value_tensio', symbol: 'kPa' },
} as const satisfies Record<MeasurementType, Curve>;

/** The quantity that a curve shows. `humidity` is that of the soil. */
export type Measure = MeasurementType | 'air_humidity';

export const curveOf = (measure: Measure): Curve =>
  CURVES[measure === 'air_humidity' ? 'humidity' : measure];

/** Weather stations measure the humidity of the air. */
export const measureOf = (type: MeasurementType, category?: string | null): Measure =>
  isAirHumidity(type, category) ? 'air_humidity' : type;

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
