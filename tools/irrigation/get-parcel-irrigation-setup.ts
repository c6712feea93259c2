import { z } from 'zod/v3';
import { summarizeParcelIrrigation } from '../../src/language/irrigation/setup-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { parcelIrrigation } from '../../src/schema/irrigation/installation.ts';
import { parcelRef } from '../../src/schema/shared-fields.ts';
import { getParcelIrrigation } from '../../src/service/irrigation/irrigation-setup.ts';

export default operation({
  name: 'get_parcel_irrigation_setup',
  title: 'See a parcel’s equipment',
  description:
    'Show the irrigation equipment in force on a parcel, its versions with their ids, and the setup of each of its probes.',
  toolset: 'irrigation',
  endpoint: { method: 'GET', path: '/parcels/{parcelId}/irrigation', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  tool: {
    name: 'get_irrigation_setup',
    inDailyToolset: true,
  },
  input: z.strictObject({ parcelId: parcelRef({ description: 'Or a parcel.' }) }),
  output: parcelIrrigation,
  run: (call, { parcelId }) => getParcelIrrigation(call, parcelId),
  summary: summarizeParcelIrrigation,
});
