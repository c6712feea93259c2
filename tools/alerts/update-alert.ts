import { z } from 'zod';
import { summarizeUpdatedAlert } from '../../src/language/alerts/alert-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { alert, alertChange, alertId } from '../../src/schema/alert.ts';
import { updateAlert } from '../../src/service/alerts/alerts.ts';

export default operation({
  name: 'update_alert',
  title: 'Change an alert',
  searchWords: 'mute or stop an alarm · modifier ou arrêter une alerte · cambiar o parar una alerta',
  description:
    'Change the threshold, hysteresis or reminder of an alert, or disable and enable it. ' +
    'If the alert comes from a wilting-point line, the line moves too.',
  toolset: 'alerts',
  isDaily: true,
  endpoint: { method: 'PATCH', path: '/alerts/{alertId}', status: 200 },
  scope: 'alerts:write',
  effect: 'update',
  input: z.strictObject({ alertId: alertId(), ...alertChange }),
  output: alert,
  run: (call, { alertId: id, ...body }) => updateAlert(call, id, body),
  summary: summarizeUpdatedAlert,
});
