import { z } from 'zod/v3';
import { summarizeSetupAndSettings } from '../../src/language/irrigation/setup-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { irrigationSetup } from '../../src/schema/irrigation/installation.ts';
import { moduleRef } from '../../src/schema/shared-fields.ts';
import { getIrrigationSetup } from '../../src/service/irrigation/installations.ts';
import {
  ofProbe,
  pendingWaterings,
} from '../../src/service/irrigation/planning/pending-waterings.ts';
import getParcelIrrigationSetup from './get-parcel-irrigation-setup.ts';

export default operation({
  name: 'get_irrigation_setup',
  title: 'See the equipment',
  description:
    'Show the irrigation equipment in force on a probe or a parcel, its versions with their ids, settings, placement, and how many doses are missing. ' +
    'Use it when a dose looks wrong.',
  toolset: 'irrigation',
  endpoint: { method: 'GET', path: '/modules/{moduleId}/irrigation', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  tool: {
    parcelVariant: getParcelIrrigationSetup,
    resource: {
      uri: 'acequia://modules/{module}/irrigation',
      name: 'module-irrigation',
      title: 'A probe’s equipment',
      description:
        'The irrigation equipment of a probe and its history. The same as get_irrigation_setup.',
    },
  },
  input: z.strictObject({ moduleId: moduleRef() }),
  output: irrigationSetup,
  pendingWork: ({ moduleId }) => [pendingWaterings(ofProbe(moduleId))],
  run: (call, { moduleId }) => getIrrigationSetup(call, moduleId),
  summary: summarizeSetupAndSettings,
});
