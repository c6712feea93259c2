import { z } from 'zod/v3';
import { modeOfNewAmounts } from '../../src/domain/irrigation/watering-amount.ts';
import { summarizeParcelWatering } from '../../src/language/irrigation/parcel-watering-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import {
  AMOUNT_CODES,
  parcelWateringAnswer,
  wateringBody,
  wateringDetailField,
} from '../../src/schema/irrigation/watering.ts';
import { parcelRef } from '../../src/schema/shared-fields.ts';
import {
  ofParcel,
  pendingWaterings,
} from '../../src/service/irrigation/planning/pending-waterings.ts';
import { checkWateringEntry } from '../../src/service/irrigation/watering-entry.ts';
import {
  conciseParcelAnswer,
  logParcelWatering,
} from '../../src/service/irrigation/watering-log.ts';

export default operation({
  name: 'log_parcel_watering',
  title: 'Log a watering of a whole parcel',
  description:
    'Record one watering on each soil probe and tensiometer of a parcel, past or planned, in one transaction. ' +
    'Each dose in mm is computed from the equipment of its probe, valid on that date, and recorded. ' +
    'A volume is that of the whole parcel, spread over its irrigated area.',
  toolset: 'irrigation',
  endpoint: { method: 'POST', path: '/parcels/{parcelId}/irrigation/events', status: 201 },
  scope: 'irrigation:write',
  effect: 'create',
  tool: {
    name: 'log_watering',
    inDailyToolset: true,
    defaults: { detail: 'concise' },
    computedDefaults: { inputMode: modeOfNewAmounts },
  },
  rest: {
    errorCodes: { 400: ['ENDED_BEFORE_STARTED', 'INVALID_TARGET', ...AMOUNT_CODES] },
  },
  input: z.strictObject({
    parcelId: parcelRef({ description: 'Or a whole parcel.', unknownCode: 'PARCEL_NOT_FOUND' }),
    ...wateringBody,
    detail: wateringDetailField(),
  }),
  output: parcelWateringAnswer,
  concise: conciseParcelAnswer,
  check: checkWateringEntry,
  pendingWork: ({ parcelId }) => [pendingWaterings(ofParcel(parcelId))],
  run: (call, { parcelId }, entry) => logParcelWatering(call, parcelId, entry),
  summary: summarizeParcelWatering,
});
