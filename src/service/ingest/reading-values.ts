import { MEASUREMENTS, type MeasurementType } from '../../domain/moisture/measurement.ts';
import { outOfRangeCode, type RejectionCode } from '../../schema/ingest/rejection.ts';

export interface ValueRange {
  readonly type: MeasurementType;
  readonly min: number;
  readonly max: number;
}

export function measurementRange(type: MeasurementType): ValueRange {
  const { min, max } = MEASUREMENTS[type];
  return { type, min, max };
}

export const isInRange = (value: number, { min, max }: ValueRange): boolean =>
  value >= min && value <= max;

/** Null for a value that the sensor can measure. */
export function rejectionOfValue(value: number, range: ValueRange): RejectionCode | null {
  if (isInRange(value, range)) return null;
  return Number.isFinite(value) ? outOfRangeCode(range.type) : 'infinite_value';
}

/** Reads plain decimal notation, also with an exponent; NaN for any other text. */
export function parseDecimal(text: string): number {
  const value = Number(text);
  // Number('') is 0, Number('0x10') is 16, Number('Infinity') is infinite.
  if (!Number.isFinite(value)) return Number.NaN;
  return /^\s*[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? value : Number.NaN;
}
