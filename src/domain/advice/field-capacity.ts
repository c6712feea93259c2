import { median, risesIn } from '../moisture/rises.ts';
import type { TimedValue } from '../moisture/series.ts';
import { DAY_MS, type Period } from '../periods.ts';
import type { DepthCurve } from './watering-response.ts';

/**
 * Field capacity in place: what soil that was wetted throughout still holds when fast drainage has ended, one to two
 * days later. Source: L. Zotarelli, M. D. Dukes & K. T. Morgan (2010), Interpretation of Soil Moisture Content to
 * Determine Soil Field Capacity and Avoid Over-Irrigating Sandy Soils Using Soil Moisture Sensors, UF/IFAS AE460.
 */
const DRAINED_AFTER_MS = DAY_MS;
const DRAINED_UNTIL_MS = 2 * DAY_MS;

export const MIN_DRAINED_WETTINGS = 3;

/** Of the hours between 24 and 48 after a wetting, to be a fair median. */
const MIN_HOURS = 12;

/** `at`: the peak at the deepest slice. `value`: the median of the summary curve while drained, %. */
export interface DrainedWetting {
  readonly at: number;
  readonly value: number;
}

export interface FieldCapacityInPlace {
  readonly wettings: readonly DrainedWetting[];
  /** Numbers of wettings that cannot be used. */
  readonly unused: { readonly wateredAgain: number; readonly tooRecent: number; readonly gaps: number };
}

/** `hourly`: the unrounded summary curve. Rises of all depths count as water, logged or not. */
export function drainedWettings(
  curves: readonly DepthCurve[],
  hourly: readonly TimedValue[],
  waterings: readonly Period[],
  now: number,
): FieldCapacityInPlace {
  const within = curves.some(({ slice }) => slice !== null) ? curves.filter(({ slice }) => slice !== null) : curves;
  const rises = within.map(({ points, minRise }) => risesIn(points, minRise));
  const wettings: DrainedWetting[] = [];
  const unused = { wateredAgain: 0, tooRecent: 0, gaps: 0 };
  for (const { peakAt } of rises.at(-1) ?? []) {
    const until = peakAt + DRAINED_UNTIL_MS;
    const isWatered = waterings.some(({ start, end }) => end > peakAt && start < Math.min(until, now));
    const hasRisen = rises.flat().some(({ startAt }) => startAt > peakAt && startAt < until);
    const values = hourly.flatMap(({ at, value }) => (at >= peakAt + DRAINED_AFTER_MS && at <= until ? [value] : []));
    if (isWatered || hasRisen) unused.wateredAgain++;
    else if (until > now) unused.tooRecent++;
    else if (values.length < MIN_HOURS) unused.gaps++;
    else wettings.push({ at: peakAt, value: median(values) });
  }
  return { wettings, unused };
}

/** Null for fewer than three wettings. */
export function fieldCapacityOf(wettings: readonly DrainedWetting[]) {
  if (wettings.length < MIN_DRAINED_WETTINGS) return null;
  const values = wettings.map(({ value }) => value);
  return { value: median(values), least: Math.min(...values), most: Math.max(...values) };
}
