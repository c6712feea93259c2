import { z } from 'zod/v3';
import { summarizeParcelEntry } from '../../src/language/company/farm-entry-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { parcelAnswer, parcelEntry } from '../../src/schema/farm/farm-entry.ts';
import { setParcel } from '../../src/service/farm/parcel-entry.ts';
import {
  ofCompany,
  pendingWaterings,
} from '../../src/service/irrigation/planning/pending-waterings.ts';
import { pendingChangeParts } from '../../src/service/pending-parts.ts';

export default operation({
  name: 'set_parcel',
  title: 'Add or change a parcel',
  description:
    'Change the parcel (block, field) of that name, else add it; the rest stays. Soil: ' +
    'set_soil_profile; equipment: set_parcel_installation.',
  toolset: 'farm',
  endpoint: { method: 'PUT', path: '/parcels', status: 200 },
  scope: 'company:write',
  effect: 'update',
  tool: { namedEntry: { kind: 'parcel' } },
  rest: {
    errorCodes: { 400: ['AMBIGUOUS_NAME'], 404: ['not_found'] },
  },
  input: z.strictObject(parcelEntry),
  output: parcelAnswer,
  pendingWork: ({ areaM2 }) =>
    areaM2 === undefined ? [] : [pendingWaterings(ofCompany), pendingChangeParts],
  run: setParcel,
  summary: summarizeParcelEntry,
});
