import { z } from 'zod/v3';
import { summarizeWateringPreview } from '../../src/language/irrigation/watering-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { wateringPreview } from '../../src/schema/advice/farm-page.ts';
import { AMOUNT_CODES, wateringBody } from '../../src/schema/irrigation/watering.ts';
import { moduleRef, parcelRef } from '../../src/schema/shared-fields.ts';
import {
  ofTarget,
  pendingWaterings,
} from '../../src/service/irrigation/planning/pending-waterings.ts';
import {
  checkWateringPreview,
  previewWatering,
} from '../../src/service/irrigation/watering-log.ts';

const { note: _, ...bodyWithoutNote } = wateringBody;

export default operation({
  name: 'preview_watering',
  title: 'Preview a watering',
  description:
    'Compute the dose that log_watering would enter for these arguments, in mm with its minutes and m3, and write nothing.',
  toolset: 'irrigation',
  endpoint: { method: 'GET', path: '/irrigation/preview', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  rest: {
    errorCodes: { 400: ['ENDED_BEFORE_STARTED', 'INVALID_TARGET', ...AMOUNT_CODES] },
  },
  page: {
    audience: 'app-only',
  },
  input: z.strictObject({
    moduleId: moduleRef({ unknownCode: 'MODULE_NOT_OWNED' }).optional(),
    parcelId: parcelRef({ unknownCode: 'PARCEL_NOT_FOUND' }).optional(),
    ...bodyWithoutNote,
  }),
  output: wateringPreview,
  check: checkWateringPreview,
  pendingWork: ({ moduleId, parcelId }) => [pendingWaterings(ofTarget({ moduleId, parcelId }))],
  run: previewWatering,
  summary: summarizeWateringPreview,
});
