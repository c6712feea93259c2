import { z } from 'zod/v3';
import { summarizeGatewayHealth } from '../../src/language/monitoring/gateway-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { gatewayHealth } from '../../src/schema/company/company.ts';
import { moduleRef } from '../../src/schema/shared-fields.ts';
import { getModuleHealth } from '../../src/service/monitoring/gateways.ts';

export default operation({
  name: 'get_module_health',
  title: 'See whether a probe transmits',
  description:
    'Show when a probe or station last transmitted, its battery, signal, and whether faulty ' +
    '(silent over 25 hours). All silent ones: morning_brief.',
  toolset: 'monitoring',
  endpoint: { method: 'GET', path: '/modules/{moduleId}/health', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  tool: {
    wrapBodyAs: 'health',
  },
  input: z.strictObject({ moduleId: moduleRef({ code: 'invalid_id' }) }),
  output: gatewayHealth.nullable(),
  run: (call, { moduleId }) => getModuleHealth(call, moduleId),
  summary: summarizeGatewayHealth,
});
