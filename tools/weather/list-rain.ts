import { z } from 'zod/v3';
import { summarizeRainList } from '../../src/language/weather/rain-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import {
  cursorField,
  listPeriod,
  page,
  parcelRef,
  totalsField,
  unlistedLimitField,
} from '../../src/schema/shared-fields.ts';
import { rain, rainTotal } from '../../src/schema/weather/rain.ts';
import { listRain } from '../../src/service/weather/rain.ts';

export default operation({
  name: 'list_rain',
  title: 'List rain',
  description:
    'List fallen rain, newest first: ids, sums per parcel. At the roots: review_waterings.',
  toolset: 'weather',
  endpoint: { method: 'GET', path: '/rain', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  tool: {
    defaults: { limit: 10 },
  },
  input: z.strictObject({
    parcelId: parcelRef({ replacesModule: false }).optional(),
    ...listPeriod('Start: 3 days ago.'),
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
