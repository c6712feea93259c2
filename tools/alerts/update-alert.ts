import { z } from 'zod/v3';
import { describeAlert, summarizeUpdatedAlert } from '../../src/language/alerts/alert-summary.ts';
import { listedRows } from '../../src/operation/arguments/id-lookup.ts';
import { operation } from '../../src/operation/operation.ts';
import {
  alert,
  alertChange,
  alertId,
  type ListedAlertBody,
} from '../../src/schema/alerts/alert.ts';
import { updateAlert } from '../../src/service/alerts/alerts.ts';
import listAlerts from './list-alerts.ts';

export default operation({
  name: 'update_alert',
  title: 'Change an alert',
  description:
    'Change the threshold, hysteresis or reminder of an alert, or disable and enable it. ' +
    'If the alert comes from a wilting-point line, the line moves too.',
  toolset: 'alerts',
  endpoint: { method: 'PATCH', path: '/alerts/{alertId}', status: 200 },
  scope: 'alerts:write',
  effect: 'update',
  tool: {
    inDailyToolset: true,
    idLookup: {
      kind: 'alert',
      noneHint: 'create_alert makes one.',
      async rows({ moduleId, parcelId }, context) {
        const modules = await context.directory.modules();
        const probes = modules.filter((each) =>
          moduleId == null ? each.parcelId === parcelId : each.id === moduleId,
        );
        const parcels = [parcelId, ...probes.map((probe) => probe.parcelId)];
        const rows = await listedRows<ListedAlertBody>(context, listAlerts, {});

        return rows.filter((alert) =>
          alert.moduleId === null
            ? alert.parcelId !== null && parcels.includes(alert.parcelId)
            : alert.moduleId === moduleId || probes.some(({ id }) => id === alert.moduleId),
        );
      },
      targetOf: ({ moduleId, parcelId }: ListedAlertBody) =>
        moduleId === null ? { parcelId } : { moduleId },
      describe: describeAlert,
    },
  },
  input: z.strictObject({ alertId: alertId(), ...alertChange }),
  output: alert,
  run: (call, { alertId: id, ...body }) => updateAlert(call, id, body),
  summary: summarizeUpdatedAlert,
});
