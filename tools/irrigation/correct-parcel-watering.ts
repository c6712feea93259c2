import { z } from 'zod/v3';
import { summarizeWateringCorrection } from '../../src/language/irrigation/correction-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { field } from '../../src/schema/field.ts';
import {
  AMOUNT_CODES,
  type SingleParcelAnswer,
  singleParcelAnswer,
  wateringCorrectionBody,
  wateringDetailField,
} from '../../src/schema/irrigation/watering.ts';
import {
  ofWatering,
  pendingWaterings,
} from '../../src/service/irrigation/planning/pending-waterings.ts';
import {
  correctedMode,
  correctParcelWatering,
} from '../../src/service/irrigation/watering-correction.ts';
import { conciseParcelWatering } from '../../src/service/irrigation/waterings.ts';
import getParcelWatering from './get-parcel-watering.ts';

export default operation({
  name: 'correct_parcel_watering',
  title: 'Correct a watering of a parcel',
  description:
    'Change one logged or planned watering of a parcel that had no probe, as one on a probe is changed.',
  toolset: 'irrigation',
  endpoint: { method: 'PATCH', path: '/irrigation/parcel-events/{eventId}', status: 200 },
  scope: 'irrigation:write',
  effect: 'update',
  tool: {
    name: 'correct_watering',
    inDailyToolset: true,
    defaults: { detail: 'concise' },
    storedResource: {
      read: getParcelWatering,
      unchanged: ({ event }: SingleParcelAnswer, sent) => ({
        startedAt: event.startedAt,
        inputMode: correctedMode(sent, event.inputMode),
      }),
    },
  },
  rest: {
    errorCodes: { 400: ['ENDED_BEFORE_STARTED', ...AMOUNT_CODES] },
  },
  input: z.strictObject({
    eventId: field(z.number().int().positive().describe('Id, from the list of them.'), {
      unknownCode: 'EVENT_NOT_FOUND',
      words: 'watering',
    }),
    ...wateringCorrectionBody,
    refreeze: field(z.boolean(), { words: 'choice whether to recompute the dose' })
      .optional()
      .describe('Recompute the dose after corrected equipment.'),
    detail: wateringDetailField(),
  }),
  output: singleParcelAnswer,
  concise: conciseParcelWatering,
  pendingWork: ({ eventId }) => [pendingWaterings(ofWatering(eventId))],
  run: (call, { eventId, detail: _, ...body }) => correctParcelWatering(call, eventId, body),
  summary: summarizeWateringCorrection,
  advisoriesInSummary: ['watering_corrected'],
});
