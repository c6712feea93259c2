import { addDecimals, compareWithDecimal } from '../decimal.ts';
import { readingAge } from '../moisture/coverage.ts';
import type { SeriesPoint } from '../moisture/series.ts';

/** Decimal texts in % of volume. */
export interface AlertRule {
  readonly threshold: string;
  readonly hysteresis: string;
}

/** Used for an alert where the request names no other value. */
export const ALERT_DEFAULTS = { hysteresis: '5', reminderTime: '08:00:00' } as const;

/** `start` and `end` are sampling cycles in ms; `end` is null while open. */
export interface AlertEpisode {
  readonly start: number;
  readonly end: number | null;
  readonly lowest: number;
}

export const resolutionThreshold = ({ threshold, hysteresis }: AlertRule): string =>
  addDecimals(threshold, hysteresis);

export function belowThreshold({ threshold }: AlertRule): (value: number) => boolean {
  const order = compareWithDecimal(threshold);
  return (value) => order(value) < 0;
}

/** A stale alert keeps firing, or not, until fresh readings decide. */
export function alertStatus(
  { since, evaluatedAt }: { readonly since: number | null; readonly evaluatedAt: number | null },
  now: number,
): 'quiet' | 'firing' | 'stale' {
  if (evaluatedAt !== null && !readingAge(evaluatedAt, now).isFresh) return 'stale';
  return since === null ? 'quiet' : 'firing';
}

/** Source: spec, "Events", rules 1 and 2. `points` are oldest first. */
export function alertEpisodes(
  rule: AlertRule,
  points: Iterable<SeriesPoint>,
  open: AlertEpisode | null = null,
): AlertEpisode[] {
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

  return episode === null ? episodes : [...episodes, episode];
}
