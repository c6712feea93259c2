import { z } from 'zod/v3';
import { summarizeCreatedAlert } from '../../src/language/alerts/alert-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { alertBody, alertWithRecipients } from '../../src/schema/alerts/alert.ts';
import { createAlert } from '../../src/service/alerts/alerts.ts';
import { pendingChangeParts } from '../../src/service/pending-parts.ts';
import createParcelAlerts from './create-parcel-alerts.ts';

export default operation({
  name: 'create_alert',
  title: 'Watch a threshold',
  description:
    'Add an alert on the soil moisture of a probe, or of each soil probe of a parcel: it fires below a threshold until the soil recovers; the answer says whether mail can leave. ' +
    'To change one use update_alert.',
  toolset: 'alerts',
  endpoint: { method: 'POST', path: '/alerts', status: 201 },
  scope: 'alerts:write',
  effect: 'create',
  tool: {
    inDailyToolset: true,
    parcelVariant: createParcelAlerts,
  },
  rest: {
    errorCodes: { 403: ['no_user'] },
  },
  input: z.strictObject(alertBody),
  output: alertWithRecipients,
  pendingWork: () => [pendingChangeParts],
  run: createAlert,
  advisoriesInSummary: ['means_of_notice'],
  summary: summarizeCreatedAlert,
});
