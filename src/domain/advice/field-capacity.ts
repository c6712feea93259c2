import type { TimedValue } from '../moisture/series.ts';
import type { WettingEvent } from '../moisture/wetting-events.ts';
import { DAY_MS, type Period } from '../periods.ts';
import { median } from '../statistics.ts';
import { type DepthCurve, wettingEventsOf } from './watering-response.ts';

/**
 * Field capacity in place is the moisture that thoroughly wetted soil still holds when fast
 * drainage has ended, one to two days later. Source: L. Zotarelli, M. D. Dukes & K. T. Morgan
 * (2010), Interpretation of Soil Moisture Content to Determine Soil Field Capacity and Avoid
 * Over-Irrigating Sandy Soils Using Soil Moisture Sensors, UF/IFAS AE460.
 */
const DRAINED_AFTER_MS = DAY_MS;
const DRAINED_UNTIL_MS = 2 * DAY_MS;

export const MIN_DRAINED_WETTINGS = 3;

/**
 * The shallower slices must have risen at most this long before the deepest one: ground water, or a
 * leak along the probe, moistens the deepest slice alone.
 */
const MAX_FRONT_MS = DAY_MS;

/**
 * The capacity of one soil differs by less between wettings, and the figure of a texture class is
 * seldom that far off.
 */
const MAX_DIFFERENCE_POINTS = 4;

/** A probe that is switched on and put into the soil rises at all depths, without any water. */
const SWITCHED_ON_MS = DAY_MS;

/** The median needs at least this many hourly values between 24 and 48 h after a wetting. */
const MIN_DRAINED_VALUES = 12;

export interface DrainedWetting {
  /** The peak at the deepest slice. */
  readonly at: number;
  /** The median of the summary curve while drained, %. */
  readonly value: number;
}

export interface FieldCapacityInPlace {
  readonly wettings: readonly DrainedWetting[];
  /** Numbers of wettings that cannot be used. */
  readonly unused: {
    readonly wateredAgain: number;
    readonly tooRecent: number;
    readonly gaps: number;
  };
}

/**
 * Uses only wettings that came from above, by waterings or by rises at any depth, logged or not.
 * Frozen soil reads too dry, and rises when it thaws, so that neither counts. `hourlyCurve` is the
 * unrounded summary curve.
 */
export function drainedWettings(
  curves: readonly DepthCurve[],
  hourlyCurve: readonly TimedValue[],
  waterings: readonly Period[],
  now: number,
): FieldCapacityInPlace {
  // Sensors without a slice are outside of the root zone, unless no slice is known.
  const usedCurves = curves.some(({ slice }) => slice !== null)
    ? curves.filter(({ slice }) => slice !== null)
    : curves;
  const wettingEvents = usedCurves.map((curve) => wettingEventsOf(curve, curve.points));
  const isFrozenAt = (instant: number): boolean =>
    usedCurves.some(({ frozen }) =>
      frozen.some(({ start, end }) => instant >= start && instant < end),
    );
  const firstAt = Math.min(...usedCurves.flatMap(({ points }) => points[0]?.at ?? []));
  const shallower = wettingEvents.slice(0, -1);
  const wettings: DrainedWetting[] = [];
  const unused = { wateredAgain: 0, tooRecent: 0, gaps: 0 };

  for (const { startAt, peakAt } of wettingEvents.at(-1) ?? []) {
    const hasFrontPassed = (eventsOfSlice: readonly WettingEvent[]): boolean =>
      eventsOfSlice.some(
        (event) => event.peakAt >= startAt - MAX_FRONT_MS && event.startAt <= peakAt,
      );

    if (startAt < firstAt + SWITCHED_ON_MS || !shallower.every(hasFrontPassed)) continue;

    const until = peakAt + DRAINED_UNTIL_MS;
    const isWatered = waterings.some(
      ({ start, end }) => end > peakAt && start < Math.min(until, now),
    );
    const hasRisen = wettingEvents
      .flat()
      .some((event) => event.startAt > peakAt && event.startAt < until);
    const values = hourlyCurve.flatMap(({ at, value }) =>
      at >= peakAt + DRAINED_AFTER_MS && at <= until && !isFrozenAt(at) ? [value] : [],
    );

    if (isWatered || hasRisen) unused.wateredAgain++;
    else if (until > now) unused.tooRecent++;
    else if (values.length < MIN_DRAINED_VALUES) unused.gaps++;
    else wettings.push({ at: peakAt, value: median(values) });
  }

  return { wettings, unused };
}

/** The median and the extremes of the drained wettings, in %. */
export interface MeasuredCapacity {
  readonly value: number;
  readonly least: number;
  readonly most: number;
}

/** Null for fewer than three wettings. */
export function fieldCapacityOf(wettings: readonly DrainedWetting[]): MeasuredCapacity | null {
  if (wettings.length < MIN_DRAINED_WETTINGS) return null;
  const values = wettings.map(({ value }) => value);
  return { value: median(values), least: Math.min(...values), most: Math.max(...values) };
}

/** Why the moisture after wettings may not be the field capacity. */
export type CapacityDoubt = 'tooLow' | 'tooWide';

/**
 * A value far below the current field capacity (%) means waterings too small to fill the soil;
 * wettings that differ widely did not all fill it.
 */
export function doubtCapacity(
  { value, least, most }: MeasuredCapacity,
  currentCapacity: number | null,
): CapacityDoubt | null {
  if (currentCapacity !== null && currentCapacity - value > MAX_DIFFERENCE_POINTS) return 'tooLow';
  return most - least > MAX_DIFFERENCE_POINTS ? 'tooWide' : null;
}
