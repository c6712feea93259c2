import { z } from 'zod/v3';
import { summarizeRain } from '../../src/language/weather/rain-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { rainAnswer, rainEntry } from '../../src/schema/weather/rain.ts';
import { logRain } from '../../src/service/weather/rain-log.ts';

export default operation({
  name: 'log_rain',
  title: 'Log rain',
  description:
    'Record fallen rain; a day’s total replaces its records. Never guess an amount: ask. To ' +
    'fix one use correct_rain.',
  toolset: 'weather',
  endpoint: { method: 'POST', path: '/rain', status: 201 },
  scope: 'irrigation:write',
  effect: 'create',
  tool: {
    inDailyToolset: true,
  },
  rest: {
    errorCodes: { 400: ['INVALID_RAIN', 'INVALID_RAIN_TIME', 'INVALID_TARGET'] },
  },
  input: z.strictObject(rainEntry),
  output: rainAnswer,
  run: logRain,
  summary: summarizeRain,
});
