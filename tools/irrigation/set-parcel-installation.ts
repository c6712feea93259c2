import { z } from 'zod';
import { parcelName } from '../../src/operation/directory.ts';
import { operation } from '../../src/operation/operation.ts';
import { parcelRef } from '../../src/schema/field.ts';
import { installationBody } from '../../src/schema/installation.ts';
import { refuseEntry, setParcelInstallation } from '../../src/service/installations.ts';
import { saySystem } from '../../src/service/say-watering.ts';

export default operation({
  name: 'set_parcel_installation',
  title: 'Declare a parcel’s equipment',
  description:
    'Declare the irrigation equipment of a whole parcel, or a change of it, as a new version from a date on. ' +
    'It counts for every probe of the parcel without a setup of its own; for one probe use set_module_installation. ' +
    'Waterings left without a dose are completed; recorded doses stay.',
  toolset: 'irrigation',
  endpoint: { method: 'PUT', path: '/parcels/{parcelId}/irrigation/installation', status: 200 },
  scope: 'irrigation:write',
  effect: 'create',
  unknown: { parcel: 'PARCEL_NOT_FOUND' },
  input: z.strictObject({ parcelId: parcelRef(), ...installationBody }),
  output: z.strictObject({ success: z.boolean() }),
  check: ({ parcelId: _, ...entry }, { now }) => refuseEntry(entry, now),
  run: (call, { parcelId, ...body }) => setParcelInstallation(call, parcelId, body),
  summary: async (_, call, { parcelId, system }) =>
    [
      `The setup of ${await parcelName(call.directory, parcelId)} is declared: ${saySystem(system)}.`,
      ...call.remarks,
    ].join(' '),
});
