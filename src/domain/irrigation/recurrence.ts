import {
  addCivilDays,
  type CivilDate,
  daysBetween,
  epochDay,
  formatIsoDate,
  parseIsoDate,
  weekdayOf,
} from '../calendar.ts';
import { civilAt, resolveCivil } from '../time-zone.ts';

/** When a schedule waters, in the local time of its zone. Dates are YYYY-MM-DD, times HH:MM. */
export interface Recurrence {
  readonly freq: 'daily' | 'weekly';
  /** Daily: every N days, counted in civil dates from `startsOn`. */
  readonly intervalDays: number | null;
  /** Weekly: 1 = Monday to 7 = Sunday. */
  readonly weekdays: readonly number[] | null;
  /** Each once, in order. */
  readonly startTimes: readonly string[];
  readonly timezone: string;
  readonly startsOn: string;
  readonly endsOn: string | null;
}

/** One occurrence: its local slot ("2025-03-30T02:30"), which is its key, and its instant in ms. */
export interface Slot {
  readonly slot: string;
  readonly startedAt: number;
}

/**
 * How far the date of a slot can lie from the date that clocks show at its instant: before it in a gap (a zone that skips
 * a whole day, and one to spare), after it in a fold at midnight (00:00 means its first pass, after which it is yesterday
 * again).
 */
const MAX_DAYS_BEHIND = 2;
const MAX_DAYS_AHEAD = 1;

export function slotInstant(slot: string, timezone: string): number {
  const [date = '', time = ''] = slot.split('T');
  const [hour, minute] = time.split(':').map(Number);
  return resolveCivil({ ...parseIsoDate(date), hour: hour!, minute: minute!, second: 0, millisecond: 0 }, timezone).at;
}

/** No slot at or after an instant has a key that sorts before this one. */
export const slotKeyLowerBound = (from: number, timezone: string): string =>
  `${formatIsoDate(addCivilDays(civilAt(from, timezone), -MAX_DAYS_BEHIND))}T00:00`;

function fallsOn(rule: Recurrence, date: CivilDate): boolean {
  if (rule.freq === 'weekly') return rule.weekdays?.includes(weekdayOf(date)) ?? false;
  return daysBetween(parseIsoDate(rule.startsOn), date) % (rule.intervalDays ?? 1) === 0;
}

/** Occurrences by time, both ends included. Slots of one instant (around a gap) are one occurrence, under the earliest. */
export function slotsWithin(rule: Recurrence, from: number, to: number): Slot[] {
  if (from > to) return [];
  const first = addCivilDays(civilAt(from, rule.timezone), -MAX_DAYS_BEHIND);
  const earliest = daysBetween(first, parseIsoDate(rule.startsOn)) > 0 ? parseIsoDate(rule.startsOn) : first;
  const last = addCivilDays(civilAt(to, rule.timezone), MAX_DAYS_AHEAD);
  const latest =
    rule.endsOn !== null && daysBetween(parseIsoDate(rule.endsOn), last) > 0 ? parseIsoDate(rule.endsOn) : last;
  const byInstant = new Map<number, string>();
  for (let day = 0, days = epochDay(latest) - epochDay(earliest); day <= days; day++) {
    const date = addCivilDays(earliest, day);
    if (!fallsOn(rule, date)) continue;
    for (const time of rule.startTimes) {
      const slot = `${formatIsoDate(date)}T${time}`;
      const startedAt = slotInstant(slot, rule.timezone);
      if (startedAt >= from && startedAt <= to && !byInstant.has(startedAt)) byInstant.set(startedAt, slot);
    }
  }
  return [...byInstant].map(([startedAt, slot]) => ({ slot, startedAt })).sort((a, b) => a.startedAt - b.startedAt);
}
