import type { Call } from '../../operation/call.ts';
import { endEpisode } from '../../store/alerts/alert-episodes.ts';
import {
  type AlertState,
  alertStateOf,
  deleteAlertState,
  insertAlertStates,
  newAlertState,
  updateAlertState,
} from '../../store/alerts/alert-states.ts';
import { type Alert, type AlertChange, alertById, changeAlert } from '../../store/alerts/alerts.ts';
import { evaluateNow } from './alert-evaluation.ts';

export type AlertContext = Pick<Call, 'db' | 'now' | 'company'>;

export async function startEvaluation(
  call: AlertContext,
  alert: Pick<Alert, 'id' | 'moduleId'>,
): Promise<AlertState | null> {
  if (alert.moduleId === null) return null;
  await insertAlertStates(call.db, [newAlertState(alert.id, 0)]);
  return evaluateNow(call, call.company, alert.id);
}

export async function applyAlertChange(
  call: AlertContext,
  before: Alert,
  change: AlertChange,
): Promise<Alert> {
  await changeAlert(call.db, before.id, change, call.now);
  const after = await alertById(call.db, before.id);
  if (after === null) throw new Error(`Alert ${before.id} was just changed and is missing`);

  await updateEvaluation(call, before, after);
  return after;
}

/** Starts, stops or repeats the evaluation of an alert that was changed. */
export async function updateEvaluation(
  call: AlertContext,
  before: Alert,
  after: Alert,
): Promise<void> {
  if (before.isActive && !after.isActive) await stopEvaluation(call, before.id);
  if (!before.isActive && after.isActive) await startEvaluation(call, after);
  if (before.isActive && after.isActive) {
    const isRuleChanged =
      after.threshold !== before.threshold || after.hysteresis !== before.hysteresis;
    if (isRuleChanged) await restartEvaluation(call, after.id);
    await evaluateNow(call, call.company, after.id);
  }
}

async function stopEvaluation({ db, now }: AlertContext, alertId: string): Promise<void> {
  const state = await alertStateOf(db, alertId);
  await endEpisode(db, alertId, state?.evaluatedAt ?? now);
  await deleteAlertState(db, alertId);
}

/** Applies a changed rule to the open episode from its start, or else to the newest value. */
async function restartEvaluation({ db }: AlertContext, alertId: string): Promise<void> {
  const state = await alertStateOf(db, alertId);
  const from = state?.since ?? state?.evaluatedAt;
  if (state == null || from == null) return;

  await updateAlertState(db, state, {
    ...state,
    isRuleChanged: true,
    evaluateFrom: from,
    pendingFrom: from,
    pendingMarks: state.pendingMarks + 1,
  });
}
