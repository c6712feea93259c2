import { z } from 'zod/v3';
import { operation } from '../../src/operation/operation.ts';
import { listedSource } from '../../src/schema/moisture/water-times.ts';
import { listWaterSources } from '../../src/service/moisture/water-times.ts';

export default operation({
  name: 'list_water_sources',
  title: 'List sources of water',
  description: 'List the canals, wells and pumps that parcels share, with their times.',
  toolset: 'moisture',
  endpoint: { method: 'GET', path: '/water-sources', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  rest: {
    isRestOnly: true,
  },
  input: z.strictObject({}),
  output: z.strictObject({ data: z.array(listedSource) }),
  run: listWaterSources,
});
