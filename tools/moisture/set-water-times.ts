import { z } from 'zod/v3';
import { summarizeProbeWaterTimes } from '../../src/language/moisture/water-times-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { probeWaterTimesAnswer, waterTimesEntry } from '../../src/schema/moisture/water-times.ts';
import { moduleRef } from '../../src/schema/shared-fields.ts';
import { setProbeWaterTimes } from '../../src/service/moisture/water-times.ts';
import setParcelWaterTimes from './set-parcel-water-times.ts';
import setSourceWaterTimes from './set-source-water-times.ts';

export default operation({
  name: 'set_water_times',
  title: 'Say when water comes',
  description:
    'Set when water can come to a parcel, a probe or from a shared source: turns or weekdays, ' +
    'season, least dose; advice then says whether to take the next turn. To plan it use ' +
    'create_schedule.',
  toolset: 'moisture',
  endpoint: { method: 'PATCH', path: '/modules/{moduleId}/water-times', status: 200 },
  scope: 'irrigation:write',
  effect: 'update',
  tool: {
    parcelVariant: setParcelWaterTimes,
    sourceVariant: setSourceWaterTimes,
  },
  input: z.strictObject({ moduleId: moduleRef(), ...waterTimesEntry }),
  output: probeWaterTimesAnswer,
  run: (call, { moduleId, ...body }) => setProbeWaterTimes(call, moduleId, body),
  summary: summarizeProbeWaterTimes,
});
