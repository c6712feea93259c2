import { z } from 'zod/v3';
import { summarizeAlerts } from '../../src/language/alerts/alert-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { listedAlert } from '../../src/schema/alerts/alert.ts';
import {
  cursorField,
  isActiveField,
  moduleRef,
  page,
  unlistedLimitField,
} from '../../src/schema/shared-fields.ts';
import { listAlerts } from '../../src/service/alerts/alerts.ts';
import { pendingChangeParts } from '../../src/service/pending-parts.ts';

export default operation({
  name: 'list_alerts',
  title: 'List alerts',
  description:
    'List the alerts of a probe or all, with ids, thresholds and recipients, and whether each is quiet, firing or without fresh data.',
  toolset: 'alerts',
  endpoint: { method: 'GET', path: '/alerts', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  tool: {
    inDailyToolset: true,
    defaults: { limit: 10 },
    resource: {
      uri: 'acequia://alerts/firing',
      name: 'firing-alerts',
      title: 'Alerts that are firing',
      description:
        'The alerts whose probe is too dry now, each with its value and since when. The same as list_alerts.',
      arguments: { isActive: true, limit: 200 },
      whereTrue: ['state', 'firing'],
      isSubscribable: true,
    },
  },
  input: z.strictObject({
    moduleId: moduleRef().optional(),
    isActive: isActiveField('false: disabled ones.'),
    limit: unlistedLimitField().default(50),
    cursor: cursorField().optional(),
  }),
  output: page(listedAlert),
  pendingWork: () => [pendingChangeParts],
  run: listAlerts,
  summary: summarizeAlerts,
});
