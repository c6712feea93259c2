import type { Call } from '../../operation/call.ts';
import { endEpisode } from '../../store/alerts/alert-episodes.ts';
import {
  type AlertState,
  alertStateOf,
  deleteAlertState,
  insertAlertStates,
  markRulesChanged,
  newAlertState,
} from '../../store/alerts/alert-states.ts';
import { type Alert, type AlertChange, alertById, changeAlert } from '../../store/alerts/alerts.ts';
import { evaluateNow } from './alert-evaluation.ts';
import { evaluateCompanyAlerts } from './due-evaluations.ts';

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
    if (isRuleChanged(before, after)) await markRulesChanged(call.db, [after.id]);
    await evaluateNow(call, call.company, after.id);
  }
}

/** False for an alert that is inactive before or after the change: it starts or ends instead. */
export const isRuleChanged = (before: Alert, after: Alert): boolean =>
  before.isActive &&
  after.isActive &&
  (after.threshold !== before.threshold || after.hysteresis !== before.hysteresis);

interface AlertsToEvaluate {
  /** Their rule changed. */
  readonly changed?: readonly string[];
  /** They have no state yet. */
  readonly started?: readonly string[];
}

/**
 * For active alerts, of which a probe or a parcel may have hundreds: to evaluate them in the
 * transaction would hold the write lock for long. Without `afterCommit` a background job does it.
 */
export async function evaluateAfterCommit(
  { db, company, now, afterCommit }: AlertContext & Partial<Pick<Call, 'afterCommit'>>,
  { changed = [], started = [] }: AlertsToEvaluate,
): Promise<void> {
  if (changed.length === 0 && started.length === 0) return;
  await markRulesChanged(db, changed);
  await insertAlertStates(
    db,
    started.map((id) => newAlertState(id, 1)),
  );
  afterCommit?.((store, signal) => evaluateCompanyAlerts(store, company, { now, signal }));
}

async function stopEvaluation({ db, now }: AlertContext, alertId: string): Promise<void> {
  const state = await alertStateOf(db, alertId);
  await endEpisode(db, alertId, state?.evaluatedAt ?? now);
  await deleteAlertState(db, alertId);
}
