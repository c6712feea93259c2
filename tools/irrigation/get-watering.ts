import { z } from 'zod/v3';
import { summarizeWatering } from '../../src/language/irrigation/watering-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { field } from '../../src/schema/field.ts';
import { wateringAnswer, wateringDetailField } from '../../src/schema/irrigation/watering.ts';
import { getWatering } from '../../src/service/irrigation/watering-correction.ts';
import { conciseWateringAnswer } from '../../src/service/irrigation/waterings.ts';

export default operation({
  name: 'get_watering',
  title: 'Get a watering',
  description: 'Get one watering by its id, with the warnings of its dose.',
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
    }),
    detail: wateringDetailField(),
  }),
  output: wateringAnswer,
  concise: conciseWateringAnswer,
  run: (call, { eventId }) => getWatering(call, eventId),
  summary: summarizeWatering,
});
