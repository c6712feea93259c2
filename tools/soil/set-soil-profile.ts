import { z } from 'zod/v3';
import { summarizeDeclaredSoil } from '../../src/language/soil/soil-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { parcelRef } from '../../src/schema/shared-fields.ts';
import { declaredSoil, soilProfileBody } from '../../src/schema/soil/soil.ts';
import { setSoilProfile } from '../../src/service/soil/soil-profile.ts';

export default operation({
  name: 'set_soil_profile',
  title: 'Declare a parcel’s soil',
  description:
    'Declare soil layers of a parcel from now on; each replaces the depths it covers. Never guess a texture: ask.',
  toolset: 'soil',
  endpoint: { method: 'PUT', path: '/parcels/{parcelId}/soil-profile', status: 201 },
  scope: 'soil:write',
  effect: 'create',
  tool: { defaults: { overlaps: 'cut' } },
  input: z.strictObject({ parcelId: parcelRef({ code: 'invalid_id' }), ...soilProfileBody }),
  output: declaredSoil,
  run: (call, { parcelId, ...body }) => setSoilProfile(call, parcelId, body),
  summary: summarizeDeclaredSoil,
  advisoriesInSummary: ['layers_in_force'],
});
