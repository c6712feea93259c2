import { z } from 'zod/v3';
import {
  describeVersion,
  summarizeSetupVersion,
  summarizeWithSpacing,
} from '../../src/language/irrigation/setup-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import {
  emitterSpacing,
  type InstallationVersionBody,
  type IrrigationConfigurationBody,
  installationCorrection,
  installationVersion,
  type ParcelIrrigationBody,
  TIMELINE_CODES,
} from '../../src/schema/irrigation/installation.ts';
import { withEmitterDensity } from '../../src/service/irrigation/installation-entry.ts';
import { correctInstallation } from '../../src/service/irrigation/installations.ts';
import getIrrigationSetup from './get-irrigation-setup.ts';
import getParcelIrrigationSetup from './get-parcel-irrigation-setup.ts';

export default operation({
  name: 'correct_installation',
  title: 'Correct a version of equipment',
  description:
    'Fix a version of equipment that was entered wrongly or incompletely (a typo, a missing application rate, its start). ' +
    'Missing doses are completed, recorded ones stay. ' +
    'For a change in the field use set_module_installation or set_parcel_installation.',
  toolset: 'irrigation',
  endpoint: { method: 'PATCH', path: '/irrigation/installations/{versionId}', status: 200 },
  scope: 'irrigation:write',
  effect: 'update',
  tool: {
    idLookup: {
      kind: 'installation',
      noneHint: 'set_module_installation or set_parcel_installation declares it.',
      async rows(target, context) {
        const read = target.moduleId == null ? getParcelIrrigationSetup : getIrrigationSetup;
        const setup = (await context.runRead(read, { ...target })) as
          | ParcelIrrigationBody
          | IrrigationConfigurationBody;
        const versions = setup.versions.map((version) => ({
          ...version,
          isActive: version.id === setup.installation?.id,
        }));
        const probes = 'probes' in setup ? setup.probes : [];

        const ofProbes = probes.flatMap(({ installation }) =>
          installation?.scope === 'module' ? [{ ...installation, isActive: true }] : [],
        );

        return [...versions, ...ofProbes];
      },
      targetOf: ({ moduleId, parcelId }: InstallationVersionBody) =>
        moduleId === null ? { parcelId } : { moduleId },
      describe: describeVersion,
    },
  },
  rest: {
    errorCodes: { 400: TIMELINE_CODES },
  },
  input: z.strictObject({
    versionId: z.number().int().positive().describe('Default the one in force.'),
    ...installationCorrection,
    ...emitterSpacing,
  }),
  output: installationVersion,
  run: (call, { versionId, ...body }) =>
    correctInstallation(call, versionId, withEmitterDensity(body)),
  summary: summarizeWithSpacing(summarizeSetupVersion),
});
