import { LocalDay } from '../local-day.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../periods.ts';
import { offsetMinutesAt } from '../time-zone.ts';

// Local dates are YYYY-MM-DD, reminder times HH:MM:SS, instants in ms. Source: spec, "Events", rule
// 3.

/** After an outage a late reminder replaces a regular one that is due within this time. */
const MIN_REMINDER_GAP_MS = 6 * HOUR_MS;

export interface LastReminder {
  /** Local day of the last reminder, or of the firing before the first one. */
  readonly localDate: string;
  readonly at: number | null;
}

/**
 * A time in a gap takes the offset before it, or the offset after it if the former leads to
 * another day. Null on a day that the zone skips.
 */
export function reminderAt(day: LocalDay, reminderTime: string, zone: string): number | null {
  const [hour = 0, minute = 0, second = 0] = reminderTime.split(':').map(Number);
  const msOfDay = hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS;
  const { at, resolution } = day.resolve(msOfDay, zone);
  const isOnDay = (instant: number): boolean => LocalDay.at(instant, zone).daysUntil(day) === 0;
  if (resolution !== 'gap' || isOnDay(at)) return at;

  const gapMinutes = offsetMinutesAt(at, zone) - offsetMinutesAt(at - DAY_MS, zone);
  const earlier = at - gapMinutes * MINUTE_MS;
  return isOnDay(earlier) ? earlier : null;
}

function* remindersFrom(first: LocalDay, reminderTime: string, zone: string): Generator<number> {
  for (let day = first; ; day = day.next()) {
    const at = reminderAt(day, reminderTime, zone);
    if (at !== null) yield at;
  }
}

/**
 * `isSent` is false if another reminder was sent shortly before. Of several missed reminders only
 * the newest counts, however late it is, because the background jobs may run only once a day.
 */
export function dueReminder(
  now: number,
  lastReminder: LastReminder,
  reminderTime: string,
  zone: string,
): { readonly day: string; readonly isSent: boolean } | null {
  const last = withoutFutureDate(lastReminder, now, zone);
  const lastDay = LocalDay.parse(last.localDate);
  for (let day = LocalDay.at(now, zone); lastDay.daysUntil(day) > 0; day = day.plus(-1)) {
    const at = reminderAt(day, reminderTime, zone);
    if (at !== null && at <= now)
      return { day: day.iso, isSent: last.at === null || now - last.at >= MIN_REMINDER_GAP_MS };
  }
  return null;
}

/**
 * A reminder dated after tomorrow was recorded while the clock was ahead: yesterday counts as the
 * last day. A company that moves to another time zone may lose a day.
 */
function withoutFutureDate(lastReminder: LastReminder, now: number, zone: string): LastReminder {
  const today = LocalDay.at(now, zone);
  return lastReminder.localDate <= today.next().iso
    ? lastReminder
    : { localDate: today.plus(-1).iso, at: null };
}

/** `remindedOn` is the local day of the last reminder. */
export function nextReminderAt(
  now: number,
  remindedOn: string,
  reminderTime: string,
  zone: string,
): number {
  const today = LocalDay.at(now, zone);
  const { localDate } = withoutFutureDate({ localDate: remindedOn, at: null }, now, zone);
  const firstDay = today.iso > localDate ? today : LocalDay.parse(localDate).next();
  for (const at of remindersFrom(firstDay, reminderTime, zone)) if (at > now) return at;
  throw new Error('unreachable: there is always another day');
}

/** An episode has no reminder on the day on which it starts. */
export function remindersWithin(
  start: number,
  end: number,
  reminderTime: string,
  zone: string,
): number[] {
  const firstDay = LocalDay.at(start, zone).next();
  const within: number[] = [];

  for (const at of remindersFrom(firstDay, reminderTime, zone)) {
    if (at >= end) break;
    within.push(at);
  }

  return within;
}
