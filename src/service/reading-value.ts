import type { MeasurementType } from '../schema/place.ts';

/** What a measurement can be at all; loggers write codes such as 9999 for a failed one. */
export interface Range {
  readonly least: number;
  readonly most: number;
  readonly words: string;
}

const RANGES: Record<MeasurementType, Range> = {
  humidity: { least: 0, most: 100, words: 'moisture from 0 to 100 %' },
  temperature: { least: -60, most: 80, words: 'a temperature from -60 to 80 deg C' },
  tensio: { least: -1500, most: 1500, words: 'a tension from -1500 to 1500 kPa' },
};

export const rangeOf = (type: MeasurementType): Range => RANGES[type];

/** A measurement within its range; NaN for anything else. */
export function readMeasurement(text: string, { least, most }: Range): number {
  const value = readValue(text);
  return value >= least && value <= most ? value : Number.NaN;
}

/** A decimal number with a point, as CSV writes it; NaN for anything else, also for infinities and other bases. */
export function readValue(text: string): number {
  const value = Number(text);
  // Number('') is 0, Number('0x10') is 16, Number('Infinity') is infinite.
  if (value - value !== 0) return Number.NaN;
  const second = text.charCodeAt(1);
  const isPlain = text.charCodeAt(0) > 32 && !(second > 57 && second !== 69 && second !== 101);
  return isPlain || /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? value : Number.NaN;
}

/** Why a text is no measurement. */
export function valueRefusal(text: string, range: Range): string {
  const value = text.trim();
  if (value === '') return 'no value';
  if (/^[+-]?\d+,\d+$/.test(value)) return 'value has a decimal comma';
  const isBounded = !/^[+-]?(nan|inf)$/i.test(value) && Math.abs(Number(value)) !== Number.POSITIVE_INFINITY;
  if (!isBounded) return 'value is not finite';
  return Number.isNaN(readValue(text)) ? 'value is not a number' : `value is not ${range.words}`;
}
