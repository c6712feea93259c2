import { z } from 'zod/v3';
import { operation } from '../../src/operation/operation.ts';
import { field } from '../../src/schema/field.ts';
import { singleParcelAnswer } from '../../src/schema/irrigation/watering.ts';
import {
  confirmedWaterings,
  ofWatering,
} from '../../src/service/irrigation/planning/pending-waterings.ts';
import { getParcelWatering } from '../../src/service/irrigation/watering-correction.ts';

export default operation({
  name: 'get_parcel_watering',
  title: 'Get a watering of a parcel',
  description:
    'Get one watering of a parcel that had no probe by its id, with the warnings of its dose.',
  toolset: 'irrigation',
  endpoint: { method: 'GET', path: '/irrigation/parcel-events/{eventId}', status: 200 },
  scope: 'readings:read',
  orScopes: ['irrigation:write'],
  effect: 'read',
  rest: {
    isRestOnly: true,
  },
  input: z.strictObject({
    eventId: field(z.number().int().positive().describe('From the list of them.'), {
      unknownCode: 'EVENT_NOT_FOUND',
      words: 'watering',
    }),
  }),
  output: singleParcelAnswer,
  pendingWork: ({ eventId }) => confirmedWaterings(ofWatering(eventId)),
  run: (call, { eventId }) => getParcelWatering(call, eventId),
});
