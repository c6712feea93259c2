import { resolutionThreshold } from '../../domain/alerts/alert-episodes.ts';
import { compareWithDecimal } from '../../domain/decimal.ts';
import { alertPhrases, describeAlertState, describeFiring } from '../../language/alerts/alert-summary.ts';
import { formatNumber } from '../../language/number-format.ts';
import type { Call } from '../../operation/call.ts';
import { quote } from '../../operation/name-resolution.ts';
import type { AlertStateBody } from '../../schema/alert.ts';
import { type FiringAlert, firingAlerts, firingAlertsOfModule } from '../../store/alerts/alert-states.ts';
import type { Alert } from '../../store/alerts/alerts.ts';
import { allUsers } from '../../store/company/companies.ts';
import type { Module } from '../../store/company/places.ts';
import { undeliveredByAlert } from '../../store/mail/outbox.ts';
import type { Store } from '../../store/store.ts';
import { isSoilMoistureCurve } from '../moisture/curve-cycles.ts';
import { loadSummarySeriesSource } from '../moisture/summary-series.ts';

/** What a person should hear of an alert beside its body. */

/** Says who is told by a new alert, or why it never tells anything. */
export async function noteAlertRecipient(call: Call, alert: Alert, module: Module | null): Promise<void> {
  const words = alertPhrases(call);
  if (module === null) {
    call.note(words.withoutProbe);
    return;
  }
  if (!isSoilMoistureCurve(await loadSummarySeriesSource(call.db, module.id, 'humidity'), module)) {
    call.note(words.noSoilMoisture);
    return;
  }
  const user = (await allUsers(call.db)).find(({ id }) => id === alert.createdBy);
  if (user) call.note(words.notifies(user.name));
}

/** Says how an alert stands now, and where it could never resolve. */
export function noteAlertState(call: Call, alert: Alert, state: AlertStateBody | null): void {
  const { standing, neverResolves } = alertPhrases(call);
  if (state) call.note(standing(describeAlertState(alert, state, call)));
  if (compareWithDecimal(resolutionThreshold(alert))(100) < 0)
    call.note(neverResolves(formatNumber(resolutionThreshold(alert), call.lang)));
}

/** Says whether the line that an alert was born from went along with its threshold. */
export function noteThresholdLine(call: Call, { threshold }: Alert, isMoved: boolean): void {
  const { lineMoves, lineStays } = alertPhrases(call);
  call.note(isMoved ? lineMoves(formatNumber(threshold, call.lang)) : lineStays);
}

/** Says which messages of some alerts have not gone out. */
export async function noteUndeliveredMail(call: Call, alertIds: readonly string[]): Promise<void> {
  const undelivered = [...(await undeliveredByAlert(call.db, alertIds)).values()];
  const answer = undelivered.findLast(({ lastAnswer }) => lastAnswer !== null)?.lastAnswer;
  const countOf = (of: 'waiting' | 'refused'): number => undelivered.reduce((all, each) => all + each[of], 0);
  const [waiting, refused] = [countOf('waiting'), countOf('refused')];
  const words = alertPhrases(call);
  if (waiting > 0) call.note(words.unsentMail(waiting));
  if (refused > 0) call.note(words.rejectedMail(refused, answer == null ? null : quote(answer)));
  if (waiting + refused > 0) call.note(words.seeDoctor);
}

/** Firing alerts of one probe that are said one by one. */
const MAX_LISTED_ALERTS = 2;

/** Says where a person looks at a probe that its alert is firing. */
export async function noteFiringAlertsOf(call: Call, moduleId: number): Promise<void> {
  noteFiringAlerts(call, await firingAlertsOfModule(call.db, moduleId));
}

/** The same of alerts that were looked up. */
export function noteFiringAlerts(call: Call, firing: readonly FiringAlert[]): void {
  for (const alert of firing.slice(0, MAX_LISTED_ALERTS)) call.note(describeFiring(alert, call));
  if (firing.length > MAX_LISTED_ALERTS) call.note(alertPhrases(call).moreFiring(firing.length - MAX_LISTED_ALERTS));
}

/** A text that changes when alerts of a company begin or cease to fire. */
export const firingFingerprint = async (store: Store, companyId: number): Promise<string> =>
  JSON.stringify(await store.read(companyId, firingAlerts));
