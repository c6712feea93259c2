import { median, type Rise, risesIn } from '../moisture/rises.ts';
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

/** A surge of ground water, or a leak along the probe, moistens the deepest slice alone. */
const FRONT_MS = DAY_MS;

/** Capacities of one soil differ less between wettings, and a texture class is seldom that far off. In points. */
const MAX_DIFFERENCE_POINTS = 4;

/** Of the hours between 24 and 48 after a wetting, to be a fair median. */
const MIN_HOURS = 12;

/** `at`: the peak at the deepest slice. `value`: the median of the summary curve while drained, %. */
interface DrainedWetting {
  readonly at: number;
  readonly value: number;
}

interface FieldCapacityInPlace {
  readonly wettings: readonly DrainedWetting[];
  /** Numbers of wettings that cannot be used. */
  readonly unused: { readonly wateredAgain: number; readonly tooRecent: number; readonly gaps: number };
}

/** Counts water that came from above. `hourly`: the unrounded summary curve. Rises of all depths count as water, logged or not. */
export function drainedWettings(
  curves: readonly DepthCurve[],
  hourly: readonly TimedValue[],
  waterings: readonly Period[],
  now: number,
): FieldCapacityInPlace {
  const within = curves.some(({ slice }) => slice !== null) ? curves.filter(({ slice }) => slice !== null) : curves;
  const rises = within.map(({ points, minRise }) => risesIn(points, minRise));
  const shallower = rises.slice(0, -1);
  const wettings: DrainedWetting[] = [];
  const unused = { wateredAgain: 0, tooRecent: 0, gaps: 0 };
  for (const { startAt, peakAt } of rises.at(-1) ?? []) {
    const hasRisenAt = (slice: readonly Rise[]): boolean =>
      slice.some((rise) => rise.peakAt >= startAt - FRONT_MS && rise.startAt <= peakAt);
    if (!shallower.every(hasRisenAt)) continue;
    const until = peakAt + DRAINED_UNTIL_MS;
    const isWatered = waterings.some(({ start, end }) => end > peakAt && start < Math.min(until, now));
    const hasRisen = rises.flat().some((rise) => rise.startAt > peakAt && rise.startAt < until);
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

/** Why what soil held after its wettings may not be its field capacity. */
type CapacityDoubt = 'tooLow' | 'tooWide';

/** `inForce` in %: small waterings leave soil below field capacity, and so do wettings that differ widely. */
export function doubtCapacity(
  { value, least, most }: NonNullable<ReturnType<typeof fieldCapacityOf>>,
  inForce: number | null,
): CapacityDoubt | null {
  if (inForce !== null && inForce - value > MAX_DIFFERENCE_POINTS) return 'tooLow';
  return most - least > MAX_DIFFERENCE_POINTS ? 'tooWide' : null;
}
