import { type AlertPoint, type AlertRule, belowThreshold, type Episode, foldAlert } from './alert.ts';
import { FRESH_MS } from './coverage.ts';
import { rounded } from './decimal.ts';
import type { Period } from './intervals.ts';
import { remindersWithin } from './reminder.ts';

const HOUR_MS = 3_600_000;
const HOURS_DECIMALS = 1;

/** What is tried on a past: a rule, and the reminder's local time HH:MM:SS in a zone. */
export interface AlertTrial extends AlertRule {
  readonly reminderTime: string;
  readonly timezone: string;
}

export interface ReplayedEpisode extends Episode {
  /** Time that the newest value was below the threshold, in hours. */
  readonly hoursBelow: number;
  /** Reminders sent during it. */
  readonly reminders: number;
}

/** What an alert would have done; the figures of all episodes together. */
export interface AlertReplay {
  readonly episodes: readonly ReplayedEpisode[];
  readonly hoursBelow: number;
  readonly reminders: number;
}

/** Points that are gone through in one go. */
const POINTS_A_STEP = 4_096;

/**
 * What an alert that is quiet at the start of a period (ms, end excluded) makes of the points in it, by the fold that
 * watches. A value holds until the next one, at most as long as data are fresh; an episode goes on through staleness.
 * After each step there is a pause, in which whoever runs it may do something else, or leave off.
 */
export function* replayInSteps(
  trial: AlertTrial,
  points: readonly AlertPoint[],
  period: Period,
): Generator<undefined, AlertReplay> {
  const inPeriod = points.filter(({ at }) => at >= period.start && at < period.end);
  const episodes: Episode[] = [];
  for (let from = 0; from < inPeriod.length; from += POINTS_A_STEP) {
    const open = episodes.at(-1)?.end === null ? episodes.pop()! : null;
    episodes.push(...foldAlert(trial, inPeriod.slice(from, from + POINTS_A_STEP), open).episodes);
    yield;
  }
  const belowMs = yield* timesBelow(trial, inPeriod, episodes, period.end);
  const replayed = episodes.map((episode, index) => ({
    ...episode,
    hoursBelow: hours(belowMs[index]!),
    reminders: remindersWithin(episode.start, episode.end ?? period.end, trial.reminderTime, trial.timezone).length,
  }));
  return {
    episodes: replayed,
    hoursBelow: hours(belowMs.reduce((sum, each) => sum + each, 0)),
    reminders: replayed.reduce((sum, { reminders }) => sum + reminders, 0),
  };
}

/** How long (ms) each episode's newest value was below the threshold. No other time is: what is below it fires. */
function* timesBelow(
  rule: AlertRule,
  points: readonly AlertPoint[],
  episodes: readonly Episode[],
  endAt: number,
): Generator<undefined, number[]> {
  const isBelow = belowThreshold(rule);
  const valued = points.filter((point) => point.value !== null);
  const times = episodes.map(() => 0);
  let episode = 0;
  for (const [index, { at, value }] of valued.entries()) {
    if (index % POINTS_A_STEP === POINTS_A_STEP - 1) yield;
    if (!isBelow(value!)) continue;
    while (episodes[episode]!.end !== null && episodes[episode]!.end! <= at) episode++;
    times[episode]! += Math.min(valued[index + 1]?.at ?? endAt, at + FRESH_MS, endAt) - at;
  }
  return times;
}

const hours = (ms: number): number => rounded(ms / HOUR_MS, HOURS_DECIMALS);
