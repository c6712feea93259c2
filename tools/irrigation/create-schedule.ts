import { z } from 'zod/v3';
import { modeOfNewAmounts } from '../../src/domain/irrigation/watering-amount.ts';
import { summarizeSchedule } from '../../src/language/irrigation/schedule-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { schedule, scheduleBody } from '../../src/schema/irrigation/schedule.ts';
import { AMOUNT_CODES } from '../../src/schema/irrigation/watering.ts';
import { checkScheduleEntry, nextStartDate } from '../../src/service/irrigation/schedule-entry.ts';
import { createSchedule } from '../../src/service/irrigation/schedules.ts';

export default operation({
  name: 'create_schedule',
  title: 'Plan waterings that repeat',
  description:
    'Plan waterings that repeat on a probe or on all probes of a parcel; they are listed 90 days ahead, no valve opens. ' +
    'Never guess an amount: ask. ' +
    'For a single one use log_watering.',
  toolset: 'irrigation',
  endpoint: { method: 'POST', path: '/irrigation/schedules', status: 201 },
  scope: 'irrigation:write',
  effect: 'create',
  tool: {
    inDailyToolset: true,
    computedDefaults: {
      timezone: (_, { zone }) => zone,
      startsOn: nextStartDate,
      inputMode: modeOfNewAmounts,
    },
  },
  rest: {
    errorCodes: { 400: AMOUNT_CODES },
  },
  input: z.strictObject(scheduleBody),
  output: schedule,
  check: checkScheduleEntry,
  run: createSchedule,
  summary: summarizeSchedule,
});
