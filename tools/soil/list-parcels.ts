import { z } from 'zod';
import { operation } from '../../src/operation/operation.ts';
import { cursor, limit, page } from '../../src/schema/field.ts';
import { detail, listedParcel } from '../../src/schema/place.ts';
import { listParcels } from '../../src/service/parcels.ts';
import { sayParcels } from '../../src/service/say-place.ts';

export default operation({
  name: 'list_parcels',
  title: 'List parcels',
  description:
    'List the parcels (blocks, fields) of the company with their ids, names and use. ' +
    'For the probes standing in one, use list_modules with parcel.',
  toolset: 'soil',
  endpoint: { method: 'GET', path: '/parcels', status: 200 },
  scope: 'parcels:read',
  effect: 'read',
  toolDefaults: { limit: 10, detail: 'concise' },
  input: z.strictObject({
    limit: limit().default(50),
    cursor: cursor().optional(),
    detail: detail('the outline').default('full'),
  }),
  output: page(listedParcel),
  run: (call, asked) => listParcels(call, asked),
  summary: sayParcels,
});
