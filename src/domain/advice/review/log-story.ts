import type { ResponseFacts } from '../../facts/response-facts.ts';
import { LocalDay } from '../../local-day.ts';
import { HOUR_MS } from '../../periods.ts';

export interface DoubtedWaterings {
  /** The first start of each local day. */
  readonly startedAt: readonly number[];
  /** The rises that show them at other times. */
  readonly roseAt: readonly number[];
}

/** Those that the advice doubts, so that a review says the same of them, and says it once. */
export function doubtedWaterings({ unseen, logShift, early }: ResponseFacts): DoubtedWaterings {
  if (logShift !== null) return logShift;
  if (unseen !== null) return { startedAt: unseen.startedAt, roseAt: [] };
  return early ?? { startedAt: [], roseAt: [] };
}

/** True if it began on one of the days of these starts. */
export function isOnDayOf(starts: readonly number[], at: number, zone: string): boolean {
  const day = LocalDay.at(at, zone);
  return starts.some((start) => LocalDay.at(start, zone).daysUntil(day) === 0);
}

/** Hourly means and single readings show the same rise at different instants. */
const SAME_RISE_MS = 3 * HOUR_MS;

export const isOneOf = (rises: readonly number[], at: number): boolean =>
  rises.some((rise) => Math.abs(rise - at) <= SAME_RISE_MS);
