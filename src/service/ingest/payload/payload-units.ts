import { MEASUREMENT_TYPES } from '../../../domain/moisture/measurement.ts';
import {
  fahrenheitToCelsius,
  inchesToMm,
  kilometresPerHourToMetresPerSecond,
  milesPerHourToMetresPerSecond,
} from '../../../domain/units.ts';
import type { PAYLOAD_UNITS } from '../../../schema/ingest/payload-map.ts';
import { splitUnit } from '../csv/cell-values.ts';
import { unitOfSymbol } from '../csv/column-units.ts';
import { measurementRange } from '../reading-values.ts';

export type Convert = (value: number) => number;

export const unchanged: Convert = (value) => value;

/** Convert to the units in which values are stored: °C, %, mm and m/s. */
export const PAYLOAD_UNIT_CONVERSIONS: Readonly<Record<(typeof PAYLOAD_UNITS)[number], Convert>> = {
  '°F': fahrenheitToCelsius,
  'm3/m3': (fraction) => fraction * 100,
  in: inchesToMm,
  mph: milesPerHourToMetresPerSecond,
  'km/h': kilometresPerHourToMetresPerSecond,
};

/** The quantities of a station beside temperature and humidity, by the units that payloads name. */
const STATION_UNITS: Readonly<Record<string, Readonly<Record<string, Convert>>>> = {
  rain: { mm: unchanged, in: inchesToMm },
  wind: {
    'm/s': unchanged,
    mph: milesPerHourToMetresPerSecond,
    'km/h': kilometresPerHourToMetresPerSecond,
  },
  radiation: { 'W/m²': unchanged, 'W/m2': unchanged },
};

/** A figure with its unit in one text, such as "19.57 %"; null for any other value. */
export function splitFigure(
  type: string,
  value: unknown,
): { readonly figure: string; readonly convert: Convert } | null {
  const measurement = MEASUREMENT_TYPES.find((code) => code === type);
  if (measurement === undefined || typeof value !== 'string') return null;

  const split = splitUnit(value, measurementRange(measurement));
  return split === null ? null : { figure: split.figure, convert: split.unit.convert ?? unchanged };
}

/** Null for a symbol that is not a unit of the measurement. */
export function conversionOf(type: string, symbol: string): Convert | null {
  const ofStation = STATION_UNITS[type];
  if (ofStation !== undefined) return ofStation[symbol] ?? null;

  const unit = unitOfSymbol(symbol);
  return unit?.type === type ? (unit.convert ?? unchanged) : null;
}
