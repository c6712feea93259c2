import { z } from 'zod/v3';
import { summarizeParcelWaterTimes } from '../../src/language/moisture/water-times-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import {
  parcelSourceEntry,
  parcelWaterTimesAnswer,
  waterTimesEntry,
} from '../../src/schema/moisture/water-times.ts';
import { parcelRef } from '../../src/schema/shared-fields.ts';
import { setParcelWaterTimes } from '../../src/service/moisture/water-times.ts';

export default operation({
  name: 'set_parcel_water_times',
  title: 'Say when water comes to a parcel',
  description:
    'Set when water can come to a parcel and to its probes without water times of their own. The rest stays.',
  toolset: 'moisture',
  endpoint: { method: 'PATCH', path: '/parcels/{parcelId}/water-times', status: 200 },
  scope: 'irrigation:write',
  effect: 'update',
  tool: {
    name: 'set_water_times',
  },
  input: z.strictObject({
    parcelId: parcelRef({ description: 'Or a parcel.' }),
    ...parcelSourceEntry,
    ...waterTimesEntry,
  }),
  output: parcelWaterTimesAnswer,
  run: (call, { parcelId, ...body }) => setParcelWaterTimes(call, parcelId, body),
  summary: summarizeParcelWaterTimes,
});
