import { z } from 'zod/v3';
import { summarizeAgronomicState } from '../../src/language/monitoring/agronomic-state-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { agronomicState } from '../../src/schema/moisture/series.ts';
import { moduleRef } from '../../src/schema/shared-fields.ts';
import {
  ofProbeAndParcel,
  plannedWaterings,
} from '../../src/service/irrigation/planning/pending-waterings.ts';
import { getAgronomicState } from '../../src/service/monitoring/agronomic-state.ts';

export default operation({
  name: 'get_agronomic_state',
  title: 'See a probe’s water state',
  description:
    'Tell whether the soil at a probe is saturated, in comfort or under water stress now, with the levels that decide. ' +
    'For how long to water use advise_watering.',
  toolset: 'monitoring',
  endpoint: { method: 'GET', path: '/modules/{moduleId}/agronomic-state', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  tool: {
    inDailyToolset: true,
  },
  input: z.strictObject({ moduleId: moduleRef({ code: 'invalid_id' }) }),
  output: agronomicState,
  pendingWork: ({ moduleId }) => plannedWaterings(ofProbeAndParcel(moduleId)),
  run: (call, { moduleId }) => getAgronomicState(call, moduleId),
  summary: summarizeAgronomicState,
});
