import { MEASUREMENT_TYPES, type MeasurementType } from '../../domain/moisture/measurement.ts';

/** Why a row of a CSV, or an item of a batch, is rejected. Worded in src/language. */
const GENERAL_CODES = [
  'row_too_long',
  'cell_too_long',
  'unclosed_quote',
  'too_few_cells',
  'too_many_cells',
  'unknown_module',
  'several_modules',
  'no_such_sensor',
  'unknown_type',
  'invalid_depth',
  'unknown_unit',
  'no_time',
  'unreadable_time',
  'serial_date',
  'time_before_1970',
  'time_ahead',
  'before_kept',
  'skipped_hour',
  'after_stop',
  'no_value',
  'two_readings',
  'infinite_value',
  'not_a_number',
] as const;
type GeneralRejectionCode = (typeof GENERAL_CODES)[number];

type OutOfRangeCode = `${MeasurementType}_out_of_range`;

export const outOfRangeCode = (type: MeasurementType): OutOfRangeCode => `${type}_out_of_range`;

export type RejectionCode = GeneralRejectionCode | OutOfRangeCode;

export const REJECTION_CODES: readonly RejectionCode[] = [
  ...GENERAL_CODES,
  ...MEASUREMENT_TYPES.map(outOfRangeCode),
];

/** A fault of an item has no code and is in English, because only programs send items. */
export type RejectionReason = RejectionCode | { readonly text: string };

/** The row at which a file shows that its clock does not follow the zone. Those before it are right. */
export interface ClockStop {
  readonly line: number;
  /** The time in the row, which the zone does not have. */
  readonly time: string;
  /** The offset of the clock, such as +01:00. */
  readonly offset: string;
}

/** Why a column is not read. */
export const SKIP_CODES = [
  'unknown_column',
  'other_measurement',
  'unknown_unit',
  'no_depth',
  'other_time_column',
  'no_such_sensor',
] as const;
export type SkipCode = (typeof SKIP_CODES)[number];
