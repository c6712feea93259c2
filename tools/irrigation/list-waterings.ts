import { z } from 'zod';
import { operation } from '../../src/operation/operation.ts';
import { bound, cursor, limit, moduleRef, page, parcelRef } from '../../src/schema/field.ts';
import { STATUSES, watering } from '../../src/schema/watering.ts';
import { sayWaterings } from '../../src/service/say-watering.ts';
import { listWaterings } from '../../src/service/waterings.ts';

export default operation({
  name: 'list_waterings',
  title: 'List waterings',
  description:
    'List logged and planned waterings with their doses, newest first. ' +
    'Use it to find the id of one to correct, to check whether one is logged already, or to see what comes next (status planned, with to). ' +
    'For what they did to the soil use review_waterings.',
  toolset: 'irrigation',
  endpoint: { method: 'GET', path: '/irrigation/events', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  toolDefaults: { limit: 10 },
  input: z.strictObject({
    moduleId: moduleRef().optional(),
    parcelId: parcelRef().optional(),
    scheduleId: z.number().int().positive().optional().describe('Only those of this schedule.'),
    status: z.enum(STATUSES).optional().describe('Only those of this status.'),
    from: bound('Start of the period: date, or date and hour.').optional(),
    to: bound('End, excluded.').optional(),
    limit: limit().default(50),
    cursor: cursor().optional(),
  }),
  output: page(watering),
  run: (call, asked) => listWaterings(call, asked),
  summary: sayWaterings,
});
