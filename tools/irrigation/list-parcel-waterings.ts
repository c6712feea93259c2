import { z } from 'zod/v3';
import { operation } from '../../src/operation/operation.ts';
import { field } from '../../src/schema/field.ts';
import { parcelWatering, WATERING_STATUSES } from '../../src/schema/irrigation/watering.ts';
import {
  cursorField,
  limitField,
  listPeriod,
  page,
  parcelRef,
} from '../../src/schema/shared-fields.ts';
import { listParcelWaterings } from '../../src/service/irrigation/listing/parcel-watering-list.ts';
import {
  confirmedWaterings,
  ofTarget,
} from '../../src/service/irrigation/planning/pending-waterings.ts';

export default operation({
  name: 'list_parcel_waterings',
  title: 'List waterings of parcels',
  description:
    'List the waterings of parcels that had no probe, newest first. Those on probes are in the list of waterings.',
  toolset: 'irrigation',
  endpoint: { method: 'GET', path: '/irrigation/parcel-events', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  rest: {
    isRestOnly: true,
  },
  input: z.strictObject({
    parcelId: parcelRef().optional(),
    scheduleId: field(z.number().int().positive(), { words: 'schedule' })
      .optional()
      .describe('Id, from the list of schedules.'),
    status: z.enum(WATERING_STATUSES).optional().describe('planned lists what is ahead too.'),
    ...listPeriod('First day, or instant.'),
    limit: limitField().default(50),
    cursor: cursorField().optional(),
  }),
  output: page(parcelWatering),
  pendingWork: (filter) => confirmedWaterings(ofTarget(filter)),
  run: listParcelWaterings,
});
