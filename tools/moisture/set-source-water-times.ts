import { z } from 'zod/v3';
import { summarizeSourceWaterTimes } from '../../src/language/moisture/water-times-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import {
  sourceEntry,
  sourceWaterTimesAnswer,
  waterTimesEntry,
} from '../../src/schema/moisture/water-times.ts';
import { setSourceWaterTimes } from '../../src/service/moisture/water-times.ts';

export default operation({
  name: 'set_source_water_times',
  title: 'Say when a source gives water',
  description:
    'Set when a canal, well or pump gives water, and which parcels draw from it. The rest stays.',
  toolset: 'moisture',
  endpoint: { method: 'PATCH', path: '/water-sources', status: 200 },
  scope: 'irrigation:write',
  effect: 'update',
  tool: {
    name: 'set_water_times',
  },
  rest: {
    errorCodes: { 400: ['AMBIGUOUS_NAME'], 404: ['not_found'] },
  },
  input: z.strictObject({ ...sourceEntry, ...waterTimesEntry }),
  output: sourceWaterTimesAnswer,
  run: setSourceWaterTimes,
  summary: summarizeSourceWaterTimes,
});
