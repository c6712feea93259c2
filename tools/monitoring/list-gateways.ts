import { z } from 'zod/v3';
import { summarizeGateways } from '../../src/language/monitoring/gateway-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { gateway } from '../../src/schema/company/company.ts';
import { field } from '../../src/schema/field.ts';
import {
  cursorField,
  langField,
  maxCountField,
  page,
  unlistedLimitField,
} from '../../src/schema/shared-fields.ts';
import { listGateways } from '../../src/service/monitoring/gateways.ts';

export default operation({
  name: 'list_gateways',
  title: 'List gateways',
  description:
    'List gateways with id, status, battery, signal and probes. Of a probe: get_module_health.',
  toolset: 'monitoring',
  endpoint: { method: 'GET', path: '/gateways', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  tool: {
    defaults: { limit: 10, maxModules: 50 },
  },
  input: z.strictObject({
    search: field(z.string().max(100).describe('Part of its number.'), {
      words: 'search text',
      isUnlisted: true,
    }).optional(),
    lang: langField().default('en'),
    limit: unlistedLimitField().default(50),
    cursor: cursorField().optional(),
    maxModules: maxCountField('Most modules on a page.').optional(),
  }),
  output: page(gateway),
  run: listGateways,
  summary: summarizeGateways,
});
