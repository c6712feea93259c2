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
import { sayAlertState } from './say-alert.ts';
import { servedCurve } from './served-curve.ts';

/** What a person should hear of an alert beside its body. */

/** Says who is told by a new alert, or why it never tells anything. */
export async function remarkWatched(call: Call, alert: Alert, module: Module | null): Promise<void> {
  if (module === null) {
    call.remark('Without a probe it is never evaluated: create another that names one in module.');
    return;
  }
  if (!isOfSoil(await servedCurve(call.db, module, 'humidity'), module)) {
    call.remark('There is no soil moisture sensor on it, so it never fires: list_modules tells the soil probes.');
    return;
  }
  const user = (await allUsers(call.db)).find(({ id }) => id === alert.createdBy);
  if (user) call.remark(`${user.name} is told by e-mail.`);
}

/** Says how an alert stands now, and where it could never resolve. */
export function remarkStanding(call: Call, alert: Alert, state: AlertStateBody | null): void {
  if (state) call.remark(`It is ${sayAlertState(alert, state, call)}.`);
  if (comparedWith(resolveLevel(alert))(100) < 0)
    call.remark(`Once it fires it never resolves, since no moisture reaches ${resolveLevel(alert)} %.`);
}

/** Says whether the line that an alert was born from went along with its threshold. */
export function remarkLine(call: Call, { threshold }: Alert, isMoved: boolean): void {
  call.remark(
    isMoved
      ? `Its wilting-point line moves to ${threshold} % too.`
      : 'The line that it was born from is no wilting point any more, and stays as it is.',
  );
}

/** Says which messages of some alerts have not gone out. */
export async function remarkUndelivered(call: Call, alertIds: readonly string[]): Promise<void> {
  const found = [...(await undeliveredOf(call.db, alertIds)).values()];
  const answer = found.findLast(({ lastAnswer }) => lastAnswer !== null)?.lastAnswer;
  const heard = answer == null ? '' : `, who last answered ${quoted(answer)}`;
  const sayCount = (of: 'waiting' | 'refused'): string => {
    const sum = found.reduce((all, each) => all + each[of], 0);
    return sum === 1 ? '1 message of theirs' : sum === 0 ? '' : `${sum} messages of theirs`;
  };
  const [waiting, refused] = [sayCount('waiting'), sayCount('refused')];
  if (waiting !== '') call.remark(`Not sent yet: ${waiting}.`);
  if (refused !== '') call.remark(`Refused for good by the mail server${heard}: ${refused}.`);
  if (waiting + refused !== '') call.remark('The command "acequia doctor" says what to mend.');
}
