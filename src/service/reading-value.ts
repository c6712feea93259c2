import type { MeasurementType } from '../schema/place.ts';

/** What a measurement can be at all; loggers write codes such as 9999 for a failed one. */
export interface ValueRange {
  readonly least: number;
  readonly most: number;
  readonly description: string;
}

const MEASUREMENT_RANGES: Record<MeasurementType, ValueRange> = {
  humidity: { least: 0, most: 100, description: 'moisture from 0 to 100 %' },
  temperature: { least: -60, most: 80, description: 'a temperature from -60 to 80 deg C' },
  tensio: { least: -1500, most: 1500, description: 'a tension from -1500 to 1500 kPa' },
};

export const measurementRange = (type: MeasurementType): ValueRange => MEASUREMENT_RANGES[type];

/** A measurement within its range; NaN for anything else. */
export function parseMeasurement(text: string, { least, most }: ValueRange): number {
  const value = parseDecimal(text);
  return value >= least && value <= most ? value : Number.NaN;
}

/** A decimal number with a point, as CSV writes it; NaN for anything else, also for infinities and other bases. */
export function parseDecimal(text: string): number {
  const value = Number(text);
  // Number('') is 0, Number('0x10') is 16, Number('Infinity') is infinite.
  if (value - value !== 0) return Number.NaN;
  const second = text.charCodeAt(1);
  const isPlain = text.charCodeAt(0) > 32 && !(second > 57 && second !== 69 && second !== 101);
  return isPlain || /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? value : Number.NaN;
}

/** Why a text is no measurement. */
export function describeInvalidValue(text: string, range: ValueRange): string {
  const value = text.trim();
  if (value === '') return 'no value';
  if (/^[+-]?\d+,\d+$/.test(value)) return 'value has a decimal comma';
  const isBounded = !/^[+-]?(nan|inf)$/i.test(value) && Math.abs(Number(value)) !== Number.POSITIVE_INFINITY;
  if (!isBounded) return 'value is not finite';
  return Number.isNaN(parseDecimal(text)) ? 'value is not a number' : `value is not ${range.description}`;
}
