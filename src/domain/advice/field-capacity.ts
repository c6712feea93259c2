import { sumDoses } from '../irrigation/dose.ts';
import { itemAt } from '../items.ts';
import type { TimedValue } from '../moisture/series.ts';
import type { WettingEvent } from '../moisture/wetting-events.ts';
import { DAY_MS, type Period } from '../periods.ts';
import { median } from '../statistics.ts';
import { type DepthCurve, wettingEventsOfCurve } from './watering-response.ts';

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
  /** Waterings gave the soil at least what it lacked up to its present field capacity. */
  readonly isFilled: boolean;
}

/** When a watering ran, and its mm over the wetted part; null if unknown. */
export interface GivenWater extends Period {
  readonly wettedMm: number | null;
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

/** How deep a probe measures its roots, and what that soil is taken to hold. */
export interface PresentSoil {
  /** In %; null if unknown. */
  readonly fieldCapacity: number | null;
  /** Null where every depth counts. */
  readonly rootDepthCm: number | null;
}

/**
 * Uses only wettings that came from above, by waterings or by rises at any depth, logged or not.
 * Frozen soil reads too dry, and rises when it thaws, so that neither counts. `hourlyCurve` is the
 * unrounded summary curve.
 */
export function drainedWettings(
  curves: readonly DepthCurve[],
  hourlyCurve: readonly TimedValue[],
  waterings: readonly GivenWater[],
  { now, soil }: { readonly now: number; readonly soil: PresentSoil },
): FieldCapacityInPlace {
  // Sensors without a slice are outside of the root zone, unless no slice is known.
  const usedCurves = curves.some(({ slice }) => slice !== null)
    ? curves.filter(({ slice }) => slice !== null)
    : curves;
  const wettingEvents = usedCurves.map((curve) => wettingEventsOfCurve(curve));
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
    else {
      const from = startAt - MAX_FRONT_MS;
      const given = waterings.filter(({ start, end }) => end > from && start <= peakAt);
      const before = hourlyCurve.findLast(({ at }) => at < Math.min(startAt, given[0]?.start ?? 0));
      const lackMm = before === undefined ? null : lackOf(before.value, usedCurves, soil);
      const givenMm = sumDoses(given.map(({ wettedMm }) => wettedMm));
      const isFilled = lackMm !== null && givenMm !== null && givenMm >= lackMm;
      wettings.push({ at: peakAt, value: median(values), isFilled });
    }
  }

  return { wettings, unused };
}

/** In mm; null where nobody knows, or where the deepest sensor tells little of the roots. */
function lackOf(
  moisture: number,
  curves: readonly DepthCurve[],
  { fieldCapacity, rootDepthCm }: PresentSoil,
): number | null {
  const deepestCm = Math.max(...curves.map(({ depthCm }) => depthCm));
  const rootsCm = rootDepthCm ?? deepestCm;
  if (fieldCapacity === null || deepestCm < rootsCm / 2) return null;
  return (Math.max(0, fieldCapacity - moisture) / 100) * rootsCm * 10;
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

/** What is known of the field capacity that counts now. */
interface PresentCapacity {
  /** In %; null if unknown. */
  readonly fieldCapacity: number | null;
  readonly isClass: boolean;
}

/** Lower by less is as good as equal. */
const MAX_BELOW_CLASS_POINTS = 2;

/**
 * A value far below the current field capacity means waterings too small to fill the soil, and so
 * does one below that of a texture class, unless each watering gave more than the soil lacked. Those
 * that differ widely did not all fill it.
 */
export function doubtCapacity(
  { value, least, most }: MeasuredCapacity,
  { fieldCapacity, isClass }: PresentCapacity,
  wettings: readonly DrainedWetting[],
): CapacityDoubt | null {
  const below = fieldCapacity === null ? 0 : fieldCapacity - value;
  const isLow = below > (isClass ? MAX_BELOW_CLASS_POINTS : MAX_DIFFERENCE_POINTS);
  if (isLow && !(isClass && wettings.every(({ isFilled }) => isFilled))) return 'tooLow';
  return most - least > MAX_DIFFERENCE_POINTS ? 'tooWide' : null;
}

/** Wettings that differ more are not asked about. */
const MAX_OFFERED_SPREAD_POINTS = 2;
/** From the class: less changes no amount, more above it may be salt or standing water. */
const OFFERED_DIFFERENCE_POINTS = { least: 1, mostAbove: 8 };

/**
 * The capacity in place of that of the class (%), about which a person is to be asked; null for
 * none. A sensor that drifts with salt reads more after each wetting.
 */
export function offeredCapacity(
  wettings: readonly DrainedWetting[],
  classCapacity: number,
): number | null {
  const found = fieldCapacityOf(wettings);
  if (found === null || found.most - found.least > MAX_OFFERED_SPREAD_POINTS) return null;
  if (doubtCapacity(found, { fieldCapacity: classCapacity, isClass: true }, wettings)) return null;

  const above = found.value - classCapacity;
  const { least, mostAbove } = OFFERED_DIFFERENCE_POINTS;
  if (Math.abs(above) < least || above > mostAbove) return null;
  const values = wettings.map(({ value }) => value);
  const rises = values.slice(1).every((value, index) => value > itemAt(values, index));
  return above > 0 && rises ? null : found.value;
}
