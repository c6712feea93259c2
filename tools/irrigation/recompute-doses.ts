import { z } from 'zod/v3';
import { summarizeDoseRecompute } from '../../src/language/irrigation/watering-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { doseRecompute } from '../../src/schema/irrigation/installation.ts';
import { moduleRef } from '../../src/schema/shared-fields.ts';
import { recomputeDoses } from '../../src/service/irrigation/installations.ts';
import {
  ofProbe,
  pendingWaterings,
} from '../../src/service/irrigation/planning/pending-waterings.ts';

export default operation({
  name: 'recompute_doses',
  title: 'Complete missing doses',
  description:
    'Complete the missing doses of a probe where its equipment now allows it, and tell what is still missing. ' +
    'No other dose changes. Setup writes do this by themselves.',
  toolset: 'irrigation',
  endpoint: { method: 'POST', path: '/modules/{moduleId}/irrigation/recompute', status: 200 },
  scope: 'irrigation:write',
  effect: 'update',
  input: z.strictObject({ moduleId: moduleRef() }),
  output: doseRecompute,
  pendingWork: ({ moduleId }) => [pendingWaterings(ofProbe(moduleId))],
  run: (call, { moduleId }) => recomputeDoses(call, moduleId),
  summary: summarizeDoseRecompute,
});
