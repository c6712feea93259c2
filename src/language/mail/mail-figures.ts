import { belowThreshold, resolutionThreshold } from '../../domain/alerts/alert-episodes.ts';
import { ALERT_KINDS } from '../../domain/alerts/alert-kinds.ts';
import { LocalDay } from '../../domain/local-day.ts';
import { readingAge } from '../../domain/moisture/coverage.ts';
import { exact } from '../../domain/text/figures.ts';
import type { Figures } from '../../domain/text/text.ts';
import type { AlertMailFacts } from './mail-facts.ts';

export type MailFigures = ReturnType<typeof mailFigures>;

export function mailFigures(facts: AlertMailFacts) {
  const { now, zone, threshold, state } = facts;
  const { newestAt, newestValue, startedAt, endedAt } = state;
  const { symbol } = ALERT_KINDS[facts.alertKind];
  const valueWithUnit = (decimal: number | string): Figures => exact(Number(decimal), symbol);

  const age = newestAt === null ? null : readingAge(newestAt, now);
  return {
    valueWithUnit,
    newestValue: newestValue === null ? null : valueWithUnit(newestValue),
    limit: valueWithUnit(threshold),
    resolveAt: valueWithUnit(resolutionThreshold(facts)),
    ageMs: age?.ageMs ?? null,
    isFresh: age?.isFresh ?? false,
    /** The local day of the episode, from 1. */
    dayOfEpisode:
      startedAt === null ? 1 : LocalDay.at(startedAt, zone).daysUntil(LocalDay.at(now, zone)) + 1,
    durationMs: startedAt === null ? 0 : (endedAt ?? now) - startedAt,
    isBelow: newestValue !== null && belowThreshold(facts)(newestValue),
  };
}
