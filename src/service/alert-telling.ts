import { FRESH_MS } from '../domain/coverage.ts';
import { dueReminder, localDateAt, nextReminder } from '../domain/reminder.ts';
import type { AlertState } from '../store/alert-states.ts';
import type { MailKind } from '../store/outbox.ts';

/** How an alert stands after a look. Instants in ms. */
export interface Standing {
  /** Start of the episode that lasts; null while quiet. */
  readonly since: number | null;
  /** The newest round that counts; null where none did yet. */
  readonly newestAt: number | null;
  /** When time alone makes one more round count. */
  readonly nextAt: number | null;
}

type Told = Pick<AlertState, 'toldFiring' | 'remindedOn' | 'remindedAt' | 'toldStale'>;

/** What the recipients are told now, what they have been told then, and when there may be more to tell. */
export interface Telling extends Told, Pick<AlertState, 'dueAt'> {
  readonly messages: readonly MailKind[];
}

/** An episode that is told this much later, in ms, than it began is news of the day on which it is told. */
const LATE_NEWS_MS = 12 * 3_600_000;

/**
 * What is told of an alert, each thing once: that it fires, and each day after that that it still does; that it resolved,
 * when it was told to fire; that the data went stale. Only how it stands now is told, whatever lay between.
 */
export function tellingOf(
  told: Told,
  { since, newestAt, nextAt }: Standing,
  { now, zone, reminderTime }: { now: number; zone: string; reminderTime: string },
): Telling {
  const staleAt = newestAt === null ? null : newestAt + FRESH_MS + 1;
  const isStale = staleAt !== null && staleAt <= now;
  const { isReminded, ...firing } = firingTold(told, since, { now, zone, reminderTime });
  const messages: MailKind[] = [
    ...(firing.toldFiring && !told.toldFiring ? (['fired'] as const) : []),
    ...(!firing.toldFiring && told.toldFiring ? (['resolved'] as const) : []),
    ...(isStale && !told.toldStale ? (['stale'] as const) : []),
    ...(isReminded ? (['reminder'] as const) : []),
  ];
  const due = [
    ...(staleAt === null || isStale ? [] : [staleAt]),
    ...(nextAt === null ? [] : [nextAt]),
    ...(firing.remindedOn === null ? [] : [nextReminder(now, firing.remindedOn, reminderTime, zone)]),
  ];
  return { messages, ...firing, toldStale: isStale, dueAt: due.length === 0 ? null : Math.min(...due) };
}

/** What is known then of the firing: the day that was last heard of, and whether a reminder is due now. */
function firingTold(
  told: Told,
  since: number | null,
  { now, zone, reminderTime }: { now: number; zone: string; reminderTime: string },
): Omit<Told, 'toldStale'> & { isReminded: boolean } {
  if (since === null) return { toldFiring: false, remindedOn: null, remindedAt: null, isReminded: false };
  if (!told.toldFiring || told.remindedOn === null) {
    const newsOf = now - since < LATE_NEWS_MS ? Math.min(since, now) : now;
    return { toldFiring: true, remindedOn: localDateAt(newsOf, zone), remindedAt: null, isReminded: false };
  }
  const due = dueReminder(now, { on: told.remindedOn, at: told.remindedAt }, reminderTime, zone);
  const isReminded = due?.isSent ?? false;
  return {
    toldFiring: true,
    remindedOn: due?.day ?? told.remindedOn,
    remindedAt: isReminded ? now : told.remindedAt,
    isReminded,
  };
}
