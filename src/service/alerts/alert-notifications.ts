import { dueReminder, nextReminderAt } from '../../domain/alerts/reminders.ts';
import { LocalDay } from '../../domain/local-day.ts';
import { MAX_FRESH_AGE_MS } from '../../domain/moisture/coverage.ts';
import { HOUR_MS } from '../../domain/periods.ts';
import type { AlertMailKind } from '../../schema/alerts/alert.ts';
import type { AlertState } from '../../store/alerts/alert-states.ts';

/** Instants in ms. */
interface EvaluatedState {
  readonly since: number | null;
  readonly newestAt: number | null;
  readonly nextAt: number | null;
}

type NotifiedState = Pick<
  AlertState,
  'notifiedFiring' | 'remindedOn' | 'remindedAt' | 'notifiedStale'
>;

export interface AlertNotifications extends NotifiedState, Pick<AlertState, 'dueAt'> {
  readonly messages: readonly AlertMailKind[];
}

/**
 * The reminders of an episode that is reported later than this count from the day of the report.
 */
const LATE_NOTICE_MS = 12 * HOUR_MS;

/**
 * Each change is reported once, and only the current state, whatever happened since the last
 * evaluation.
 */
export function dueNotifications(
  notified: NotifiedState,
  { since, newestAt, nextAt }: EvaluatedState,
  { now, zone, reminderTime }: { now: number; zone: string; reminderTime: string },
): AlertNotifications {
  const staleAt = newestAt === null ? null : newestAt + MAX_FRESH_AGE_MS + 1;
  const isStale = staleAt !== null && staleAt <= now;
  const { isReminded, ...firing } = firingNotification(notified, since, {
    now,
    zone,
    reminderTime,
  });

  const messages: AlertMailKind[] = [];
  if (firing.notifiedFiring && !notified.notifiedFiring) messages.push('fired');
  if (!firing.notifiedFiring && notified.notifiedFiring) messages.push('resolved');
  if (isStale && !notified.notifiedStale) messages.push('stale');
  if (isReminded) messages.push('reminder');

  const dueInstants: number[] = [];
  if (staleAt !== null && !isStale) dueInstants.push(staleAt);
  if (nextAt !== null) dueInstants.push(nextAt);
  if (firing.remindedOn !== null)
    dueInstants.push(nextReminderAt(now, firing.remindedOn, reminderTime, zone));

  return {
    messages,
    ...firing,
    notifiedStale: isStale,
    dueAt: dueInstants.length === 0 ? null : Math.min(...dueInstants),
  };
}

function firingNotification(
  notified: NotifiedState,
  since: number | null,
  { now, zone, reminderTime }: { now: number; zone: string; reminderTime: string },
): Omit<NotifiedState, 'notifiedStale'> & { isReminded: boolean } {
  if (since === null)
    return { notifiedFiring: false, remindedOn: null, remindedAt: null, isReminded: false };
  if (!notified.notifiedFiring || notified.remindedOn === null) {
    // The message that the alert fires counts as the first reminder.
    const noticeAt = now - since < LATE_NOTICE_MS ? Math.min(since, now) : now;
    return {
      notifiedFiring: true,
      remindedOn: LocalDay.at(noticeAt, zone).iso,
      remindedAt: null,
      isReminded: false,
    };
  }

  const reminder = dueReminder(
    now,
    { localDate: notified.remindedOn, at: notified.remindedAt },
    reminderTime,
    zone,
  );
  const isReminded = reminder?.isSent ?? false;

  return {
    notifiedFiring: true,
    remindedOn: reminder?.day ?? notified.remindedOn,
    remindedAt: isReminded ? now : notified.remindedAt,
    isReminded,
  };
}
