import { z } from 'zod/v3';
import { operationName } from '../../src/domain/text/program-names.ts';
import { say } from '../../src/domain/text/say.ts';
import { summarizeWithSpacing } from '../../src/language/irrigation/equipment-summary.ts';
import {
  describeVersion,
  summarizeSetupVersion,
} from '../../src/language/irrigation/setup-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { field } from '../../src/schema/field.ts';
import {
  emitterSpacing,
  type InstallationVersionBody,
  installationCorrection,
  installationVersion,
  TIMELINE_CODES,
} from '../../src/schema/irrigation/installation.ts';
import { assertPlausibleCorrection } from '../../src/service/irrigation/equipment-change.ts';
import { withEmitterDensity } from '../../src/service/irrigation/installation-entry.ts';
import { correctInstallation } from '../../src/service/irrigation/installations.ts';
import {
  ofVersion,
  pendingWaterings,
} from '../../src/service/irrigation/planning/pending-waterings.ts';
import { assertPlausibleEquipment } from '../../src/service/irrigation/plausible-equipment.ts';
import { versionsOfTarget } from '../../src/service/irrigation/versions-of-target.ts';
import getIrrigationSetup from './get-irrigation-setup.ts';
import getParcelIrrigationSetup from './get-parcel-irrigation-setup.ts';

export default operation({
  name: 'correct_installation',
  title: 'Correct a version of equipment',
  description:
    'Fix equipment that was entered wrongly (a typo, its start). ' +
    'Missing doses are completed, recorded ones stay (see refreeze of correct_watering). ' +
    'For a change in the field use set_parcel_installation or set_module_installation.',
  toolset: 'irrigation',
  endpoint: { method: 'PATCH', path: '/irrigation/installations/{versionId}', status: 200 },
  scope: 'irrigation:write',
  effect: 'update',
  tool: {
    check: assertPlausibleEquipment,
    idLookup: {
      kind: 'installation',
      creationHint: say`${operationName('set_module_installation')} or ${operationName('set_parcel_installation')} declares it.`,
      rowsConcerning: (target, context) =>
        versionsOfTarget({ getIrrigationSetup, getParcelIrrigationSetup }, target, context),
      targetOf: ({ moduleId, parcelId }: InstallationVersionBody) =>
        moduleId === null ? { parcelId } : { moduleId },
      check: assertPlausibleCorrection,
      describe: describeVersion,
    },
  },
  rest: {
    errorCodes: { 400: TIMELINE_CODES },
  },
  input: z.strictObject({
    versionId: field(
      z.number().int().positive().describe('From get_irrigation_setup. Default in force.'),
      {
        words: 'version of the equipment',
      },
    ),
    ...installationCorrection,
    ...emitterSpacing,
  }),
  output: installationVersion,
  pendingWork: ({ versionId }) => [pendingWaterings(ofVersion(versionId))],
  run: (call, { versionId, ...body }) =>
    correctInstallation(call, versionId, withEmitterDensity(body)),
  summary: summarizeWithSpacing(summarizeSetupVersion),
});
