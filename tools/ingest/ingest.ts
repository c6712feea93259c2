import { z } from 'zod/v3';
import { batchOperation } from '../../src/operation/operation.ts';
import { ingestBody, ingestResult } from '../../src/schema/ingest/ingest-batch.ts';
import { ingestBatch } from '../../src/service/ingest/batch/batch-ingest.ts';

export default batchOperation({
  name: 'ingest',
  title: 'Import readings',
  description:
    'Import readings of probes and stations, and the status of gateways, as JSON or as CSV with the columns of `acequia import`. ' +
    'Valid rows are stored even if others are rejected; each rejected row is reported. ' +
    'A reading is identified by its sensor and instant, so sending the same batch again changes nothing. ' +
    'The body may have 16 MiB, counted uncompressed; `Content-Encoding: gzip` is accepted.',
  toolset: 'ingest',
  endpoint: { method: 'POST', path: '/ingest', status: 200 },
  scope: 'ingest:write',
  effect: 'update',
  rest: {
    errorCodes: {
      400: ['AMBIGUOUS_NAME', 'INVALID_TIMEZONE'],
      404: ['not_found'],
      503: ['server_busy'],
    },
    isRestOnly: true,
  },
  batch: { csv: 'csv' },
  storesReadings: true,
  input: z.strictObject(ingestBody),
  output: ingestResult,
  run: ingestBatch,
});
