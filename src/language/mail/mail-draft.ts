import { daysBetween, padTwo } from '../../domain/calendar.ts';
import { addDecimals, compareWithDecimal, roundTo } from '../../domain/decimal.ts';
import type { ThresholdBasis } from '../../domain/moisture/agronomic-state.ts';
import { readingAge } from '../../domain/moisture/coverage.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import { civilAt, formatUtcOffset, resolveCivil } from '../../domain/time-zone.ts';
import type { MailKind } from '../../schema/alert.ts';

/** By the resolving level; by a new threshold or hysteresis; or by late or corrected readings. */
export type EpisodeEnding = 'reached' | 'rule_changed' | 'corrected';

/** Instants in ms, values in % of volume. */
export interface AlertMailState {
  readonly newestAt: number | null;
  readonly newestValue: number | null;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly lowestValue: number | null;
  readonly isFiring: boolean;
  readonly ending: EpisodeEnding;
}

/** Names are already cleaned and on one line. */
export interface AlertMailFacts {
  readonly kind: MailKind;
  readonly now: number;
  readonly zone: string;
  readonly company: string;
  readonly module: string;
  readonly parcel: string | null;
  readonly threshold: string;
  readonly hysteresis: string;
  readonly state: AlertMailState;
  /** The last ones that are done, newest first; the dose over the whole area. */
  readonly waterings: readonly { readonly startedAt: number; readonly waterMm: number | null }[];
  readonly fieldCapacity: SoilFigure | null;
  readonly wiltingPoint: SoilFigure | null;
}

export interface SoilFigure {
  readonly value: number;
  readonly basis: ThresholdBasis;
}

export interface MailDraft {
  readonly subject: string;
  readonly colon: string;
  readonly lead: readonly string[];
  readonly figures: readonly (readonly [label: string, value: string])[];
  readonly waterings: { readonly title: string; readonly lines: readonly string[] };
  readonly advice: string;
  readonly footer: string;
}

export type MailDrafter = (facts: AlertMailFacts) => MailDraft;

export interface MailFormat {
  number(value: number | string): string;
  /** `day` and `month` count from 1; `year` is null if it is the current one. */
  day(day: number, month: number, year: number | null): string;
  readonly dateTimeSeparator: string;
  readonly units: { readonly days: string; readonly hour: string; readonly minute: string };
}

export interface MailFigures {
  percent(value: number | string): string;
  millimetres(value: number): string;
  /** "1 July, 06:00"; in a repeated hour with its offset from UTC, in another year with the year. */
  instant(at: number): string;
  /** "2 days 4 h", "26 h 20 min", "25 min"; days from the second on. */
  duration(ms: number): string;
  readonly newestValue: string | null;
  readonly resolveAt: string;
  readonly ageMs: number | null;
  readonly isFresh: boolean;
  /** Which local day of the episode it is, from 1. */
  readonly dayOfEpisode: number;
  readonly durationMs: number;
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
