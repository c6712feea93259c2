import { resolutionThreshold } from '../../domain/alerts/alert-episodes.ts';
import { compareWithDecimal } from '../../domain/decimal.ts';
import { isSoilMoisture } from '../../domain/moisture/measurement.ts';
import { quote } from '../../domain/text.ts';
import { moduleName } from '../../language/summary-context.ts';
import type { Call } from '../../operation/call.ts';
import type { AlertStateBody } from '../../schema/alerts/alert.ts';
import { type FiringAlert, firingAlertsOfModule } from '../../store/alerts/alert-states.ts';
import type { Alert } from '../../store/alerts/alerts.ts';
import { allUsers } from '../../store/company/companies.ts';
import type { Module } from '../../store/company/modules.ts';
import { undeliveredByAlert } from '../../store/mail/outbox.ts';
import { loadSummarySeriesSource } from '../moisture/summary-series.ts';
import { suspectReadings, toSuspectReadingBody } from '../moisture/suspect-readings.ts';

export async function adviseOfNewAlert(
  call: Call,
  alert: Alert,
  module: Module | null,
): Promise<void> {
  if (module === null) {
    call.advise({ kind: 'alert_without_probe' });
    return;
  }

  if (
    !isSoilMoisture(await loadSummarySeriesSource(call.db, module.id, 'humidity', call.now), module)
  ) {
    call.advise({ kind: 'no_moisture_for_alert' });
    return;
  }

  const user = (await allUsers(call.db)).find(({ id }) => id === alert.createdBy);
  if (user) call.advise({ kind: 'alert_recipient', name: user.name });
}

/** An alert on a doubtful sensor may fire for no reason, or never. */
export async function adviseOfSuspectReadings(call: Call, module: Module): Promise<void> {
  const source = await loadSummarySeriesSource(call.db, module.id, 'humidity', call.now);
  const doubts = isSoilMoisture(source, module)
    ? await suspectReadings(call.db, source, call.now)
    : [];
  if (doubts.length > 0)
    call.advise({ kind: 'suspect_readings', doubts: doubts.map(toSuspectReadingBody) });
}

const MAX_MOISTURE_PERCENT = 100;

export function adviseOfAlertState(call: Call, alert: Alert, state: AlertStateBody | null): void {
  const { threshold, hysteresis, reminderTime } = alert;
  if (state) call.advise({ kind: 'alert_state', threshold, hysteresis, reminderTime, state });

  const resolvesAt = resolutionThreshold(alert);
  const isReachable = compareWithDecimal(resolvesAt)(MAX_MOISTURE_PERCENT) >= 0;
  if (!isReachable) call.advise({ kind: 'alert_never_resolves', resolvesAt });
}

export async function adviseOfUndeliveredMail(
  call: Call,
  alertIds: readonly string[],
): Promise<void> {
  const undelivered = [...(await undeliveredByAlert(call.db, alertIds)).values()];
  const newestAnswer = undelivered.findLast(({ lastAnswer }) => lastAnswer !== null)?.lastAnswer;
  const countOf = (state: 'waiting' | 'refused'): number =>
    undelivered.reduce((sum, counts) => sum + counts[state], 0);
  const waiting = countOf('waiting');
  const refused = countOf('refused');
  const lastAnswer = newestAnswer == null ? null : quote(newestAnswer);
  if (waiting + refused > 0)
    call.advise({ kind: 'undelivered_mail', waiting, refused, lastAnswer });
}

const MAX_LISTED_ALERTS = 2;

export async function adviseOfFiringAlertsOnModule(call: Call, moduleId: number): Promise<void> {
  adviseOfFiringAlerts(call, await firingAlertsOfModule(call.db, moduleId));
}

export function adviseOfFiringAlerts(call: Call, firing: readonly FiringAlert[]): void {
  for (const { threshold, hysteresis, since, evaluatedAt, value } of firing.slice(
    0,
    MAX_LISTED_ALERTS,
  ))
    call.advise({ kind: 'alert_firing', threshold, hysteresis, since, evaluatedAt, value });
  const more = firing.length - MAX_LISTED_ALERTS;
  if (more > 0) call.advise({ kind: 'more_alerts_firing', count: more });
}

const MAX_NAMED_PROBES = 3;

export async function adviseOfProbesWithFiringAlerts(
  call: Call,
  moduleIds: readonly number[],
): Promise<void> {
  if (moduleIds.length === 0) return;
  const probes: string[] = [];
  for (const id of moduleIds.slice(0, MAX_NAMED_PROBES))
    probes.push(await moduleName(call.directory, id));
  call.advise({
    kind: 'probes_with_firing_alert',
    probes,
    others: moduleIds.length - probes.length,
  });
}
