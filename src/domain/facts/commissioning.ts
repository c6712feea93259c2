import { DAY_MS } from '../periods.ts';

/** Since when a probe stands in the soil. */
export interface CommissioningFacts {
  readonly at: number;
  /** Nobody said when, so that this is when it was entered. */
  readonly isAssumed: boolean;
}

/**
 * The soil around a new probe settles, and closes the gaps of its hole, which reads as a rise. An
 * assumption: a week, with a watering or two.
 */
const SETTLING_MS = 7 * DAY_MS;

/** False if nothing is known, and before a date still to come. */
export const isInFirstWeek = (commissioning: CommissioningFacts | null, at: number): boolean =>
  commissioning !== null && at >= commissioning.at && at < commissioning.at + SETTLING_MS;

/** True if its date was entered, so that not just its entry is new. */
export const isSettlingAt = (commissioning: CommissioningFacts | null, at: number): boolean =>
  commissioning?.isAssumed === false && isInFirstWeek(commissioning, at);
