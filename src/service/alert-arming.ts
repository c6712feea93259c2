import type { Call } from '../operation/call.ts';
import { endEpisode } from '../store/alert-episodes.ts';
import { type AlertState, addState, changeState, removeState, stateOf } from '../store/alert-states.ts';
import { type Alert, type AlertChange, alertById, changeAlert } from '../store/alerts.ts';
import { watchNow } from './alert-watch.ts';

/** Whatever makes, changes or ends what is watched goes through here, so that the watch always knows. */

type Arming = Pick<Call, 'db' | 'now' | 'company'>;

/** Begins to watch an alert that is active, and looks at it at once; null for one without a module, which never is. */
export async function beginWatch(call: Arming, alert: Pick<Alert, 'id' | 'moduleId'>): Promise<AlertState | null> {
  if (alert.moduleId === null) return null;
  await addState(call.db, alert.id);
  return watchNow(call, call.company, alert.id);
}

/** Changes an alert, and has the watch follow; returns the alert as it stands then. */
export async function rearm(call: Arming, before: Alert, change: AlertChange): Promise<Alert> {
  await changeAlert(call.db, before.id, change, call.now);
  const after = (await alertById(call.db, before.id))!;
  if (!after.isActive) {
    if (before.isActive) await endWatch(call, before.id);
  } else if (!before.isActive) await beginWatch(call, after);
  else {
    const isRuleChanged = after.threshold !== before.threshold || after.hysteresis !== before.hysteresis;
    if (isRuleChanged) await restartWatch(call, after.id);
    await watchNow(call, call.company, after.id);
  }
  return after;
}

/** Ends the watch and the episode that lasts, without a message. */
async function endWatch({ db, now }: Arming, alertId: string): Promise<void> {
  const state = await stateOf(db, alertId);
  await endEpisode(db, alertId, state?.evaluatedAt ?? now);
  await removeState(db, alertId);
}

/** Has a new rule judge the episode that lasts from its start, or else the newest value. */
async function restartWatch({ db }: Arming, alertId: string): Promise<void> {
  const state = await stateOf(db, alertId);
  const from = state?.since ?? state?.evaluatedAt;
  if (state == null || from == null) return;
  await changeState(db, {
    ...state,
    isRuleChanged: true,
    watchedFrom: from,
    touchedFrom: from,
    touches: state.touches + 1,
  });
}
