import { z } from 'zod/v3';
import { summarizeParcelAdvice } from '../../src/language/advice/parcel/parcel-advice-summary.ts';
import { parcelAdvice, parcelAdviceQuery } from '../../src/schema/advice/parcel-advice.ts';
import { parcelRef } from '../../src/schema/shared-fields.ts';
import {
  adviseParcelWatering,
  conciseParcelAdvice,
} from '../../src/service/advice/parcel-advice.ts';
import { factOperation } from '../../src/service/advice/source/fact-operation.ts';
import {
  ofParcel,
  plannedWaterings,
} from '../../src/service/irrigation/planning/pending-waterings.ts';

export default factOperation({
  name: 'advise_parcel_watering',
  title: 'Advise how long to water a parcel',
  description:
    'Advise whether and how long to water a parcel: by each of its probes, or without one by the water balance of its crop, from planting or since its soil was full. ' +
    'It says what is missing for that.',
  toolset: 'advice',
  endpoint: { method: 'GET', path: '/parcels/{parcelId}/irrigation/advice', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  tool: {
    name: 'advise_watering',
    defaults: { detail: 'concise' },
    inDailyToolset: true,
  },
  load: {
    isLong: () => true,
    isShared: true,
  },
  input: z.strictObject({
    parcelId: parcelRef({ description: 'Or a parcel.' }),
    ...parcelAdviceQuery,
  }),
  output: parcelAdvice,
  pendingWork: ({ parcelId }) => plannedWaterings(ofParcel(parcelId)),
  facts: {
    reads: ['parcel', 'module', 'modules', 'probes', 'state', 'waterings', 'rain', 'weather'],
    answer: (call, { parcelId, ...request }, facts) =>
      adviseParcelWatering(call, facts, parcelId, request),
  },
  concise: conciseParcelAdvice,
  summary: summarizeParcelAdvice,
});
