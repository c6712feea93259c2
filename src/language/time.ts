/** Instants and spans as a summary says them: local time, in a person's language; the caller names the zone. */

import { daysBetween, padTwo } from '../domain/calendar.ts';
import type { Lang } from '../domain/lang.ts';
import { civilAt, formatUtcOffset, resolveCivil } from '../domain/time-zone.ts';
import type { CorePhrases } from './core-phrases.ts';
import { languageOf } from './index.ts';

/** What this layer says, in a language. */
export const corePhrases = (lang: Lang): CorePhrases => languageOf(lang).core;

/** "today 06:00", "12 Jul 06:00", "12 Jul 2025 06:00"; in a repeated hour "today 02:30 (UTC+02:00)". Instants in ms. */
export function formatInstant(at: number, zone: string, now: number, lang: Lang): string {
  return languageOf(lang).core.instant(formatDay(at, zone, now, lang), formatClock(at, zone));
}

/** "today 06:00 to 06:45"; over midnight both days are named; without an end, the start alone. */
export function formatTimeSpan(from: number, to: number | null, zone: string, now: number, lang: Lang): string {
  const start = formatInstant(from, zone, now, lang);
  if (to === null) return start;
  const isOneDay = daysBetween(civilAt(from, zone), civilAt(to, zone)) === 0;
  return isOneDay
    ? languageOf(lang).core.withinDay(formatDay(from, zone, now, lang), formatClock(from, zone), formatClock(to, zone))
    : languageOf(lang).core.acrossDays(start, formatInstant(to, zone, now, lang));
}

function formatDay(at: number, zone: string, now: number, lang: Lang): string {
  const local = civilAt(at, zone);
  const today = civilAt(now, zone);
  const { nearDays, day } = languageOf(lang).core;
  const isThisYear = local.year === today.year;
  return nearDays.get(daysBetween(today, local)) ?? day(local.day, local.month, isThisYear ? null : local.year);
}

function formatClock(at: number, zone: string): string {
  const local = civilAt(at, zone);
  const clock = `${padTwo(local.hour)}:${padTwo(local.minute)}`;
  return resolveCivil(local, zone).resolution === 'fold' ? `${clock} (${formatUtcOffset(local.offsetMinutes)})` : clock;
}
