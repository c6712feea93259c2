import { z } from 'zod/v3';
import { summarizeRainCorrection } from '../../src/language/weather/rain-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { field } from '../../src/schema/field.ts';
import { rainAnswer, rainCorrection } from '../../src/schema/weather/rain.ts';
import { correctRain } from '../../src/service/weather/rain-log.ts';

export default operation({
  name: 'correct_rain',
  title: 'Correct rain',
  description: 'Change the amount or time of one rain record, or delete it; new rain: log_rain.',
  toolset: 'weather',
  endpoint: { method: 'PATCH', path: '/rain/{rainId}', status: 200 },
  scope: 'irrigation:write',
  effect: 'update',
  rest: {
    errorCodes: { 400: ['INVALID_RAIN', 'INVALID_RAIN_TIME'] },
  },
  input: z.strictObject({
    rainId: field(z.number().int().positive().describe('Id, from list_rain.'), {
      words: 'rain record',
    }),
    ...rainCorrection,
  }),
  output: rainAnswer,
  run: (call, { rainId, ...body }) => correctRain(call, rainId, body),
  summary: summarizeRainCorrection,
  advisoriesInSummary: ['rain_corrected'],
});
