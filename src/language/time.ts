import { daysBetween, padTwo, parseIsoDate } from '../domain/calendar.ts';
import type { Lang } from '../domain/lang.ts';
import { civilAt, formatUtcOffset, resolveCivil } from '../domain/time-zone.ts';
import { languageOf } from './index.ts';
import type { WordingContext } from './summary-context.ts';

/**
 * "today 06:00", "12 Jul 06:00", "12 Jul 2025 06:00"; in a repeated hour "today 02:30 (UTC+02:00)".
 * `at` in ms.
 */
export function formatInstant(at: number, context: WordingContext): string {
  return languageOf(context.lang).core.instant(
    formatDay(at, context),
    formatClock(at, context.zone),
  );
}

export const formatTime = (time: string, context: WordingContext): string =>
  formatInstant(Date.parse(time), context);

export const formatDate = (time: string, context: WordingContext): string =>
  formatDay(Date.parse(time), context);

export const formatTimeWithZone = (time: string, context: WordingContext): string =>
  `${formatTime(time, context)} (${context.zone})`;

/** "today 06:00 to 06:45"; over midnight both days are named. */
export function formatTimeSpan(from: number, to: number | null, context: WordingContext): string {
  const { zone, lang } = context;
  const start = formatInstant(from, context);
  if (to === null) return start;
  const { core } = languageOf(lang);
  return daysBetween(civilAt(from, zone), civilAt(to, zone)) === 0
    ? core.withinDay(formatDay(from, context), formatClock(from, zone), formatClock(to, zone))
    : core.acrossDays(start, formatInstant(to, context));
}

/** Within one local day, clock times without the day. */
export function formatMove(
  { from, to }: { readonly from: number; readonly to: number },
  context: WordingContext,
): { from: string; to: string; isSameDay: boolean } {
  const { zone } = context;
  const isSameDay = daysBetween(civilAt(from, zone), civilAt(to, zone)) === 0;
  const format = (at: number): string =>
    isSameDay ? formatClock(at, zone) : formatInstant(at, context);
  return { from: format(from), to: format(to), isSameDay };
}

/** Days from today to a local day. */
export const daysAhead = (day: string, { zone, now }: WordingContext): number =>
  daysBetween(civilAt(now, zone), parseIsoDate(day));

/** "Thursday" */
export const formatWeekday = (day: string, lang: Lang): string =>
  new Intl.DateTimeFormat(lang, { weekday: 'long', timeZone: 'UTC' }).format(Date.parse(day));

function formatDay(at: number, { zone, now, lang }: WordingContext): string {
  const local = civilAt(at, zone);
  const today = civilAt(now, zone);
  const { nearDays, day } = languageOf(lang).core;
  const isThisYear = local.year === today.year;
  return (
    nearDays.get(daysBetween(today, local)) ??
    day(local.day, local.month, isThisYear ? null : local.year)
  );
}

function formatClock(at: number, zone: string): string {
  const local = civilAt(at, zone);
  const clock = `${padTwo(local.hour)}:${padTwo(local.minute)}`;
  return resolveCivil(local, zone).resolution === 'fold'
    ? `${clock} (${formatUtcOffset(local.offsetMinutes)})`
    : clock;
}

/** For what applies from an instant on: a date, or "from the beginning". */
export function describeStart(from: number, context: WordingContext): string {
  const { sinceBeginning, since } = languageOf(context.lang).setup;
  return from === 0 ? sinceBeginning : since(formatInstant(from, context), context.zone);
}

export const describeValidFrom = (validFrom: string, context: WordingContext): string =>
  describeStart(Date.parse(validFrom), context);
