import { DAY_MS } from '../../periods.ts';
import type { TimedValue } from '../series.ts';
import { type WettingEvent, wettingEventsIn } from '../wetting-events.ts';

/** A fall by this share shows that water arrived. */
const MIN_FALL_SHARE = 0.2;
/** Smaller falls are daily swings of wet soil. */
const MIN_FALL_KPA = 2;
/** Below it, 2 kPa are the larger fall. */
const SHARE_FROM_KPA = MIN_FALL_KPA / MIN_FALL_SHARE;

/** On the scale of `wetnessOf`. */
export const LEAST_TENSION_RESPONSE = 1;

/** Water that arrives slowly takes hours to wet a dry sensor. */
export const TENSION_CLIMB_MS = DAY_MS;

/**
 * Tension on a scale that rises as soil gets wetter, and on which each least fall that shows water, by
 * a fifth or 2 kPa, has the height 1: so the rules for rises of moisture hold for it.
 */
export function wetnessOf(tension: number): number {
  // Some loggers send the water potential, which is the negative tension.
  const kPa = Math.abs(tension);
  if (kPa <= SHARE_FROM_KPA) return -kPa / MIN_FALL_KPA;
  return (
    -SHARE_FROM_KPA / MIN_FALL_KPA + Math.log(kPa / SHARE_FROM_KPA) / Math.log(1 - MIN_FALL_SHARE)
  );
}

/** The inverse of `wetnessOf`, in kPa. */
export function tensionOfWetness(wetness: number): number {
  const beyond = wetness + SHARE_FROM_KPA / MIN_FALL_KPA;
  return beyond >= 0 ? -MIN_FALL_KPA * wetness : SHARE_FROM_KPA * (1 - MIN_FALL_SHARE) ** beyond;
}

/** Keeps the order of the points, which are tensions. */
export const wetnessPoints = (points: readonly TimedValue[]): TimedValue[] =>
  points.map(({ at, value }) => ({ at, value: wetnessOf(value) }));

/** The falls of tension that show that water arrived; their values are on the scale of wetness. */
export const tensionWettings = (points: readonly TimedValue[]): WettingEvent[] =>
  wettingEventsIn(wetnessPoints(points), LEAST_TENSION_RESPONSE, TENSION_CLIMB_MS);
