import { z } from 'zod/v3';
import { DATE_ORDERS } from '../../domain/ingest/import-options.ts';
import { MEASUREMENT_TYPES } from '../../domain/moisture/measurement.ts';
import { field, instantOutput, moduleRef } from '../field.ts';

export const csvFields = {
  timezone: z
    .string()
    .max(100)
    .optional()
    .describe('IANA zone of its times. Default the company’s.'),
  map: z
    .string()
    .max(10_000)
    .optional()
    .describe('Columns not recognised: "Probe A=humidity_10 (m3/m3); Rain=ignore".'),
  dates: z.enum(DATE_ORDERS).optional().describe('Order of day and month, if no day is above 12.'),
};

/** Characters: enough for what a person pastes. Longer files are for `acequia import`. */
const MAX_PASTED_LENGTH = 1_000_000;

export const csvImportBody = {
  csv: field(
    z.string().max(MAX_PASTED_LENGTH).describe('The file with its header line, up to 1 MB.'),
    {
      hint: 'Pass the text of the file with its header line, in parts of up to 1,000,000 characters. acequia import takes files of any size.',
    },
  ),
  module: moduleRef({
    description: 'Probe or station, if no column names it: name or id.',
  }).optional(),
  ...csvFields,
  dryRun: z.boolean().optional().describe('true: only say what would be stored.'),
};

const count = () => z.number().int();

export const csvImportResult = z.strictObject({
  dryRun: z.boolean(),
  timezone: z.string().describe('Of times without an offset.'),
  dates: z.enum(['iso', ...DATE_ORDERS]),
  columns: z
    .array(
      z.strictObject({
        name: z.string(),
        meaning: z.string().nullable().describe('Such as humidity_10; null: not read.'),
        unit: z.string().optional(),
        export: z.string().optional().describe('The provider by whose exports it is known.'),
        why: z.string().optional(),
        nearest: z.string().optional(),
      }),
    )
    .describe('The first hundred columns.'),
  rows: count(),
  readings: z
    .strictObject({
      written: count(),
      changed: count(),
      unchanged: count(),
      repeated: count(),
      refused: count(),
    })
    .describe('What a dry run would do; refused counts rows.'),
  modules: z.array(
    z.strictObject({
      id: count(),
      name: z.string(),
      sensors: z.array(z.string()),
      readings: count(),
      from: instantOutput(),
      to: instantOutput(),
    }),
  ),
  first: z
    .array(
      z.strictObject({
        line: count(),
        module: z.string(),
        sensor: z.string(),
        time: instantOutput(),
        value: z.number(),
      }),
    )
    .describe('Readings of the first rows, as understood.'),
  reasons: z
    .array(z.strictObject({ code: z.string().optional(), reason: z.string(), count: count() }))
    .describe('Why rows were refused.'),
  refused: z
    .array(z.strictObject({ location: z.string(), reason: z.string(), row: z.string() }))
    .describe('The first ten rejected rows.'),
});
export type CsvImportResult = z.output<typeof csvImportResult>;

const pattern = () => z.string().transform((source) => new RegExp(source, 'i'));

const column = z.strictObject({
  /**
   * Matches the column name. The group `depth` is the depth in cm; `input` is the input that the
   * sensor is plugged into.
   */
  name: pattern(),
  /** Absent if the column measures something that is not stored. */
  type: z.enum(MEASUREMENT_TYPES).optional(),
  /** Used if the column does not name its unit. */
  unit: z.string().optional(),
  scale: z.number().optional(),
  /** Codes of a failed measurement. */
  missing: z.array(z.union([z.number(), z.string()])).optional(),
  /** The largest value that the sensor measures, in the unit in which it is stored. */
  max: z.number().optional(),
});

export const csvProfile = z.strictObject({
  /** Matches the first line of the header. */
  header: pattern(),
  headerLines: z.number().int().positive().default(1),
  columns: z.array(column),
});
export type CsvProfile = z.output<typeof csvProfile>;
export type ProfileColumn = z.output<typeof column>;

/**
 * Why a row of a CSV, or an item of a batch, is rejected. Worded in src/language.
 */
export const REJECTION_CODES = [
  'row_too_long',
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
  'time_before_1970',
  'time_ahead',
  'skipped_hour',
  'no_value',
  'value_with_comma',
  'infinite_value',
  'not_a_number',
  'humidity_out_of_range',
  'temperature_out_of_range',
  'tensio_out_of_range',
] as const;
export type RejectionCode = (typeof REJECTION_CODES)[number];

/** A fault of an item has no code and is in English, because only programs send items. */
export type RejectionReason = RejectionCode | { readonly text: string };

/** Why a column is not read. */
export type SkipCode =
  | 'unknown_column'
  | 'other_measurement'
  | 'no_depth'
  | 'other_time_column'
  | 'no_such_sensor';
