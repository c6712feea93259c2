import { z } from 'zod/v3';
import { summarizeAdvice } from '../../src/language/advice/advice-summary.ts';
import { advice, adviceQuery } from '../../src/schema/advice/advice.ts';
import { ADVISORIES_OF_REASONS } from '../../src/schema/advice/fact-places.ts';
import { moduleRef } from '../../src/schema/shared-fields.ts';
import { adviseWatering } from '../../src/service/advice/probe-adviser.ts';
import { factOperation } from '../../src/service/advice/source/fact-operation.ts';
import {
  ofProbeAndParcel,
  plannedWaterings,
} from '../../src/service/irrigation/planning/pending-waterings.ts';
import adviseParcelWatering from './advise-parcel-watering.ts';

export default factOperation({
  name: 'advise_watering',
  title: 'Advise on watering',
  description:
    'Advise whether and how long to water now at a probe, each probe of a parcel, or (by a water balance) a parcel without any: amount, days until stress, plans. ' +
    'For the whole farm use morning_brief.',
  toolset: 'advice',
  endpoint: { method: 'GET', path: '/modules/{moduleId}/irrigation/advice', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  tool: {
    inDailyToolset: true,
    isAlwaysLoaded: true,
    defaults: { detail: 'concise' },
    parcelVariant: adviseParcelWatering,
  },
  input: z.strictObject({ moduleId: moduleRef(), ...adviceQuery }),
  output: advice,
  pendingWork: ({ moduleId }) => plannedWaterings(ofProbeAndParcel(moduleId)),
  facts: {
    reads: ['module', 'modules', 'probes', 'state', 'setup', 'rain', 'weather'],
    answer: (call, { moduleId, ...request }, facts) =>
      adviseWatering(call, facts, moduleId, request),
  },
  summary: summarizeAdvice,
  advisoriesInSummary: ['recent_rain', 'enough_if_it_runs', ...ADVISORIES_OF_REASONS],
});
