import { decimalText } from '../domain/annotation.ts';
import { ageOf } from '../domain/coverage.ts';
import type { Call } from '../operation/call.ts';
import type { AlertBody, AlertStateBody, ToldAlertBody, WatchedAlertBody } from '../schema/alert.ts';
import { refuse } from '../schema/error.ts';
import { type AlertState, stateOf, statesOf } from '../store/alert-states.ts';
import {
  ALERT_DEFAULTS,
  type Alert,
  type AlertChange,
  type AlertRecipient,
  addAlert,
  alertById,
  alertCount,
  alertsAfter,
  recipientsOf,
} from '../store/alerts.ts';
import { beginWatch, rearm } from './alert-arming.ts';
import { remarkLine, remarkStanding, remarkUndelivered, remarkWatched } from './alert-remarks.ts';
import { moveLineOfAlert } from './line-alerts.ts';
import { notOurs, ownModule, ownParcel } from './ownership.ts';
import { pageOf, placeOfCursor } from './pages.ts';
import { sayInAll } from './say-lists.ts';
import { isoOf, isoOrNull } from './wire.ts';

/** Body of POST alert. What is undefined was not sent. */
export interface AlertEntry {
  readonly moduleId?: number | null | undefined;
  readonly parcelId?: number | null | undefined;
  readonly threshold: number;
  readonly hysteresis?: number | undefined;
  readonly reminderTime?: string | undefined;
}

/** Body of PATCH alert. */
export type AlertCorrection = Partial<Omit<AlertEntry, 'moduleId' | 'parcelId'>> & {
  readonly isActive?: boolean | undefined;
};

const bodyOf = ({ company }: Call, alert: Alert): AlertBody => ({
  id: alert.id,
  companyId: company.id,
  moduleId: alert.moduleId,
  parcelId: alert.parcelId,
  annotationId: alert.annotationId,
  threshold: alert.threshold,
  hysteresis: alert.hysteresis,
  reminderTime: alert.reminderTime,
  source: alert.source,
  isActive: alert.isActive,
  createdBy: String(alert.createdBy),
  createdAt: isoOf(alert.createdAt),
  updatedAt: isoOf(alert.updatedAt),
});

const recipientBody = ({ id, alertId, userId }: AlertRecipient) => ({ id, alertId, userId: String(userId) });

/** How an alert stands at `now`: what was recorded, or stale where that is too old to tell of now. */
export function stateBody(state: AlertState, now: number): AlertStateBody {
  const isStale = state.evaluatedAt !== null && !ageOf(state.evaluatedAt, now).isFresh;
  const isFiring = state.since !== null;
  return {
    status: isStale ? 'stale' : isFiring ? 'firing' : 'quiet',
    firing: isFiring,
    since: isoOrNull(state.since),
    value_vwc: state.value,
    time: isoOrNull(state.evaluatedAt),
  };
}

export async function createAlert(call: Call, entry: AlertEntry): Promise<ToldAlertBody> {
  const createdBy = recipientOf(call);
  const module = entry.moduleId == null ? null : await ownModule(call, entry.moduleId);
  if (entry.parcelId != null) await ownParcel(call, entry.parcelId);
  const id = await addAlert(
    call.db,
    {
      moduleId: entry.moduleId ?? null,
      parcelId: entry.parcelId ?? null,
      annotationId: null,
      threshold: decimalText(entry.threshold),
      hysteresis: entry.hysteresis === undefined ? ALERT_DEFAULTS.hysteresis : decimalText(entry.hysteresis),
      reminderTime: entry.reminderTime ?? ALERT_DEFAULTS.reminderTime,
      source: 'manual',
      createdBy,
    },
    call.now,
  );
  const created = (await alertById(call.db, id))!;
  const state = await beginWatch(call, created);
  await remarkWatched(call, created, module);
  remarkStanding(call, created, state && stateBody(state, call.now));
  return { ...bodyOf(call, created), recipients: (await recipientsOf(call.db, [id])).map(recipientBody) };
}

/** Whoever creates an alert is the first to be told of it. */
function recipientOf({ caller }: Call): number {
  if (caller.userId !== null) return caller.userId;
  throw refuse('no_user', 'This key stands for no user, and an alert needs someone to tell.', {
    status: 403,
    hint: 'Use a key of a member of the company; list_users names them.',
  });
}

export async function updateAlert(call: Call, id: string, sent: AlertCorrection): Promise<AlertBody> {
  const before = await ownAlert(call, id);
  const change = changeOf(before, sent);
  if (Object.keys(change).length === 0) return bodyOf(call, before);
  const after = await rearm(call, before, change);
  if (after.annotationId !== null && change.threshold !== undefined)
    remarkLine(call, after, await moveLineOfAlert(call, after.annotationId, change.threshold));
  const state = await stateOf(call.db, id);
  remarkStanding(call, after, state && stateBody(state, call.now));
  return bodyOf(call, after);
}

/** What of the body differs from what stands. */
function changeOf(before: Alert, { threshold, hysteresis, reminderTime, isActive }: AlertCorrection): AlertChange {
  const asked = {
    ...(threshold !== undefined && { threshold: decimalText(threshold) }),
    ...(hysteresis !== undefined && { hysteresis: decimalText(hysteresis) }),
    ...(reminderTime !== undefined && { reminderTime }),
    ...(isActive !== undefined && { isActive }),
  };
  return Object.fromEntries(Object.entries(asked).filter(([name, value]) => before[name as keyof Alert] !== value));
}

async function ownAlert(call: Call, id: string): Promise<Alert> {
  const found = await alertById(call.db, id);
  if (found) return found;
  throw await notOurs(call, 'alerts', id, 'alert', 'See ids in list_alerts.');
}

export async function listAlerts(
  call: Call,
  asked: { moduleId?: number; isActive?: boolean; limit: number; cursor?: string },
): Promise<{ data: WatchedAlertBody[]; next_cursor: string | null }> {
  const list = ['alerts', call.company.id] as const;
  const afterSeq = placeOfCursor(list, asked.cursor, 1)?.[0] ?? 0;
  if (asked.moduleId !== undefined) await ownModule(call, asked.moduleId);
  const filter = { moduleId: asked.moduleId, isActive: asked.isActive };
  const rows = await alertsAfter(call.db, filter, afterSeq, asked.limit + 1);
  const total = await alertCount(call.db, filter);
  if (total > 0) call.remark(sayInAll(total, call.lang));
  const { data, next_cursor } = pageOf(list, rows, asked.limit, ({ seq }) => [seq]);
  const ids = data.map(({ id }) => id);
  const recipients = await recipientsOf(call.db, ids);
  const states = new Map((await statesOf(call.db, ids)).map((state) => [state.alertId, state]));
  await remarkUndelivered(call, ids);
  const rowOf = (alert: Alert): WatchedAlertBody => {
    const state = states.get(alert.id);
    return {
      ...bodyOf(call, alert),
      recipients: recipients.filter(({ alertId }) => alertId === alert.id).map(recipientBody),
      state: state ? stateBody(state, call.now) : null,
    };
  };
  return { data: data.map(rowOf), next_cursor };
}
