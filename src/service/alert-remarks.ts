import { resolveLevel } from '../domain/alert.ts';
import { comparedWith } from '../domain/exact-decimal.ts';
import type { Call } from '../operation/call.ts';
import { quoted } from '../operation/names.ts';
import type { AlertStateBody } from '../schema/alert.ts';
import type { Alert } from '../store/alerts.ts';
import type { Module } from '../store/modules.ts';
import { undeliveredOf } from '../store/outbox.ts';
import { allUsers } from '../store/users.ts';
import { isOfSoil } from './curve-rounds.ts';
import { alertWords, sayAlertState } from './say-alert.ts';
import { sayNumber } from './say-figures.ts';
import { servedCurve } from './served-curve.ts';

/** What a person should hear of an alert beside its body. */

/** Says who is told by a new alert, or why it never tells anything. */
export async function remarkWatched(call: Call, alert: Alert, module: Module | null): Promise<void> {
  const words = alertWords(call);
  if (module === null) {
    call.remark(words.withoutProbe);
    return;
  }
  if (!isOfSoil(await servedCurve(call.db, module.id, 'humidity'), module)) {
    call.remark(words.withoutSoil);
    return;
  }
  const user = (await allUsers(call.db)).find(({ id }) => id === alert.createdBy);
  if (user) call.remark(words.told(user.name));
}

/** Says how an alert stands now, and where it could never resolve. */
export function remarkStanding(call: Call, alert: Alert, state: AlertStateBody | null): void {
  const { standing, neverResolves } = alertWords(call);
  if (state) call.remark(standing(sayAlertState(alert, state, call)));
  if (comparedWith(resolveLevel(alert))(100) < 0) call.remark(neverResolves(sayNumber(resolveLevel(alert), call.lang)));
}

/** Says whether the line that an alert was born from went along with its threshold. */
export function remarkLine(call: Call, { threshold }: Alert, isMoved: boolean): void {
  const { lineMoves, lineStays } = alertWords(call);
  call.remark(isMoved ? lineMoves(sayNumber(threshold, call.lang)) : lineStays);
}

/** Says which messages of some alerts have not gone out. */
export async function remarkUndelivered(call: Call, alertIds: readonly string[]): Promise<void> {
  const found = [...(await undeliveredOf(call.db, alertIds)).values()];
  const answer = found.findLast(({ lastAnswer }) => lastAnswer !== null)?.lastAnswer;
  const countOf = (of: 'waiting' | 'refused'): number => found.reduce((all, each) => all + each[of], 0);
  const [waiting, refused] = [countOf('waiting'), countOf('refused')];
  const words = alertWords(call);
  if (waiting > 0) call.remark(words.notSent(waiting));
  if (refused > 0) call.remark(words.refusedForGood(refused, answer == null ? null : quoted(answer)));
  if (waiting + refused > 0) call.remark(words.seeDoctor);
}
