import { z } from 'zod/v3';
import { DATE_ORDERS } from '../../domain/ingest/import-options.ts';

export const csvFields = {
  timezone: z.string().max(100).optional().describe('IANA zone of its times. Default the company’s.'),
  map: z
    .string()
    .max(10_000)
    .optional()
    .describe('Columns not recognised: "Probe A=humidity_10 (m3/m3); Rain=ignore".'),
  dates: z.enum(DATE_ORDERS).optional().describe('Order of day and month, if no day is above 12.'),
};
