import { z } from 'zod/v3';
import { summarizePlacement } from '../../src/language/irrigation/setup-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import {
  irrigationConfiguration,
  placementBody,
} from '../../src/schema/irrigation/installation.ts';
import { moduleRef } from '../../src/schema/shared-fields.ts';
import { setModulePlacement } from '../../src/service/irrigation/irrigation-setup.ts';
import {
  ofProbe,
  pendingWaterings,
} from '../../src/service/irrigation/planning/pending-waterings.ts';

export default operation({
  name: 'set_module_placement',
  title: 'Note a probe’s placement',
  description:
    'Note how far a probe is from the nearest emitter; no dose changes. Coordinates: set_module.',
  toolset: 'irrigation',
  endpoint: { method: 'PUT', path: '/modules/{moduleId}/irrigation/placement', status: 200 },
  scope: 'irrigation:write',
  effect: 'update',
  input: z.strictObject({ moduleId: moduleRef(), ...placementBody }),
  output: irrigationConfiguration,
  pendingWork: ({ moduleId }) => [pendingWaterings(ofProbe(moduleId))],
  run: (call, { moduleId, ...body }) => setModulePlacement(call, moduleId, body),
  summary: summarizePlacement,
});
