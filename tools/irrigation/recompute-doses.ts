import { z } from 'zod';
import { moduleName } from '../../src/operation/directory.ts';
import { operation } from '../../src/operation/operation.ts';
import { moduleRef } from '../../src/schema/field.ts';
import { missingDoses } from '../../src/schema/installation.ts';
import { recomputeDoses } from '../../src/service/installations.ts';

export default operation({
  name: 'recompute_doses',
  title: 'Complete missing doses',
  description:
    'Complete the waterings of a probe that have no dose yet, where its setups now allow it, and tell what is still missing and why. ' +
    'Recorded doses are never rewritten; to mend one, use correct_watering with refreeze. Setup writes do this by themselves.',
  toolset: 'irrigation',
  endpoint: { method: 'POST', path: '/modules/{moduleId}/irrigation/recompute', status: 200 },
  scope: 'irrigation:write',
  effect: 'update',
  input: z.strictObject({ moduleId: moduleRef() }),
  output: z.strictObject({
    completed: z.number().int(),
    missingDoses,
    byReason: z.strictObject({
      NO_INSTALLATION: z.number().int().optional(),
      MISSING_FLOW_RATE: z.number().int().optional(),
      MISSING_IRRIGATED_AREA: z.number().int().optional(),
    }),
  }),
  run: (call, { moduleId }) => recomputeDoses(call, moduleId),
  summary: async ({ completed, missingDoses: { count }, byReason }, call, { moduleId }) => {
    const reasons = Object.entries(byReason).map(([reason, each]) => `${each} ${reason}`);
    return [
      `${completed} dose${completed === 1 ? '' : 's'} completed on ${await moduleName(call.directory, moduleId)}; ${count} still missing${count === 0 ? '' : ` (${reasons.join(', ')})`}.`,
      ...call.remarks,
    ].join(' ');
  },
});
