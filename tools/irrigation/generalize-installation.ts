import { z } from 'zod';
import { moduleName } from '../../src/operation/directory.ts';
import { operation } from '../../src/operation/operation.ts';
import { moduleRef } from '../../src/schema/field.ts';
import { effectiveFrom, installation, irrigationConfiguration } from '../../src/schema/installation.ts';
import { generalizeInstallation } from '../../src/service/generalize.ts';

export default operation({
  name: 'generalize_installation',
  title: 'Push a probe’s setup up to its parcel',
  description:
    'Make the current own setup of one probe the setup of its whole parcel and end the probe’s own. ' +
    'Try it with dryRun first and read out which probes change. ' +
    'To declare other equipment for a parcel use set_parcel_installation.',
  toolset: 'irrigation',
  endpoint: { method: 'POST', path: '/modules/{moduleId}/irrigation/installation/generalize', status: 200 },
  scope: 'irrigation:write',
  effect: 'update',
  input: z.strictObject({
    moduleId: moduleRef('Probe whose setup is pushed up: name or id.'),
    effectiveFrom: effectiveFrom(
      'When it counts for the parcel. Omitted: now, or 1970 for a first parcel setup.',
    ).optional(),
    dropSiblings: z.boolean().optional().describe('true: also end the own setups of the other probes of the parcel.'),
    dryRun: z.boolean().optional().describe('true: only tell what would change.'),
  }),
  output: z.strictObject({
    configuration: irrigationConfiguration,
    probes: z.array(
      z.strictObject({
        moduleId: z.number().int(),
        before: installation.nullable(),
        after: installation.nullable(),
      }),
    ),
  }),
  run: (call, { moduleId, ...asked }) => generalizeInstallation(call, moduleId, asked),
  summary: async ({ probes }, call, { moduleId, dryRun }) => {
    const changed = probes.filter(({ before, after }) => before?.id !== after?.id).length;
    const verb = dryRun ? 'Would push' : 'Pushed';
    return [
      `${verb} the setup of ${await moduleName(call.directory, moduleId)} up to its parcel: ${changed} of ${probes.length} modules ${dryRun ? 'would change' : 'changed'} their setup.`,
      ...(dryRun ? ['Nothing was written.'] : []),
      ...call.remarks,
    ].join(' ');
  },
});
