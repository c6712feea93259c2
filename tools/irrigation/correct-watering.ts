import { z } from 'zod';
import { operation } from '../../src/operation/operation.ts';
import { wateringAnswer, wateringCorrectionBody } from '../../src/schema/watering.ts';
import { sayCorrection } from '../../src/service/say-watering.ts';
import { correctWatering } from '../../src/service/waterings.ts';

export default operation({
  name: 'correct_watering',
  title: 'Correct a watering',
  description:
    'Change one logged or planned watering, confirm a planned one (status done), or take one back (status skipped). ' +
    'What is not given keeps its value; the dose is computed anew only when start, input mode or amount changes. ' +
    'startedAt and inputMode are always needed: repeat them as list_waterings shows them. To record a new watering use log_watering.',
  toolset: 'irrigation',
  endpoint: { method: 'PATCH', path: '/irrigation/events/{eventId}', status: 200 },
  scope: 'irrigation:write',
  effect: 'update',
  input: z.strictObject({
    eventId: z.number().int().positive().describe('Id of the watering, from list_waterings.'),
    ...wateringCorrectionBody,
    refreeze: z
      .boolean()
      .optional()
      .describe('true: compute the dose anew, to mend one frozen under a setup since corrected.'),
  }),
  output: wateringAnswer,
  run: (call, { eventId, ...body }) => correctWatering(call, eventId, body),
  summary: sayCorrection,
});
