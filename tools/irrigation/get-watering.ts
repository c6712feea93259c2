import { z } from 'zod/v3';
import { summarizeWatering } from '../../src/language/irrigation/watering-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { field } from '../../src/schema/field.ts';
import { wateringDetailField, witnessedWatering } from '../../src/schema/irrigation/watering.ts';
import { storeWitnesses } from '../../src/service/advice/source/store-witnesses.ts';
import {
  confirmedWaterings,
  ofProbeAndParcel,
  ofWatering,
} from '../../src/service/irrigation/planning/pending-waterings.ts';
import { getWatering } from '../../src/service/irrigation/watering-correction.ts';
import { conciseWateringAnswer } from '../../src/service/irrigation/waterings.ts';

export default operation({
  name: 'get_watering',
  title: 'Get a watering',
  description: 'Get one watering by its id, with the warnings of its dose and who saw it.',
  toolset: 'irrigation',
  endpoint: { method: 'GET', path: '/irrigation/events/{eventId}', status: 200 },
  scope: 'readings:read',
  orScopes: ['irrigation:write'],
  effect: 'read',
  tool: {
    defaults: { detail: 'concise' },
  },
  rest: {
    isRestOnly: true,
  },
  input: z.strictObject({
    eventId: field(z.number().int().positive().describe('From the list of waterings.'), {
      unknownCode: 'EVENT_NOT_FOUND',
      words: 'watering',
    }),
    detail: wateringDetailField(),
  }),
  output: witnessedWatering,
  concise: conciseWateringAnswer,
  pendingWork: ({ eventId }) => confirmedWaterings(ofWatering(eventId, ofProbeAndParcel)),
  run: (call, { eventId }) => getWatering(call, eventId, storeWitnesses(call)),
  summary: summarizeWatering,
});
