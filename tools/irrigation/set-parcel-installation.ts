import { z } from 'zod/v3';
import { summarizeWithSpacing } from '../../src/language/irrigation/equipment-summary.ts';
import { summarizeParcelSetup } from '../../src/language/irrigation/setup-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import {
  emitterSpacing,
  installationBody,
  TIMELINE_CODES,
} from '../../src/schema/irrigation/installation.ts';
import { parcelRef } from '../../src/schema/shared-fields.ts';
import { keptOnService } from '../../src/service/irrigation/equipment-change.ts';
import {
  assertValidEntry,
  withEmitterDensity,
} from '../../src/service/irrigation/installation-entry.ts';
import { setParcelInstallation } from '../../src/service/irrigation/installations.ts';
import {
  ofParcel,
  pendingWaterings,
} from '../../src/service/irrigation/planning/pending-waterings.ts';
import { assertPlausibleEquipment } from '../../src/service/irrigation/plausible-equipment.ts';
import getParcelIrrigationSetup from './get-parcel-irrigation-setup.ts';

export default operation({
  name: 'set_parcel_installation',
  title: 'Declare a parcel’s equipment',
  description:
    'Declare the irrigation equipment of a whole parcel, or a change of it, from a given ' +
    'date. It applies to probes without their own and completes missing doses; recorded ones ' +
    'stay. For one probe use set_module_installation; for a typo correct_installation.',
  toolset: 'irrigation',
  endpoint: { method: 'PUT', path: '/parcels/{parcelId}/irrigation/installation', status: 200 },
  scope: 'irrigation:write',
  effect: 'create',
  tool: {
    check: assertPlausibleEquipment,
    keptResource: { read: getParcelIrrigationSetup, argumentsToKeep: keptOnService },
  },
  rest: {
    errorCodes: { 400: TIMELINE_CODES },
  },
  input: z.strictObject({
    parcelId: parcelRef({ unknownCode: 'PARCEL_NOT_FOUND' }),
    ...installationBody,
    ...emitterSpacing,
  }),
  output: z.strictObject({ success: z.boolean() }),
  check: ({ parcelId: _, ...entry }, { now }) => assertValidEntry(withEmitterDensity(entry), now),
  pendingWork: ({ parcelId }) => [pendingWaterings(ofParcel(parcelId))],
  run: (call, { parcelId, ...body }) =>
    setParcelInstallation(call, parcelId, withEmitterDensity(body)),
  summary: summarizeWithSpacing(summarizeParcelSetup),
});
