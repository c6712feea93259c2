import { z } from 'zod/v3';
import { summarizeProbeSettings } from '../../src/language/moisture/settings-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import {
  probeSettingsAnswer,
  probeSettingsEntry,
} from '../../src/schema/moisture/probe-settings.ts';
import { moduleRef } from '../../src/schema/shared-fields.ts';
import { setProbeSettings } from '../../src/service/moisture/probe-settings.ts';

export default operation({
  name: 'set_probe_settings',
  title: 'Set what advice assumes at a probe',
  description:
    'Set what advice assumes at a probe: roots, allowed depletion, refill, losses, hours a day. The rest stays.',
  toolset: 'moisture',
  endpoint: { method: 'PATCH', path: '/modules/{moduleId}/settings', status: 200 },
  scope: 'irrigation:write',
  effect: 'update',
  rest: {
    errorCodes: { 400: ['EFFECTIVE_FROM_IN_FUTURE'] },
  },
  input: z.strictObject({ moduleId: moduleRef(), ...probeSettingsEntry }),
  output: probeSettingsAnswer,
  run: (call, { moduleId, ...body }) => setProbeSettings(call, moduleId, body),
  summary: summarizeProbeSettings,
});
