import { daysBetween } from '../domain/calendar.ts';
import { ageOf } from '../domain/coverage.ts';
import { rounded } from '../domain/decimal.ts';
import { comparedWith, decimalSum } from '../domain/exact-decimal.ts';
import { civilAt, resolveCivil } from '../domain/zone.ts';
import { sayOffset } from '../operation/say-time.ts';
import type { AlertMailFacts } from './mail-words.ts';

const MINUTE_MS = 60_000;

/** How a language writes numbers, days and lengths of time. */
export interface Writing {
  readonly decimalMark: string;
  /** "1 July", from the day of the month and the month from 1; with its year where that is given. */
  day(day: number, month: number, year: number | null): string;
  /** Between a day and the time of day. */
  readonly atTime: string;
  readonly units: { readonly days: string; readonly hour: string; readonly minute: string };
}

/** The figures of a message as a language writes them. */
export interface Figures {
  /** "18.4 %". */
  percent(value: number | string): string;
  /** "12.5 mm". */
  millimetres(value: number): string;
  /** "1 July, 06:00"; in a repeated hour with its offset from UTC, in another year than this with it. */
  instant(at: number): string;
  /** "2 days 4 h", "26 h 20 min", "25 min"; days from the second on. */
  span(ms: number): string;
  /** The newest value, and the one at which the alert resolves. */
  readonly newest: string | null;
  readonly resolveAt: string;
  /** Of the newest value, in ms. */
  readonly ageMs: number | null;
  readonly isFresh: boolean;
  /** Which local day of the episode it is, from 1. */
  readonly dayOfEpisode: number;
  /** How long the episode has lasted or lasted, in ms. */
  readonly lastedMs: number;
  /** The newest value lies below the threshold. */
  readonly isBelow: boolean;
}

const two = (value: number): string => String(value).padStart(2, '0');

export function figuresOf(facts: AlertMailFacts, writing: Writing): Figures {
  const { now, zone, threshold, hysteresis, standing } = facts;
  const { at, value, since, endedAt } = standing;
  const number = (given: number | string): string => String(given).replace('.', writing.decimalMark);
  const percent = (given: number | string): string => `${number(given)} %`;
  const age = at === null ? null : ageOf(at, now);
  return {
    percent,
    millimetres: (mm) => `${number(rounded(mm, 1))} mm`,
    instant: (instant) => localInstant(instant, zone, now, writing),
    span: (ms) => span(ms, writing.units),
    newest: value === null ? null : percent(value),
    resolveAt: percent(decimalSum(threshold, hysteresis)),
    ageMs: age?.ageMs ?? null,
    isFresh: age?.isFresh ?? false,
    dayOfEpisode: since === null ? 1 : daysBetween(civilAt(since, zone), civilAt(now, zone)) + 1,
    lastedMs: since === null ? 0 : (endedAt ?? now) - since,
    isBelow: value !== null && comparedWith(threshold)(value) < 0,
  };
}

function localInstant(at: number, zone: string, now: number, { day, atTime }: Writing): string {
  const local = civilAt(at, zone);
  const isThisYear = local.year === civilAt(now, zone).year;
  const clock = `${two(local.hour)}:${two(local.minute)}`;
  const offset = resolveCivil(local, zone).resolution === 'fold' ? ` (${sayOffset(local.offsetMinutes)})` : '';
  return `${day(local.day, local.month, isThisYear ? null : local.year)}${atTime}${clock}${offset}`;
}

function span(ms: number, { days, hour, minute }: Writing['units']): string {
  const minutes = Math.max(0, Math.round(ms / MINUTE_MS));
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${Math.floor(hours / 24)} ${days}${hours % 24 > 0 ? ` ${hours % 24} ${hour}` : ''}`;
  if (hours > 0) return `${hours} ${hour}${minutes % 60 > 0 ? ` ${minutes % 60} ${minute}` : ''}`;
  return `${minutes} ${minute}`;
}
