import { addCivilDays, formatIsoDate, parseIsoDate } from '../calendar.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../periods.ts';
import { civilAt, offsetMinutesAt, resolveCivil } from '../time-zone.ts';

// Local dates are YYYY-MM-DD, reminder times HH:MM:SS, instants in ms. Source: spec, "Events", rule
// 3.

/** After an outage a late reminder replaces a regular one that is due within this time. */
const MIN_REMINDER_GAP_MS = 6 * HOUR_MS;

interface Reminder {
  readonly day: string;
  readonly at: number;
}

export interface LastReminder {
  /** Local day of the last reminder, or of the firing before the first one. */
  readonly localDate: string;
  readonly at: number | null;
}

export const localDateAt = (at: number, zone: string): string => formatIsoDate(civilAt(at, zone));

const addDaysToIsoDate = (date: string, days: number): string =>
  formatIsoDate(addCivilDays(parseIsoDate(date), days));

/**
 * A time in a gap takes the offset before it, or the offset after it if the former leads to
 * another day. Null on a day that the zone skips.
 */
export function reminderAt(date: string, reminderTime: string, zone: string): number | null {
  const [hour = 0, minute = 0, second = 0] = reminderTime.split(':').map(Number);
  const civil = { ...parseIsoDate(date), hour, minute, second, millisecond: 0 };
  const { at, resolution } = resolveCivil(civil, zone);
  if (resolution !== 'gap' || localDateAt(at, zone) === date) return at;

  const gapMinutes = offsetMinutesAt(at, zone) - offsetMinutesAt(at - DAY_MS, zone);
  const earlier = at - gapMinutes * MINUTE_MS;
  return localDateAt(earlier, zone) === date ? earlier : null;
}

function* remindersFrom(date: string, reminderTime: string, zone: string): Generator<Reminder> {
  for (let day = date; ; day = addDaysToIsoDate(day, 1)) {
    const at = reminderAt(day, reminderTime, zone);
    if (at !== null) yield { day, at };
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
  for (let day = localDateAt(now, zone); day > last.localDate; day = addDaysToIsoDate(day, -1)) {
    const at = reminderAt(day, reminderTime, zone);
    if (at !== null && at <= now)
      return { day, isSent: last.at === null || now - last.at >= MIN_REMINDER_GAP_MS };
  }
  return null;
}

/**
 * A reminder dated after tomorrow was recorded while the clock was ahead: yesterday counts as the
 * last day. A company that moves to another time zone may lose a day.
 */
function withoutFutureDate(lastReminder: LastReminder, now: number, zone: string): LastReminder {
  const today = localDateAt(now, zone);
  return lastReminder.localDate <= addDaysToIsoDate(today, 1)
    ? lastReminder
    : { localDate: addDaysToIsoDate(today, -1), at: null };
}

/** `remindedOn` is the local day of the last reminder. */
export function nextReminderAt(
  now: number,
  remindedOn: string,
  reminderTime: string,
  zone: string,
): number {
  const today = localDateAt(now, zone);
  const { localDate } = withoutFutureDate({ localDate: remindedOn, at: null }, now, zone);
  const firstDay = today > localDate ? today : addDaysToIsoDate(localDate, 1);
  for (const { at } of remindersFrom(firstDay, reminderTime, zone)) if (at > now) return at;
  throw new Error('unreachable: there is always another day');
}

/** Of an episode: none on the day on which it starts. */
export function remindersWithin(
  start: number,
  end: number,
  reminderTime: string,
  zone: string,
): number[] {
  const firstDay = addDaysToIsoDate(localDateAt(start, zone), 1);
  const within: number[] = [];

  for (const { at } of remindersFrom(firstDay, reminderTime, zone)) {
    if (at >= end) break;
    within.push(at);
  }

  return within;
}
