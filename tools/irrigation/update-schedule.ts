import { z } from 'zod/v3';
import { modeOfSentAmounts } from '../../src/domain/irrigation/watering-amount.ts';
import { operationName } from '../../src/domain/text/program-names.ts';
import { say } from '../../src/domain/text/say.ts';
import {
  describeSchedule,
  summarizeSchedule,
} from '../../src/language/irrigation/schedule-summary.ts';
import { listedPages } from '../../src/operation/arguments/id-lookup.ts';
import { operation } from '../../src/operation/operation.ts';
import { field } from '../../src/schema/field.ts';
import {
  type ScheduleBody,
  schedule,
  scheduleChange,
} from '../../src/schema/irrigation/schedule.ts';
import { AMOUNT_CODES } from '../../src/schema/irrigation/watering.ts';
import {
  ofSchedule,
  pendingWaterings,
} from '../../src/service/irrigation/planning/pending-waterings.ts';
import { updateSchedule } from '../../src/service/irrigation/schedules.ts';
import listSchedules from './list-schedules.ts';

export default operation({
  name: 'update_schedule',
  title: 'Change a schedule',
  description:
    'Change a schedule, stop or resume it; planned waterings follow, except those corrected by hand. ' +
    'For one of these use correct_watering; for another target stop it and create another.',
  toolset: 'irrigation',
  endpoint: { method: 'PATCH', path: '/irrigation/schedules/{scheduleId}', status: 200 },
  scope: 'irrigation:write',
  effect: 'update',
  tool: {
    inDailyToolset: true,
    computedDefaults: { inputMode: modeOfSentAmounts },
    idLookup: {
      kind: 'schedule',
      creationHint: say`${operationName('create_schedule')} plans one.`,
      rowsConcerning: (target, context) =>
        listedPages<ScheduleBody>(context, listSchedules, target),
      targetOf: (row: ScheduleBody) => ({
        moduleId: row.targetModuleId,
        parcelId: row.targetParcelId,
      }),
      describe: describeSchedule,
    },
  },
  rest: {
    errorCodes: { 400: AMOUNT_CODES },
  },
  input: z.strictObject({
    scheduleId: field(z.number().int().positive().describe('Id, from list_schedules.'), {
      words: 'schedule',
    }),
    ...scheduleChange,
  }),
  output: schedule,
  pendingWork: ({ scheduleId }) => [pendingWaterings(ofSchedule(scheduleId))],
  run: (call, { scheduleId, ...body }) => updateSchedule(call, scheduleId, body),
  summary: summarizeSchedule,
});
