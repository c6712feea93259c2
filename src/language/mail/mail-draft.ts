import { daysBetween, padTwo } from '../../domain/calendar.ts';
import { addDecimals, compareWithDecimal, roundTo } from '../../domain/decimal.ts';
import type { ThresholdBasis } from '../../domain/moisture/agronomic-state.ts';
import { readingAge } from '../../domain/moisture/coverage.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import { civilAt, formatUtcOffset, resolveCivil } from '../../domain/time-zone.ts';
import type { MailKind } from '../../schema/alert.ts';

/**
 * How an episode ends: moisture reached the level that resolves it; the threshold or the hysteresis was changed; or readings
 * came late or were corrected, after which it never was.
 */
export type EpisodeEnding = 'reached' | 'rule_changed' | 'corrected';

/** How the alert stands when a message is written; instants in ms, values in % of volume. */
export interface AlertMailState {
  /** Instant of the newest value that counts, and that value; null without one. */
  readonly newestAt: number | null;
  readonly newestValue: number | null;
  /** Start of the current or just ended episode; null when the message concerns none. */
  readonly startedAt: number | null;
  /** End of that episode; null while it lasts. */
  readonly endedAt: number | null;
  /** Least value of that episode. */
  readonly lowestValue: number | null;
  readonly isFiring: boolean;
  /** How the episode ended. */
  readonly ending: EpisodeEnding;
}

/** All that a message tells. Names are data: they come cleaned of what is no text on one line. */
export interface AlertMailFacts {
  readonly kind: MailKind;
  readonly now: number;
  readonly zone: string;
  readonly company: string;
  readonly module: string;
  readonly parcel: string | null;
  /** Decimals, % of volume and percentage points. */
  readonly threshold: string;
  readonly hysteresis: string;
  readonly state: AlertMailState;
  /** The last ones that are done, newest first; the dose over the whole area. */
  readonly waterings: readonly { readonly startedAt: number; readonly waterMm: number | null }[];
  /** % of volume; null where nothing tells it. */
  readonly fieldCapacity: SoilFigure | null;
  readonly wiltingPoint: SoilFigure | null;
}

export interface SoilFigure {
  readonly value: number;
  readonly basis: ThresholdBasis;
}

/** A message in words, before it is laid out. */
export interface MailDraft {
  /** Also the title of the page. */
  readonly subject: string;
  /** Between a label and what it names, in plain text. */
  readonly colon: string;
  /** What has happened, in sentences. */
  readonly lead: readonly string[];
  readonly figures: readonly (readonly [label: string, value: string])[];
  readonly waterings: { readonly title: string; readonly lines: readonly string[] };
  /** What to do next, in one sentence. */
  readonly advice: string;
  /** Whom it is for, and in which zone its times are. */
  readonly footer: string;
}

/** What the words of a language make of the facts. */
export type MailDrafter = (facts: AlertMailFacts) => MailDraft;

/** How a language writes numbers, days and lengths of time. */
export interface MailFormat {
  number(value: number | string): string;
  /** "1 July", from the day of the month and the month from 1; with its year where that is given. */
  day(day: number, month: number, year: number | null): string;
  /** Between a day and the time of day. */
  readonly dateTimeSeparator: string;
  readonly units: { readonly days: string; readonly hour: string; readonly minute: string };
}

/** The figures of a message as a language writes them. */
export interface MailFigures {
  /** "18.4 %". */
  percent(value: number | string): string;
  /** "12.5 mm". */
  millimetres(value: number): string;
  /** "1 July, 06:00"; in a repeated hour with its offset from UTC, in another year than this with it. */
  instant(at: number): string;
  /** "2 days 4 h", "26 h 20 min", "25 min"; days from the second on. */
  duration(ms: number): string;
  /** The newest value, and the one at which the alert resolves. */
  readonly newestValue: string | null;
  readonly resolveAt: string;
  /** Of the newest value, in ms. */
  readonly ageMs: number | null;
  readonly isFresh: boolean;
  /** Which local day of the episode it is, from 1. */
  readonly dayOfEpisode: number;
  /** How long the episode has lasted or lasted, in ms. */
  readonly durationMs: number;
  /** The newest value lies below the threshold. */
  readonly isBelow: boolean;
}

export function mailFigures(facts: AlertMailFacts, writing: MailFormat): MailFigures {
  const { now, zone, threshold, hysteresis, state } = facts;
  const { newestAt, newestValue, startedAt, endedAt } = state;
  const percent = (decimal: number | string): string => `${writing.number(decimal)} %`;
  const age = newestAt === null ? null : readingAge(newestAt, now);
  return {
    percent,
    millimetres: (mm) => `${writing.number(roundTo(mm, 1))} mm`,
    instant: (instant) => formatMailInstant(instant, zone, now, writing),
    duration: (ms) => formatMailDuration(ms, writing.units),
    newestValue: newestValue === null ? null : percent(newestValue),
    resolveAt: percent(addDecimals(threshold, hysteresis)),
    ageMs: age?.ageMs ?? null,
    isFresh: age?.isFresh ?? false,
    dayOfEpisode: startedAt === null ? 1 : daysBetween(civilAt(startedAt, zone), civilAt(now, zone)) + 1,
    durationMs: startedAt === null ? 0 : (endedAt ?? now) - startedAt,
    isBelow: newestValue !== null && compareWithDecimal(threshold)(newestValue) < 0,
  };
}

function formatMailInstant(at: number, zone: string, now: number, { day, dateTimeSeparator }: MailFormat): string {
  const local = civilAt(at, zone);
  const isThisYear = local.year === civilAt(now, zone).year;
  const clock = `${padTwo(local.hour)}:${padTwo(local.minute)}`;
  const offset = resolveCivil(local, zone).resolution === 'fold' ? ` (${formatUtcOffset(local.offsetMinutes)})` : '';
  return `${day(local.day, local.month, isThisYear ? null : local.year)}${dateTimeSeparator}${clock}${offset}`;
}

function formatMailDuration(ms: number, { days, hour, minute }: MailFormat['units']): string {
  const minutes = Math.max(0, Math.round(ms / MINUTE_MS));
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${Math.floor(hours / 24)} ${days}${hours % 24 > 0 ? ` ${hours % 24} ${hour}` : ''}`;
  if (hours > 0) return `${hours} ${hour}${minutes % 60 > 0 ? ` ${minutes % 60} ${minute}` : ''}`;
  return `${minutes} ${minute}`;
}
