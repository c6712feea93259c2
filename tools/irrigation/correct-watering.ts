import { z } from 'zod/v3';
import { summarizeWateringCorrection } from '../../src/language/irrigation/correction-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { field } from '../../src/schema/field.ts';
import {
  AMOUNT_CODES,
  type WateringAnswer,
  wateringAnswer,
  wateringCorrectionBody,
  wateringDetailField,
} from '../../src/schema/irrigation/watering.ts';
import {
  ofWatering,
  pendingWaterings,
} from '../../src/service/irrigation/planning/pending-waterings.ts';
import {
  correctedMode,
  correctWatering,
} from '../../src/service/irrigation/watering-correction.ts';
import { conciseWateringAnswer } from '../../src/service/irrigation/waterings.ts';
import correctParcelWatering from './correct-parcel-watering.ts';
import getWatering from './get-watering.ts';

export default operation({
  name: 'correct_watering',
  title: 'Correct a watering',
  description:
    'Change one logged or planned watering of one probe: move it, give another amount or a note, confirm or cancel it. ' +
    'What is not sent stays; a new start or amount gives a new dose. ' +
    'For a whole schedule use update_schedule.',
  toolset: 'irrigation',
  endpoint: { method: 'PATCH', path: '/irrigation/events/{eventId}', status: 200 },
  scope: 'irrigation:write',
  effect: 'update',
  tool: {
    inDailyToolset: true,
    otherKind: correctParcelWatering,
    defaults: { detail: 'concise' },
    storedResource: {
      read: getWatering,
      unchanged: ({ event }: WateringAnswer, sent) => ({
        startedAt: event.startedAt,
        inputMode: correctedMode(sent, event.inputMode),
      }),
    },
  },
  rest: {
    errorCodes: { 400: ['ENDED_BEFORE_STARTED', ...AMOUNT_CODES] },
  },
  input: z.strictObject({
    eventId: field(z.number().int().positive().describe('Id, from list_waterings.'), {
      unknownCode: 'EVENT_NOT_FOUND',
      words: 'watering',
    }),
    ...wateringCorrectionBody,
    refreeze: field(z.boolean(), { words: 'choice whether to recompute the dose' })
      .optional()
      .describe('Recompute the dose after corrected equipment.'),
    detail: wateringDetailField(),
  }),
  output: wateringAnswer,
  concise: conciseWateringAnswer,
  pendingWork: ({ eventId }) => [pendingWaterings(ofWatering(eventId))],
  run: (call, { eventId, detail: _, ...body }) => correctWatering(call, eventId, body),
  summary: summarizeWateringCorrection,
  advisoriesInSummary: ['watering_corrected'],
});
