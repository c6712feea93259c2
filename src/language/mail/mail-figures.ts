import { belowThreshold, resolutionThreshold } from '../../domain/alerts/alert-episodes.ts';
import { ALERT_KINDS } from '../../domain/alerts/alert-kinds.ts';
import { daysBetween, padTwo } from '../../domain/calendar.ts';
import { readingAge } from '../../domain/moisture/coverage.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import { civilAt, passOfRepeatedHour } from '../../domain/time-zone.ts';
import { sensibleAmount } from '../number-format.ts';
import type { AlertMailFacts } from './mail-facts.ts';

interface MailFormat {
  number(value: number | string): string;
  /** `day` and `month` count from 1; `year` is null if it is the current one. */
  day(day: number, month: number, year: number | null): string;
  readonly dateTimeSeparator: string;
  readonly repeatedHour: readonly [first: string, second: string];
  readonly units: { readonly days: string; readonly hour: string; readonly minute: string };
}

export type MailFigures = ReturnType<typeof mailFigures>;

export function mailFigures(facts: AlertMailFacts, format: MailFormat) {
  const { now, zone, threshold, state } = facts;
  const { newestAt, newestValue, startedAt, endedAt } = state;
  const { symbol } = ALERT_KINDS[facts.alertKind];
  const valueWithUnit = (decimal: number | string): string => `${format.number(decimal)} ${symbol}`;

  const age = newestAt === null ? null : readingAge(newestAt, now);
  return {
    percent: (decimal: number | string) => `${format.number(decimal)} %`,
    millimetres: (mm: number) => `${format.number(sensibleAmount(mm))} mm`,
    /**
     * "1 July, 06:00"; in a repeated hour with which of the two it is, in another year with the year.
     */
    instant: (instant: number) => formatMailInstant(instant, zone, now, format),
    /** "2 days 4 h", "26 h 20 min", "25 min"; with days from 48 h on. */
    duration: (ms: number) => formatMailDuration(ms, format.units),
    valueWithUnit,
    newestValue: newestValue === null ? null : valueWithUnit(newestValue),
    limit: valueWithUnit(threshold),
    resolveAt: valueWithUnit(resolutionThreshold(facts)),
    ageMs: age?.ageMs ?? null,
    isFresh: age?.isFresh ?? false,
    /** Which local day of the episode it is, from 1. */
    dayOfEpisode:
      startedAt === null ? 1 : daysBetween(civilAt(startedAt, zone), civilAt(now, zone)) + 1,
    durationMs: startedAt === null ? 0 : (endedAt ?? now) - startedAt,
    isBelow: newestValue !== null && belowThreshold(facts)(newestValue),
  };
}

function formatMailInstant(
  at: number,
  zone: string,
  now: number,
  { day, dateTimeSeparator, repeatedHour }: MailFormat,
): string {
  const local = civilAt(at, zone);
  const isThisYear = local.year === civilAt(now, zone).year;
  const clock = `${padTwo(local.hour)}:${padTwo(local.minute)}`;
  const pass = passOfRepeatedHour(at, zone);
  const whichPass = pass === null ? '' : ` (${repeatedHour[pass]})`;
  return `${day(local.day, local.month, isThisYear ? null : local.year)}${dateTimeSeparator}${clock}${whichPass}`;
}

function formatMailDuration(ms: number, { days, hour, minute }: MailFormat['units']): string {
  const minutes = Math.max(0, Math.round(ms / MINUTE_MS));
  const hours = Math.floor(minutes / 60);
  if (hours >= 48)
    return `${Math.floor(hours / 24)} ${days}${hours % 24 > 0 ? ` ${hours % 24} ${hour}` : ''}`;
  if (hours > 0) return `${hours} ${hour}${minutes % 60 > 0 ? ` ${minutes % 60} ${minute}` : ''}`;
  return `${minutes} ${minute}`;
}
