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
    'Show waterings of the book with their doses, newest first, by probe, parcel, schedule, status or period. ' +
    'Use it to find the id of one to correct, to check whether a watering is already logged, or to see what is planned (status planned, and to for what comes next).',
  toolset: 'irrigation',
  endpoint: { method: 'GET', path: '/irrigation/events', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  toolDefaults: { limit: 10 },
  input: z.strictObject({
    moduleId: moduleRef().optional(),
    parcelId: parcelRef().optional(),
    scheduleId: z.number().int().positive().optional().describe('Only occurrences of this schedule.'),
    status: z.enum(STATUSES).optional().describe('Only waterings of this status.'),
    from: bound('Start of the period (included): date, with an hour if need be.').optional(),
    to: bound('End of the period (excluded).').optional(),
    limit: limit().default(50),
    cursor: cursor().optional(),
  }),
  output: page(watering),
  run: (call, asked) => listWaterings(call, asked),
  summary: sayWaterings,
});
