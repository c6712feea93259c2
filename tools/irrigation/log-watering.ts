import { z } from 'zod/v3';
import { modeOfNewAmounts } from '../../src/domain/irrigation/watering-amount.ts';
import { operationName } from '../../src/domain/text/program-names.ts';
import { say } from '../../src/domain/text/say.ts';
import { summarizeWatering } from '../../src/language/irrigation/watering-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import {
  AMOUNT_CODES,
  wateringAnswer,
  wateringBody,
  wateringDetailField,
} from '../../src/schema/irrigation/watering.ts';
import { moduleRef } from '../../src/schema/shared-fields.ts';
import { askMissingFlowRate } from '../../src/service/irrigation/flow-rate/flow-rate-question.ts';
import {
  ofProbe,
  pendingWaterings,
} from '../../src/service/irrigation/planning/pending-waterings.ts';
import { checkWateringEntry } from '../../src/service/irrigation/watering-entry.ts';
import { logWatering } from '../../src/service/irrigation/watering-log.ts';
import { conciseWateringAnswer } from '../../src/service/irrigation/waterings.ts';
import logParcelWatering from './log-parcel-watering.ts';

export default operation({
  name: 'log_watering',
  title: 'Log a watering',
  description:
    'Record one watering on a probe or all of a parcel, past or planned; it opens no valve. ' +
    'The dose follows from the equipment of that date. ' +
    'Never guess an amount or a time: ask. ' +
    'To change or cancel one use correct_watering; for repeated ones create_schedule.',
  toolset: 'irrigation',
  endpoint: { method: 'POST', path: '/modules/{moduleId}/irrigation/events', status: 201 },
  scope: 'irrigation:write',
  effect: 'create',
  tool: {
    inDailyToolset: true,
    isAlwaysLoaded: true,
    parcelVariant: logParcelWatering,
    defaults: { detail: 'concise' },
    computedDefaults: { inputMode: modeOfNewAmounts },
    followUp: askMissingFlowRate,
  },
  rest: {
    errorCodes: { 400: ['ENDED_BEFORE_STARTED', ...AMOUNT_CODES] },
  },
  input: z.strictObject({
    moduleId: moduleRef({
      unknownCode: 'MODULE_NOT_OWNED',
      hint: say`Give the name or id of one probe; ${operationName('list_modules')} shows them. For all probes of a parcel give the parcel instead.`,
    }),
    ...wateringBody,
    detail: wateringDetailField(),
  }),
  output: wateringAnswer,
  concise: conciseWateringAnswer,
  check: checkWateringEntry,
  pendingWork: ({ moduleId }) => [pendingWaterings(ofProbe(moduleId))],
  run: (call, { moduleId }, entry) => logWatering(call, moduleId, entry),
  summary: summarizeWatering,
});
