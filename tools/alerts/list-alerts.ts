import { z } from 'zod';
import { operation } from '../../src/operation/operation.ts';
import { watchedAlert } from '../../src/schema/alert.ts';
import { cursor, limit, moduleRef, page } from '../../src/schema/field.ts';
import { listAlerts } from '../../src/service/alerts.ts';
import { sayAlerts } from '../../src/service/say-alert.ts';

export default operation({
  name: 'list_alerts',
  title: 'List alerts',
  description:
    'List the alerts of a probe or all, with their ids, thresholds and recipients, and whether each is quiet, firing (since when) or without fresh data.',
  toolset: 'alerts',
  endpoint: { method: 'GET', path: '/alerts', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  toolDefaults: { limit: 10 },
  input: z.strictObject({
    moduleId: moduleRef().optional(),
    isActive: z.boolean().optional().describe('true: enabled ones. false: disabled ones.'),
    limit: limit().default(50),
    cursor: cursor().optional(),
  }),
  output: page(watchedAlert),
  run: listAlerts,
  summary: sayAlerts,
});
