import { z } from 'zod/v3';
import { DATE_ORDERS } from '../../domain/ingest/import-options.ts';
import { field } from '../field.ts';
import { instantOutput, moduleRef } from '../shared-fields.ts';

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
      id: z.number().int(),
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
        line: z.number().int(),
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
