import { z } from 'zod/v3';
import { summarizeParcels } from '../../src/language/company/place-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { listedParcel } from '../../src/schema/company/company.ts';
import {
  cursorField,
  detailField,
  page,
  unlistedLimitField,
} from '../../src/schema/shared-fields.ts';
import { listParcels } from '../../src/service/company/company.ts';

export default operation({
  name: 'list_parcels',
  title: 'List parcels',
  description: 'List parcels (blocks, fields) with ids, names and crops. Soil: get_soil_profile.',
  toolset: 'soil',
  endpoint: { method: 'GET', path: '/parcels', status: 200 },
  scope: 'parcels:read',
  effect: 'read',
  tool: {
    inDailyToolset: true,
    defaults: { limit: 10, detail: 'concise' },
    listsNamesOf: 'parcels',
  },
  input: z.strictObject({
    limit: unlistedLimitField().default(50),
    cursor: cursorField().optional(),
    detail: detailField({ isUnlisted: true }).default('full'),
  }),
  output: page(listedParcel),
  run: (call, query) => listParcels(call, query),
  summary: summarizeParcels,
});
