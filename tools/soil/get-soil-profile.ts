import { z } from 'zod/v3';
import { summarizeSoilProfile } from '../../src/language/soil/soil-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { listOf, parcelRef } from '../../src/schema/shared-fields.ts';
import { soilProfileLayer } from '../../src/schema/soil/soil.ts';
import { getSoilProfile } from '../../src/service/soil/soil-profile.ts';

export default operation({
  name: 'get_soil_profile',
  title: 'See a parcel’s soil',
  description:
    'Show the soil layers declared for a parcel, top down, with the field capacity and wilting point of each.',
  toolset: 'soil',
  endpoint: { method: 'GET', path: '/parcels/{parcelId}/soil-profile', status: 200 },
  scope: 'agronomy:read',
  effect: 'read',
  tool: {
    resource: {
      uri: 'acequia://parcels/{parcel}/soil-profile',
      name: 'parcel-soil-profile',
      title: 'The soil of a parcel',
      description: 'The horizons in force, top down. The same as get_soil_profile.',
    },
  },
  input: z.strictObject({ parcelId: parcelRef({ code: 'invalid_id' }) }),
  output: listOf(soilProfileLayer),
  run: (call, { parcelId }) => getSoilProfile(call, parcelId),
  summary: summarizeSoilProfile,
});
