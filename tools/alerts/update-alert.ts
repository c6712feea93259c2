import { z } from 'zod/v3';
import { operationName } from '../../src/domain/text/program-names.ts';
import { say } from '../../src/domain/text/say.ts';
import { describeAlert, summarizeUpdatedAlert } from '../../src/language/alerts/alert-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import {
  alert,
  alertChange,
  alertId,
  type ListedAlertBody,
} from '../../src/schema/alerts/alert.ts';
import { updateAlert } from '../../src/service/alerts/alerts.ts';
import { alertsOfTarget } from '../../src/service/alerts/alerts-of-target.ts';
import { pendingChangeParts } from '../../src/service/pending-parts.ts';
import listAlerts from './list-alerts.ts';

export default operation({
  name: 'update_alert',
  title: 'Change an alert',
  description:
    'Change an alert’s threshold, hysteresis or reminder, or disable (no more mail) or enable ' +
    'it; the rest stays; its wilting-point line moves too. New: create_alert.',
  toolset: 'alerts',
  endpoint: { method: 'PATCH', path: '/alerts/{alertId}', status: 200 },
  scope: 'alerts:write',
  effect: 'update',
  tool: {
    inDailyToolset: true,
    idLookup: {
      kind: 'alert',
      creationHint: say`${operationName('create_alert')} makes one.`,
      rowsConcerning: (target, context) => alertsOfTarget(listAlerts, target, context),
      targetOf: ({ moduleId, parcelId }: ListedAlertBody) =>
        moduleId === null ? { parcelId } : { moduleId },
      describe: describeAlert,
    },
  },
  input: z.strictObject({ alertId: alertId(), ...alertChange }),
  output: alert,
  pendingWork: () => [pendingChangeParts],
  run: (call, { alertId: id, ...body }) => updateAlert(call, id, body),
  advisoriesInSummary: ['means_of_notice'],
  summary: summarizeUpdatedAlert,
});
