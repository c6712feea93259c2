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

/** One occurrence: its local slot ("2025-03-30T02:30"), which is its key, and the instant in ms at which it falls. */
export interface Slot {
  readonly slot: string;
  readonly startedAt: number;
}

/**
 * How far a slot's date can lie from the date that the clocks show at its instant: before it in a gap (a zone that skips
 * a day, one more to spare), after it in a fold at midnight (00:00 counts in its first pass, then it is yesterday again).
 */
const MAX_DAYS_BEHIND = 2;
const MAX_DAYS_AHEAD = 1;

/** The instant of a local slot; in a gap the offset before it holds, of a repeated time the first counts. */
export function slotInstant(slot: string, timezone: string): number {
  const [date = '', time = ''] = slot.split('T');
  const [hour, minute] = time.split(':').map(Number);
  return resolveCivil({ ...parseIsoDate(date), hour: hour!, minute: minute!, second: 0, millisecond: 0 }, timezone).at;
}

/** No slot that falls at or after an instant has a key below this one, as text. */
export const slotKeyLowerBound = (from: number, timezone: string): string =>
  `${formatIsoDate(addCivilDays(civilAt(from, timezone), -MAX_DAYS_BEHIND))}T00:00`;

function fallsOn(rule: Recurrence, date: CivilDate): boolean {
  if (rule.freq === 'weekly') return rule.weekdays?.includes(weekdayOf(date)) ?? false;
  return daysBetween(parseIsoDate(rule.startsOn), date) % (rule.intervalDays ?? 1) === 0;
}

/**
 * The occurrences from one instant to another, both included, by time. Slots that land on one instant (around a gap) are
 * one occurrence, under the earliest of them.
 */
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
