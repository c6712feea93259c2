import { z } from 'zod/v3';
import { summarizeParcelAlerts } from '../../src/language/alerts/alert-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { parcelAlertBody, parcelAlerts } from '../../src/schema/alerts/alert.ts';
import { parcelRef } from '../../src/schema/shared-fields.ts';
import { NewAlertEvaluations } from '../../src/service/alerts/parcel/new-alert-evaluations.ts';
import {
  conciseParcelAlerts,
  createParcelAlerts,
} from '../../src/service/alerts/parcel/parcel-alerts.ts';
import { pendingChangeParts } from '../../src/service/pending-parts.ts';

export default operation({
  name: 'create_parcel_alerts',
  title: 'Watch a threshold on a parcel',
  description:
    'Watch the soil moisture of each soil probe of a parcel: one alert for each, as one change. Modules without soil moisture are left out.',
  toolset: 'alerts',
  endpoint: { method: 'POST', path: '/parcels/{parcelId}/alerts', status: 201 },
  scope: 'alerts:write',
  effect: 'create',
  tool: {
    name: 'create_alert',
    inDailyToolset: true,
    defaults: { detail: 'concise' },
  },
  rest: {
    errorCodes: { 403: ['no_user'] },
  },
  input: z.strictObject({ parcelId: parcelRef(), ...parcelAlertBody }),
  output: parcelAlerts,
  concise: conciseParcelAlerts,
  check: () => new NewAlertEvaluations(),
  pendingWork: () => [pendingChangeParts],
  run: (call, { parcelId, ...rule }, evaluations) =>
    createParcelAlerts(call, parcelId, rule, evaluations),
  advisoriesInSummary: ['means_of_notice'],
  summary: summarizeParcelAlerts,
});
