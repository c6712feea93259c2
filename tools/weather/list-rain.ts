import { z } from 'zod/v3';
import { summarizeRainList } from '../../src/language/weather/rain-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import {
  cursorField,
  page,
  parcelRef,
  periodBoundField,
  totalsField,
  unlistedLimitField,
} from '../../src/schema/shared-fields.ts';
import { rain, rainTotal } from '../../src/schema/weather/rain.ts';
import { listRain } from '../../src/service/weather/rain.ts';

export default operation({
  name: 'list_rain',
  title: 'List rain',
  description: 'List recorded rain, newest first, with ids and sums.',
  toolset: 'weather',
  endpoint: { method: 'GET', path: '/rain', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  tool: {
    defaults: { limit: 10 },
  },
  input: z.strictObject({
    parcelId: parcelRef({ replacesModule: false }).optional(),
    from: periodBoundField('Start of the period.', {
      restDescription: 'Start of the period (included).',
    }).optional(),
    to: periodBoundField('End; a day alone is included.', {
      kind: 'periodEnd',
      restDescription: 'End of the period (excluded); a day alone is included.',
    }).optional(),
    limit: unlistedLimitField().default(50),
    cursor: cursorField().optional(),
    totals: totalsField().default('first_page'),
  }),
  output: page(rain).extend({
    totals: z.array(rainTotal).optional().describe('Of all pages, on the first.'),
  }),
  run: listRain,
  summary: summarizeRainList,
});
