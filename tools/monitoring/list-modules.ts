import { z } from 'zod/v3';
import { summarizeModules } from '../../src/language/company/place-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { categoryField, listedModule } from '../../src/schema/company/company.ts';
import { field } from '../../src/schema/field.ts';
import {
  cursorField,
  detailField,
  langField,
  page,
  parcelRef,
  unlistedLimitField,
} from '../../src/schema/shared-fields.ts';
import { listModules } from '../../src/service/monitoring/modules.ts';

export default operation({
  name: 'list_modules',
  title: 'List probes and stations',
  description: 'List the probes and weather stations with their ids, names and parcels.',
  toolset: 'monitoring',
  endpoint: { method: 'GET', path: '/modules', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  tool: {
    inDailyToolset: true,
    defaults: { limit: 10, detail: 'concise' },
    listsNamesOf: 'modules',
  },
  input: z.strictObject({
    parcelId: parcelRef().optional(),
    category: categoryField().optional(),
    search: field(z.string().max(100), { words: 'search text' })
      .optional()
      .describe('Part of a name, uid or serial.'),
    lang: langField().default('en'),
    limit: unlistedLimitField().default(50),
    cursor: cursorField().optional(),
    detail: detailField({ isUnlisted: true }).default('full'),
  }),
  output: page(listedModule),
  run: listModules,
  summary: summarizeModules,
});
