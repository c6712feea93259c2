import { dueReminder, localDateAt, nextReminderAt } from '../../domain/alerts/reminders.ts';
import { MAX_FRESH_AGE_MS } from '../../domain/moisture/coverage.ts';
import { HOUR_MS } from '../../domain/periods.ts';
import type { MailKind } from '../../schema/alert.ts';
import type { AlertState } from '../../store/alerts/alert-states.ts';

/** Instants in ms. */
export interface EvaluatedState {
  readonly since: number | null;
  readonly newestAt: number | null;
  readonly nextAt: number | null;
}

type NotifiedState = Pick<AlertState, 'notifiedFiring' | 'remindedOn' | 'remindedAt' | 'notifiedStale'>;

export interface AlertNotifications extends NotifiedState, Pick<AlertState, 'dueAt'> {
  readonly messages: readonly MailKind[];
}

/** An episode reported later than this counts from the day of the report. */
const LATE_NOTICE_MS = 12 * HOUR_MS;

/** Each change is reported once, and only the current state, whatever happened since the last evaluation. */
export function dueNotifications(
  notified: NotifiedState,
  { since, newestAt, nextAt }: EvaluatedState,
  { now, zone, reminderTime }: { now: number; zone: string; reminderTime: string },
): AlertNotifications {
  const staleAt = newestAt === null ? null : newestAt + MAX_FRESH_AGE_MS + 1;
  const isStale = staleAt !== null && staleAt <= now;
  const { isReminded, ...firing } = firingNotification(notified, since, { now, zone, reminderTime });
  const messages: MailKind[] = [
    ...(firing.notifiedFiring && !notified.notifiedFiring ? (['fired'] as const) : []),
    ...(!firing.notifiedFiring && notified.notifiedFiring ? (['resolved'] as const) : []),
    ...(isStale && !notified.notifiedStale ? (['stale'] as const) : []),
    ...(isReminded ? (['reminder'] as const) : []),
  ];
  const due = [
    ...(staleAt === null || isStale ? [] : [staleAt]),
    ...(nextAt === null ? [] : [nextAt]),
    ...(firing.remindedOn === null ? [] : [nextReminderAt(now, firing.remindedOn, reminderTime, zone)]),
  ];
  return { messages, ...firing, notifiedStale: isStale, dueAt: due.length === 0 ? null : Math.min(...due) };
}

function firingNotification(
  notified: NotifiedState,
  since: number | null,
  { now, zone, reminderTime }: { now: number; zone: string; reminderTime: string },
): Omit<NotifiedState, 'notifiedStale'> & { isReminded: boolean } {
  if (since === null) return { notifiedFiring: false, remindedOn: null, remindedAt: null, isReminded: false };
  if (!notified.notifiedFiring || notified.remindedOn === null) {
    const noticeAt = now - since < LATE_NOTICE_MS ? Math.min(since, now) : now;
    return { notifiedFiring: true, remindedOn: localDateAt(noticeAt, zone), remindedAt: null, isReminded: false };
  }
  const due = dueReminder(now, { localDate: notified.remindedOn, at: notified.remindedAt }, reminderTime, zone);
  const isReminded = due?.isSent ?? false;
  return {
    notifiedFiring: true,
    remindedOn: due?.day ?? notified.remindedOn,
    remindedAt: isReminded ? now : notified.remindedAt,
    isReminded,
  };
}
