import type { ResponseFacts } from '../../facts/response-facts.ts';
import { LocalDay } from '../../local-day.ts';
import { HOUR_MS } from '../../periods.ts';
import { areHoursWrong } from '../response/early-rises.ts';

export interface DoubtedWaterings {
  /** The first start of each local day. */
  readonly startedAt: readonly number[];
  /** The rises that show them at other times, or those of the probe with which it was exchanged. */
  readonly roseAt: readonly number[];
}

const NONE: DoubtedWaterings = { startedAt: [], roseAt: [] };

/** Those that the advice doubts, so that a review says the same of them, and says it once. */
export function doubtedWaterings({
  unseen,
  logShift,
  early,
  exchangedWith,
}: ResponseFacts): DoubtedWaterings {
  if (logShift !== null) {
    const { startedAt, roseAt, rises } = logShift;
    return { startedAt, roseAt: exchangedWith === undefined ? roseAt : rises };
  }
  const { startedAt, roseAt } = early && areHoursWrong(early) ? early : NONE;
  return { startedAt: [...(unseen?.startedAt ?? []), ...startedAt], roseAt };
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
