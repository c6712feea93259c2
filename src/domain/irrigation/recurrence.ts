import { formatIsoDate, padTwo } from '../calendar.ts';
import { itemAt } from '../items.ts';
import { LocalDay } from '../local-day.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../periods.ts';
import { civilAt, constantOffsetMs } from '../time-zone.ts';

/** Local to `timezone`: dates YYYY-MM-DD, times HH:MM. */
export interface Recurrence {
  readonly freq: 'daily' | 'weekly';
  readonly intervalDays: number | null;
  /** 1 = Monday to 7 = Sunday. */
  readonly weekdays: readonly number[] | null;
  readonly startTimes: readonly string[];
  readonly timezone: string;
  readonly startsOn: string;
  readonly endsOn: string | null;
}

export interface ScheduledTime {
  /** Local date and time ("2025-03-30T02:30"), which identify the occurrence. */
  readonly scheduledStart: string;
  readonly startedAt: number;
}

/**
 * How far the date of a scheduled start can be from the local date at its instant: behind it in a
 * gap (a zone may skip a whole day; one more day is a margin), ahead of it in a fold at midnight
 * (00:00 means the first pass, and clocks then return to the day before).
 */
const MAX_DAYS_BEHIND = 2;
const MAX_DAYS_AHEAD = 1;

export function instantOfStart(scheduledStart: string, timezone: string): number {
  const [date = '', time = ''] = scheduledStart.split('T');
  return LocalDay.parse(date).resolve(msOfDay(time), timezone).at;
}

function msOfDay(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * HOUR_MS + minutes * MINUTE_MS;
}

/** The local time of an instant, as scheduled starts are written. */
export function scheduledStartAt(at: number, timezone: string): string {
  const local = civilAt(at, timezone);
  return `${formatIsoDate(local)}T${padTwo(local.hour)}:${padTwo(local.minute)}`;
}

export const earliestScheduledStart = (from: number, timezone: string): string =>
  `${LocalDay.at(from, timezone).plus(-MAX_DAYS_BEHIND).iso}T00:00`;

function fallsOn(rule: Recurrence, startsOn: LocalDay, day: LocalDay): boolean {
  if (rule.freq === 'weekly') return rule.weekdays?.includes(day.weekday) ?? false;
  return startsOn.daysUntil(day) % (rule.intervalDays ?? 1) === 0;
}

/** The date of the next start; today if the schedule never starts. */
export function firstStartDate(
  {
    freq,
    weekdays,
    startTimes,
    timezone,
  }: Pick<Recurrence, 'freq' | 'weekdays' | 'startTimes' | 'timezone'>,
  now: number,
): string {
  const today = LocalDay.at(now, timezone).iso;
  const rule = {
    freq,
    weekdays,
    startTimes,
    timezone,
    intervalDays: 1,
    startsOn: today,
    endsOn: null,
  };

  // Eight days contain every day of the week after today, even if a change of clocks shortens one.
  const [next] = scheduledTimesWithin(rule, now, now + 8 * DAY_MS);
  return next?.scheduledStart.slice(0, 10) ?? today;
}

/**
 * Includes both ends. Starts at the same instant (around a gap) are one occurrence with the
 * earliest scheduled start.
 */
export function scheduledTimesWithin(rule: Recurrence, from: number, to: number): ScheduledTime[] {
  const byInstant = new Map<number, string>();
  for (const { startedAt, scheduledStart } of allTimesWithin(rule, from, to))
    if (!byInstant.has(startedAt)) byInstant.set(startedAt, scheduledStart);

  return [...byInstant]
    .map(([startedAt, scheduledStart]) => ({ scheduledStart, startedAt }))
    .sort((a, b) => a.startedAt - b.startedAt);
}

/** A start at the instant of an earlier one, which is planned in its place. */
export interface MergedStart extends ScheduledTime {
  readonly plannedStart: string;
}

export function mergedStartsWithin(rule: Recurrence, from: number, to: number): MergedStart[] {
  const planned = new Map(
    scheduledTimesWithin(rule, from, to).map((time) => [time.startedAt, time.scheduledStart]),
  );
  return allTimesWithin(rule, from, to).flatMap((time) => {
    const plannedStart = planned.get(time.startedAt);
    return plannedStart === undefined || plannedStart === time.scheduledStart
      ? []
      : [{ ...time, plannedStart }];
  });
}

function allTimesWithin(rule: Recurrence, from: number, to: number): ScheduledTime[] {
  if (from > to) return [];

  const first = LocalDay.at(from, rule.timezone).plus(-MAX_DAYS_BEHIND);
  const startsOn = LocalDay.parse(rule.startsOn);
  const earliest = first.daysUntil(startsOn) > 0 ? startsOn : first;
  const last = LocalDay.at(to, rule.timezone).plus(MAX_DAYS_AHEAD);
  const endsOn = rule.endsOn === null ? last : LocalDay.parse(rule.endsOn);
  const latest = endsOn.daysUntil(last) > 0 ? endsOn : last;

  const times: ScheduledTime[] = [];
  for (const day of earliest.until(latest)) {
    if (!fallsOn(rule, startsOn, day)) continue;
    const date = day.iso;
    const offsetMs = constantOffsetMs(day.midnightMs, rule.timezone);
    for (const time of rule.startTimes) {
      const scheduledStart = `${date}T${time}`;
      const startedAt =
        offsetMs === null
          ? day.resolve(msOfDay(time), rule.timezone).at
          : day.midnightMs + msOfDay(time) - offsetMs;
      if (startedAt >= from && startedAt <= to) times.push({ scheduledStart, startedAt });
    }
  }

  return times;
}

/** The first start that falls within a run of the other schedule, or the reverse. */
export function firstOverlap(
  times: readonly ScheduledTime[],
  durationMs: number,
  otherTimes: readonly ScheduledTime[],
  otherDurationMs: number,
): { readonly at: number; readonly otherAt: number } | null {
  let index = 0;
  for (const { startedAt: at } of times) {
    while (
      index < otherTimes.length &&
      itemAt(otherTimes, index).startedAt + otherDurationMs <= at &&
      itemAt(otherTimes, index).startedAt < at
    )
      index++;
    const otherAt = otherTimes[index]?.startedAt;
    if (otherAt === undefined) return null;
    if (otherAt === at || otherAt < at + durationMs) return { at, otherAt };
  }

  return null;
}
