import { resolutionThreshold } from '../domain/alert.ts';
import { compareWithDecimal } from '../domain/exact-decimal.ts';
import type { Call } from '../operation/call.ts';
import { quote } from '../operation/names.ts';
import type { AlertStateBody } from '../schema/alert.ts';
import type { Alert } from '../store/alerts.ts';
import type { Module } from '../store/modules.ts';
import { undeliveredByAlert } from '../store/outbox.ts';
import { allUsers } from '../store/users.ts';
import { isSoilMoistureCurve } from './curve-rounds.ts';
import { alertPhrases, describeAlertState } from './say-alert.ts';
import { formatNumber } from './say-figures.ts';
import { loadSummarySeriesSource } from './served-curve.ts';

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
