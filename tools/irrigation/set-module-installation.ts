import { z } from 'zod/v3';
import { summarizeWithSpacing } from '../../src/language/irrigation/equipment-summary.ts';
import { summarizeDeclaredSetup } from '../../src/language/irrigation/setup-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import {
  emitterSpacing,
  installationBody,
  irrigationConfiguration,
  TIMELINE_CODES,
} from '../../src/schema/irrigation/installation.ts';
import { moduleRef } from '../../src/schema/shared-fields.ts';
import { keptOnService } from '../../src/service/irrigation/equipment-change.ts';
import {
  assertValidEntry,
  withEmitterDensity,
} from '../../src/service/irrigation/installation-entry.ts';
import { setModuleInstallation } from '../../src/service/irrigation/installations.ts';
import {
  ofProbe,
  pendingWaterings,
} from '../../src/service/irrigation/planning/pending-waterings.ts';
import { assertPlausibleEquipment } from '../../src/service/irrigation/plausible-equipment.ts';
import getIrrigationSetup from './get-irrigation-setup.ts';

export default operation({
  name: 'set_module_installation',
  title: 'Declare a probe’s equipment',
  description:
    'Declare irrigation equipment around one probe that differs from its parcel’s (else set_parcel_installation), or a change of it, from a given date. ' +
    'Missing doses are completed, recorded ones stay. ' +
    'For a typo use correct_installation.',
  toolset: 'irrigation',
  endpoint: { method: 'PUT', path: '/modules/{moduleId}/irrigation/installation', status: 200 },
  scope: 'irrigation:write',
  effect: 'create',
  tool: {
    check: assertPlausibleEquipment,
    keptResource: { read: getIrrigationSetup, argumentsToKeep: keptOnService },
  },
  rest: {
    errorCodes: { 400: TIMELINE_CODES },
  },
  input: z.strictObject({
    moduleId: moduleRef({ unknownCode: 'MODULE_NOT_OWNED' }),
    ...installationBody,
    ...emitterSpacing,
  }),
  output: irrigationConfiguration,
  check: ({ moduleId: _, ...entry }, { now }) => assertValidEntry(withEmitterDensity(entry), now),
  pendingWork: ({ moduleId }) => [pendingWaterings(ofProbe(moduleId))],
  run: (call, { moduleId, ...body }) =>
    setModuleInstallation(call, moduleId, withEmitterDensity(body)),
  summary: summarizeWithSpacing(summarizeDeclaredSetup),
  advisoriesInSummary: ['past_version'],
});
