import { padTwo } from '../domain/calendar.ts';
import { itemAt } from '../domain/items.ts';
import { DEFAULT_LANG, type Lang } from '../domain/lang.ts';
import { LocalDay } from '../domain/local-day.ts';
import { DAY_MIN } from '../domain/periods.ts';
import { civilAt, passOfRepeatedHour } from '../domain/time-zone.ts';
import { englishFormat } from './en/grammar.ts';
import { languageOf } from './index.ts';

/** Texts are English unless a language is given: all that a model reads is English. */
export interface TimeContext {
  readonly now: number;
  readonly zone: string;
  readonly lang?: Lang;
}

/**
 * "today 06:00", "12 Jul 06:00", "12 Jul 2025 06:00"; in a repeated hour
 * "today 02:30 (summer time)".
 * `at` in ms.
 */
export function formatInstant(at: number, context: TimeContext): string {
  return languageOf(context.lang ?? DEFAULT_LANG).time.instant(
    formatDay(at, context),
    formatClock(at, context),
  );
}

export const formatTime = (time: string, context: TimeContext): string =>
  formatInstant(Date.parse(time), context);

export const formatDate = (time: string, context: TimeContext): string =>
  formatDay(Date.parse(time), context);

/** A local day: "yesterday", "12 Jul" */
export const formatLocalDay = (day: string, context: TimeContext): string =>
  formatDay(LocalDay.parse(day).startIn(context.zone), context);

export const formatTimeWithZone = (time: string, context: TimeContext): string =>
  `${formatTime(time, context)} (${context.zone})`;

/** "today 06:00 to 06:45"; over midnight both days are named. */
export function formatTimeSpan(from: number, to: number | null, context: TimeContext): string {
  const { zone, lang = DEFAULT_LANG } = context;
  const start = formatInstant(from, context);
  if (to === null) return start;
  const phrases = languageOf(lang).time;
  return LocalDay.at(from, zone).daysUntil(LocalDay.at(to, zone)) === 0
    ? phrases.withinDay(
        formatDay(from, context),
        formatClock(from, context),
        formatClock(to, context),
      )
    : phrases.acrossDays(start, formatInstant(to, context));
}

/** A move within one local day gives clock times alone. */
export function formatMove(
  { from, to }: { readonly from: number; readonly to: number },
  context: TimeContext,
): { from: string; to: string; isSameDay: boolean } {
  const { zone } = context;
  const isSameDay = LocalDay.at(from, zone).daysUntil(LocalDay.at(to, zone)) === 0;
  const format = (at: number): string =>
    isSameDay ? formatClock(at, context) : formatInstant(at, context);
  return { from: format(from), to: format(to), isSameDay };
}

/** "25 minutes", "26 hours", "3 days". */
export function formatAge(minutes: number, lang: Lang = DEFAULT_LANG): string {
  const { duration } = languageOf(lang).format;
  if (minutes < 120) return duration(Math.max(1, minutes), 'minute');
  if (minutes < 2 * DAY_MIN) return duration(Math.round(minutes / 60), 'hour');
  return duration(Math.round(minutes / DAY_MIN), 'day');
}

/** Days from today to the local day of an instant. */
export const daysTo = (at: number, { zone, now }: TimeContext): number =>
  LocalDay.at(now, zone).daysUntil(LocalDay.at(at, zone));

/** Days from today to a local day. */
export const daysAhead = (day: string, { zone, now }: TimeContext): number =>
  LocalDay.at(now, zone).daysUntil(LocalDay.parse(day));

/** "15 November" for 11-15; other words stay as they are. */
export function formatDayOfYear(day: string): string {
  const [, month, dayOfMonth] = /^(\d{2})-(\d{2})$/.exec(day) ?? [];
  if (month === undefined) return day;
  return `${Number(dayOfMonth)} ${itemAt(englishFormat.months('long'), Number(month) - 1)}`;
}

/** "Thursday" */
export const formatWeekday = (day: string): string =>
  new Intl.DateTimeFormat(DEFAULT_LANG, { weekday: 'long', timeZone: 'UTC' }).format(
    Date.parse(day),
  );

function formatDay(at: number, { zone, now, lang = DEFAULT_LANG }: TimeContext): string {
  const local = LocalDay.at(at, zone);
  const today = LocalDay.at(now, zone);
  const { year, month, day } = local.civil;
  const { time } = languageOf(lang);
  return (
    time.nearDays.get(today.daysUntil(local)) ??
    time.day(day, month, year === today.civil.year ? null : year)
  );
}

function formatClock(at: number, { zone, lang = DEFAULT_LANG }: TimeContext): string {
  const local = civilAt(at, zone);
  const clock = `${padTwo(local.hour)}:${padTwo(local.minute)}`;
  const pass = passOfRepeatedHour(at, zone);
  return pass === null ? clock : `${clock} (${languageOf(lang).time.repeatedHour[pass]})`;
}
