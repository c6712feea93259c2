/** Instants and spans as a summary says them: local time, in a person's language; the caller names the zone. */

import { daysBetween } from '../domain/calendar.ts';
import type { Lang } from '../domain/lang.ts';
import { civilAt, resolveCivil } from '../domain/zone.ts';
import type { SayingWords } from './saying-words.ts';
import { english } from './saying-words-en.ts';
import { french } from './saying-words-fr.ts';

const WORDS: Record<Lang, SayingWords> = { en: english, fr: french };

/** What this layer says, in a language. */
export const sayingWords = (lang: Lang): SayingWords => WORDS[lang];

/** "today 06:00", "12 Jul 06:00", "12 Jul 2025 06:00"; in a repeated hour "today 02:30 (UTC+02:00)". Instants in ms. */
export function sayInstant(at: number, zone: string, now: number, lang: Lang): string {
  return WORDS[lang].instant(sayDay(at, zone, now, lang), sayClock(at, zone));
}

/** "today 06:00 to 06:45"; over midnight both days are named; without an end, the start alone. */
export function saySpan(from: number, to: number | null, zone: string, now: number, lang: Lang): string {
  const start = sayInstant(from, zone, now, lang);
  if (to === null) return start;
  const isOneDay = daysBetween(civilAt(from, zone), civilAt(to, zone)) === 0;
  return isOneDay
    ? WORDS[lang].withinDay(sayDay(from, zone, now, lang), sayClock(from, zone), sayClock(to, zone))
    : WORDS[lang].overDays(start, sayInstant(to, zone, now, lang));
}

function sayDay(at: number, zone: string, now: number, lang: Lang): string {
  const local = civilAt(at, zone);
  const today = civilAt(now, zone);
  const { nearDays, day } = WORDS[lang];
  const isThisYear = local.year === today.year;
  return nearDays.get(daysBetween(today, local)) ?? day(local.day, local.month, isThisYear ? null : local.year);
}

function sayClock(at: number, zone: string): string {
  const local = civilAt(at, zone);
  const clock = `${two(local.hour)}:${two(local.minute)}`;
  return resolveCivil(local, zone).resolution === 'fold' ? `${clock} (${sayOffset(local.offsetMinutes)})` : clock;
}

/** "UTC+02:00". */
export function sayOffset(offsetMinutes: number): string {
  const minutes = Math.floor(Math.abs(offsetMinutes));
  return `UTC${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

const two = (value: number): string => String(value).padStart(2, '0');
