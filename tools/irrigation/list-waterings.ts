import { z } from 'zod';
import { summarizeWaterings } from '../../src/language/irrigation/watering-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { cursorField, limitField, moduleRef, page, parcelRef, periodBoundField } from '../../src/schema/field.ts';
import { WATERING_STATUSES, watering } from '../../src/schema/watering.ts';
import { listWaterings } from '../../src/service/irrigation/waterings.ts';

export default operation({
  name: 'list_waterings',
  title: 'List waterings',
  description:
    'List logged and planned waterings with their doses, newest first. ' +
    'Use it to find the id of one to correct, to check whether one is already logged, or to see what comes next (status planned, with to). ' +
    'For the soil response use review_waterings.',
  toolset: 'irrigation',
  endpoint: { method: 'GET', path: '/irrigation/events', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  toolDefaults: { limit: 10 },
  input: z.strictObject({
    moduleId: moduleRef().optional(),
    parcelId: parcelRef().optional(),
    scheduleId: z.number().int().positive().optional().describe('Only those of this schedule.'),
    status: z.enum(WATERING_STATUSES).optional().describe('Only those of this status.'),
    from: periodBoundField('Start of the period: date, or date and hour.', {
      restDescription: 'Start of the period (included).',
    }).optional(),
    to: periodBoundField('End, excluded.').optional(),
    limit: limitField().default(50),
    cursor: cursorField().optional(),
  }),
  output: page(watering),
  run: (call, filter) => listWaterings(call, filter),
  summary: summarizeWaterings,
});
