import { addCivilDays, formatIsoDate, parseIsoDate } from '../calendar.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../periods.ts';
import { civilAt, resolveCivil } from '../time-zone.ts';

/** Two reminders are no closer than this, in ms: after a silence, a late one stands for the next too. */
const MIN_REMINDER_GAP_MS = 6 * HOUR_MS;

/** A reminder of a local day and its instant. */
interface Reminder {
  readonly day: string;
  readonly at: number;
}

/** The local day that was last heard of: that of the firing, or of the last reminder, and when that one was sent (ms). */
export interface LastReminder {
  readonly localDate: string;
  readonly at: number | null;
}

/**
 * The daily reminder of an alert that goes on firing, at a local time. Local dates are YYYY-MM-DD, reminder times
 * HH:MM:SS, instants in ms. Source: spec, "Events", rule 3.
 */

/** The date that the clocks of a zone show. */
export const localDateAt = (at: number, zone: string): string => formatIsoDate(civilAt(at, zone));

const addDaysToIsoDate = (date: string, days: number): string => formatIsoDate(addCivilDays(parseIsoDate(date), days));

/**
 * When the reminder of a local day falls: in a gap the offset before it holds, of a repeated time the first counts. Where
 * that is no longer the same day, as in a gap that ends it, the offset after the gap holds. Null on a day that the zone
 * leaves out.
 */
export function reminderAt(date: string, reminderTime: string, zone: string): number | null {
  const [hour, minute, second] = reminderTime.split(':').map(Number);
  const civil = { ...parseIsoDate(date), hour: hour!, minute: minute!, second: second!, millisecond: 0 };
  const { at, resolution } = resolveCivil(civil, zone);
  if (resolution !== 'gap' || localDateAt(at, zone) === date) return at;
  const shown = civilAt(at, zone);
  const before = civilAt(at - DAY_MS, zone);
  const earlier = at - (shown.offsetMinutes - before.offsetMinutes) * MINUTE_MS;
  return localDateAt(earlier, zone) === date ? earlier : null;
}

/** The reminders of the days from a date on, in order. */
function* remindersFrom(date: string, reminderTime: string, zone: string): Generator<Reminder> {
  for (let day = date; ; day = addDaysToIsoDate(day, 1)) {
    const at = reminderAt(day, reminderTime, zone);
    if (at !== null) yield { day, at };
  }
}

/**
 * The newest local day whose reminder has fallen due and was not dealt with, null without one. `isSent` is false where
 * another went out so shortly before that this day needs none. Of several that were missed only the newest counts, however
 * late: housekeeping may come by once a day only.
 */
export function dueReminder(
  now: number,
  reminded: LastReminder,
  reminderTime: string,
  zone: string,
): { readonly day: string; readonly isSent: boolean } | null {
  for (let day = localDateAt(now, zone); day > reminded.localDate; day = addDaysToIsoDate(day, -1)) {
    const at = reminderAt(day, reminderTime, zone);
    if (at !== null && at <= now)
      return { day, isSent: reminded.at === null || now - reminded.at >= MIN_REMINDER_GAP_MS };
  }
  return null;
}

/** When the next reminder falls due after now (ms). */
export function nextReminderAt(now: number, remindedOn: string, reminderTime: string, zone: string): number {
  const today = localDateAt(now, zone);
  const first = today > remindedOn ? today : addDaysToIsoDate(remindedOn, 1);
  for (const { at } of remindersFrom(first, reminderTime, zone)) if (at > now) return at;
  throw new RangeError('days do not end');
}

/** The reminders of an episode, from its start to its end (excluded): one each local day from the day after its start. */
export function remindersWithin(start: number, end: number, reminderTime: string, zone: string): number[] {
  const within: number[] = [];
  for (const { at } of remindersFrom(addDaysToIsoDate(localDateAt(start, zone), 1), reminderTime, zone)) {
    if (at >= end) break;
    within.push(at);
  }
  return within;
}
