import { z } from 'zod/v3';
import { summarizeCsvImport } from '../../src/language/ingest/csv-import-summary.ts';
import { batchOperation } from '../../src/operation/operation.ts';
import { csvImportBody, csvImportResult } from '../../src/schema/ingest/csv-import.ts';
import { importCsv } from '../../src/service/ingest/batch/csv-import.ts';

export default batchOperation({
  name: 'import_readings',
  title: 'Import readings from CSV',
  description:
    'Import readings from CSV, or one said aloud (one row, header humidity_20 (%) or ' +
    'tensio_30 (kPa); without time it is now). The same time replaces; undo removes ' +
    'none. New layout: dryRun first, and show it. Never complete values.',
  toolset: 'ingest',
  endpoint: { method: 'POST', path: '/ingest/csv', status: 200 },
  scope: 'ingest:write',
  effect: 'update',
  rest: {
    errorCodes: {
      400: ['AMBIGUOUS_NAME', 'INVALID_TIMEZONE'],
      403: ['forbidden_resource'],
      404: ['not_found'],
    },
  },
  batch: { csv: null },
  storesReadings: true,
  isListedChange: ({ dryRun, readings }) => !dryRun && readings.written + readings.changed > 0,
  input: z.strictObject(csvImportBody),
  output: csvImportResult,
  run: importCsv,
  summary: summarizeCsvImport,
});
