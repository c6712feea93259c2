import { addDecimals, compareWithDecimal } from '../decimal.ts';
import type { SeriesPoint } from '../moisture/series.ts';

/**
 * The state machine of an alert: it fires when moisture falls below the threshold and resolves at threshold + hysteresis
 * or above. Source: spec, "Events", rules 1 and 2.
 */

/** Decimal texts: the threshold in % of volume, the hysteresis in percentage points. */
export interface AlertRule {
  readonly threshold: string;
  readonly hysteresis: string;
}

/** A time of firing, in ms: from the round that proves it to the one that resolves it, null while it is open. */
export interface AlertEpisode {
  readonly start: number;
  readonly end: number | null;
  /** The least value from start on and before end, in % of volume. */
  readonly lowest: number;
}

/** What points made of an alert: its episodes in order, of which the last is open while it is firing. */
export interface AlertHistory {
  readonly isFiring: boolean;
  /** Start of the open episode. */
  readonly since: number | null;
  /** The least value of the open episode. */
  readonly lowest: number | null;
  readonly episodes: readonly AlertEpisode[];
}

/** The level that an alert resolves at, as decimal text in % of volume. */
export const resolutionThreshold = ({ threshold, hysteresis }: AlertRule): string => addDecimals(threshold, hysteresis);

/** Whether a value is below the threshold of a rule. */
export function belowThreshold({ threshold }: AlertRule): (value: number) => boolean {
  const order = compareWithDecimal(threshold);
  return (value) => order(value) < 0;
}

/**
 * What points, in order of time, make of an alert that was quiet, or that had the episode `open`, before them. The open
 * one is the first of the episodes then, ended or not.
 */
export function computeAlertHistory(
  rule: AlertRule,
  points: Iterable<SeriesPoint>,
  open: AlertEpisode | null = null,
): AlertHistory {
  const fires = belowThreshold(rule);
  const compareWithResolution = compareWithDecimal(resolutionThreshold(rule));
  const episodes: AlertEpisode[] = [];
  let episode = open;
  for (const { at, value } of points) {
    if (value === null) continue;
    if (episode === null) {
      if (fires(value)) episode = { start: at, end: null, lowest: value };
    } else if (compareWithResolution(value) >= 0) {
      episodes.push({ ...episode, end: at });
      episode = null;
    } else if (value < episode.lowest) episode = { ...episode, lowest: value };
  }
  if (episode !== null) episodes.push(episode);
  return { isFiring: episode !== null, since: episode?.start ?? null, lowest: episode?.lowest ?? null, episodes };
}
