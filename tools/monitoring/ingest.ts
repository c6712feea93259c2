import { z } from 'zod';
import { emptySummary } from '../../src/language/page-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { ingestBody, ingestResult } from '../../src/schema/ingest-batch.ts';
import { ingestBatch } from '../../src/service/ingest/batch-ingest.ts';

export default operation({
  name: 'ingest',
  title: 'Bring in readings',
  description:
    'Bring in readings of probes and stations, and what gateways tell of themselves, as JSON or as CSV with the columns of `acequia import`. ' +
    'Good rows are kept whatever their neighbours hold, refused ones are told one by one. ' +
    'A reading is its sensor and its instant: the same batch again changes nothing. ' +
    'A body of 16 MiB at most, counted when inflated; `Content-Encoding: gzip` is taken.',
  toolset: 'monitoring',
  endpoint: { method: 'POST', path: '/ingest', status: 200 },
  scope: 'ingest:write',
  effect: 'update',
  errorCodes: { 400: ['AMBIGUOUS_NAME', 'INVALID_TIMEZONE'], 404: ['not_found'] },
  restOnly: true,
  batch: { csv: 'csv' },
  bringsReadings: true,
  input: z.strictObject(ingestBody),
  output: ingestResult,
  run: ingestBatch,
  summary: emptySummary,
});
