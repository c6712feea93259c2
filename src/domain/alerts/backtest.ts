import { roundTo } from '../decimal.ts';
import { itemAt } from '../items.ts';
import { MAX_FRESH_AGE_MS } from '../moisture/coverage.ts';
import type { SeriesPoint } from '../moisture/series.ts';
import { HOUR_MS, type Period } from '../periods.ts';
import {
  type AlertEpisode,
  type AlertRule,
  alertEpisodes,
  belowThreshold,
} from './alert-episodes.ts';
import { remindersWithin } from './reminders.ts';

const HOURS_DECIMALS = 1;

export interface BacktestRule extends AlertRule {
  readonly reminderTime: string;
  readonly timezone: string;
}

interface BacktestEpisode extends AlertEpisode {
  readonly hoursBelow: number;
  readonly reminders: number;
}

export interface BacktestResult {
  readonly episodes: readonly BacktestEpisode[];
  readonly hoursBelow: number;
  readonly reminders: number;
}

const POINTS_PER_STEP = 4_096;
const EPISODES_PER_STEP = 256;

/**
 * No episode is open at the start. A value counts until the next one, but no longer than it is
 * fresh; an episode continues while data are stale. Yields after each step, so that the caller can
 * do other work or cancel.
 */
export function* backtestInSteps(
  rule: BacktestRule,
  points: readonly SeriesPoint[],
  period: Period,
): Generator<undefined, BacktestResult> {
  const inPeriod = points.filter(({ at }) => at >= period.start && at < period.end);
  const episodes: AlertEpisode[] = [];
  for (let from = 0; from < inPeriod.length; from += POINTS_PER_STEP) {
    const open = episodes.at(-1)?.end === null ? (episodes.pop() ?? null) : null;
    episodes.push(...alertEpisodes(rule, inPeriod.slice(from, from + POINTS_PER_STEP), open));
    yield;
  }

  const belowMs = yield* timeBelowThreshold(rule, inPeriod, episodes, period.end);
  const backtestEpisodes: BacktestEpisode[] = [];

  for (const [index, episode] of episodes.entries()) {
    if (index % EPISODES_PER_STEP === EPISODES_PER_STEP - 1) yield;
    backtestEpisodes.push({
      ...episode,
      hoursBelow: toHours(itemAt(belowMs, index)),
      reminders: remindersWithin(
        episode.start,
        episode.end ?? period.end,
        rule.reminderTime,
        rule.timezone,
      ).length,
    });
  }

  return {
    episodes: backtestEpisodes,
    hoursBelow: toHours(belowMs.reduce((sum, ms) => sum + ms, 0)),
    reminders: backtestEpisodes.reduce((sum, { reminders }) => sum + reminders, 0),
  };
}

/** The time below the threshold in each episode, in ms. */
function* timeBelowThreshold(
  rule: AlertRule,
  points: readonly SeriesPoint[],
  episodes: readonly AlertEpisode[],
  endAt: number,
): Generator<undefined, number[]> {
  const isBelow = belowThreshold(rule);
  const pointsWithValue = points.flatMap(({ at, value }) =>
    value === null ? [] : [{ at, value }],
  );
  const times = episodes.map(() => 0);
  let episodeIndex = 0;

  for (const [index, { at, value }] of pointsWithValue.entries()) {
    if (index % POINTS_PER_STEP === POINTS_PER_STEP - 1) yield;
    if (!isBelow(value)) continue;
    while ((itemAt(episodes, episodeIndex).end ?? Number.POSITIVE_INFINITY) <= at) episodeIndex++;

    const nextAt = pointsWithValue[index + 1]?.at ?? endAt;
    const until = Math.min(nextAt, at + MAX_FRESH_AGE_MS, endAt);
    times[episodeIndex] = itemAt(times, episodeIndex) + until - at;
  }

  return times;
}

const toHours = (ms: number): number => roundTo(ms / HOUR_MS, HOURS_DECIMALS);
