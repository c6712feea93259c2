import { z } from 'zod/v3';
import { summarizeGeneralizedSetup } from '../../src/language/irrigation/setup-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { field } from '../../src/schema/field.ts';
import {
  generalizedInstallation,
  TIMELINE_CODES,
} from '../../src/schema/irrigation/installation.ts';
import { effectiveFromField, maxCountField, moduleRef } from '../../src/schema/shared-fields.ts';
import { generalizeInstallation } from '../../src/service/irrigation/installation-generalization.ts';
import {
  ofProbeAndParcel,
  pendingWaterings,
} from '../../src/service/irrigation/planning/pending-waterings.ts';

export default operation({
  name: 'generalize_installation',
  title: 'Apply equipment to a parcel',
  description:
    'Make the current equipment of a probe its parcel’s and end the probe’s own; recorded ' +
    'doses stay. Other equipment: set_parcel_installation. dryRun lists probes that change.',
  toolset: 'irrigation',
  endpoint: {
    method: 'POST',
    path: '/modules/{moduleId}/irrigation/installation/generalize',
    status: 200,
  },
  scope: 'irrigation:write',
  effect: 'update',
  tool: {
    defaults: { maxProbes: 8 },
  },
  rest: {
    errorCodes: { 400: ['NO_INSTALLATION', ...TIMELINE_CODES], 404: ['PARCEL_NOT_FOUND'] },
  },
  input: z.strictObject({
    moduleId: moduleRef({ description: 'Name or id.' }),
    effectiveFrom: effectiveFromField('When it applies from. Default now.'),
    dropSiblings: field(z.boolean(), { words: 'choice whether to end the setups of other probes' })
      .optional()
      .describe('End those of its other probes too.'),
    dryRun: field(z.boolean(), { words: 'choice of a trial run' })
      .optional()
      .describe('Only show what would change.'),
    maxProbes: maxCountField('List at most this many probes, those that change first.').optional(),
  }),
  output: generalizedInstallation,
  pendingWork: ({ moduleId }) => [pendingWaterings(ofProbeAndParcel(moduleId))],
  run: (call, { moduleId, ...options }) => generalizeInstallation(call, moduleId, options),
  summary: summarizeGeneralizedSetup,
});
