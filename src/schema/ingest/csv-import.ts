import { z } from 'zod/v3';
import { DATE_ORDERS } from '../../domain/ingest/import-options.ts';
import { say } from '../../domain/text/say.ts';
import { field, withExample } from '../field.ts';
import { instantOutput, moduleRef } from '../shared-fields.ts';

export const csvFields = {
  timezone: field(z.string().max(100), { words: 'time zone' })
    .optional()
    .describe('Zone or offset of times. Default the company’s.'),
  map: field(z.string().max(10_000), { words: 'meaning of the columns' })
    .optional()
    .describe('Columns not recognised: Probe A=humidity_10 (m3/m3); Rain=ignore.'),
  dates: field(z.enum(DATE_ORDERS), { words: 'order of day and month' })
    .optional()
    .describe('Order of day and month, if no day is above 12.'),
};

/** Characters: enough for what a person pastes. Longer files are for `acequia import`. */
const MAX_PASTED_LENGTH = 1_000_000;

export const csvImportBody = {
  csv: field(
    z.string().max(MAX_PASTED_LENGTH).describe('The file with its header line, up to 1 MB.'),
    {
      words: 'text of the file',
      hint: say`Pass the text of the file with its header line, in parts of up to 1,000,000 characters. acequia import takes files of any size.`,
    },
  ),
  module: moduleRef({
    description: 'Unless a column names it.',
  }).optional(),
  ...csvFields,
  dryRun: field(z.boolean(), { words: 'choice of a trial run' })
    .optional()
    .describe('true: only say what would be stored.'),
};

/** Says from which row on a CSV is not stored. */
export const clockStop = () =>
  z
    .strictObject({
      line: withExample(z.number().int(), 101),
      time: withExample(z.string(), '2026-03-29 02:00'),
      offset: withExample(z.string(), '+01:00'),
    })
    .optional()
    .describe('The row whose time the zone does not have, and the offset its clock may have.');

const count = () => z.number().int();

export const csvImportResult = z.strictObject({
  dryRun: z.boolean(),
  timezone: withExample(z.string().describe('Of times without an offset.'), 'Europe/Paris'),
  dates: z.enum(['iso', ...DATE_ORDERS]),
  columns: z
    .array(
      z.strictObject({
        name: withExample(z.string(), 'Date'),
        meaning: withExample(
          z.string().nullable().describe('Such as humidity_10; null: not read.'),
          'date',
        ),
        unit: z.string().optional(),
        export: z.string().optional().describe('The provider by whose exports it is known.'),
        why: z.string().optional(),
        code: z.string().optional(),
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
      stopped: clockStop(),
    })
    .describe('What a dry run would do; refused counts rows.'),
  modules: z.array(
    z.strictObject({
      id: withExample(z.number().int(), 1),
      name: withExample(z.string(), 'North 1'),
      sensors: z.array(z.string()),
      readings: count(),
      from: withExample(instantOutput(), '2026-06-29T04:00:00.000Z'),
      to: withExample(instantOutput(), '2026-06-29T04:00:00.000Z'),
    }),
  ),
  first: z
    .array(
      z.strictObject({
        line: withExample(z.number().int(), 2),
        module: withExample(z.string(), 'North 1'),
        sensor: withExample(z.string(), 'humidity_10'),
        time: withExample(instantOutput(), '2026-06-29T04:00:00.000Z'),
        value: withExample(z.number(), 21.5),
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
