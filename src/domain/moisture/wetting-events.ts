import { itemAt } from '../items.ts';
import { HOUR_MS } from '../periods.ts';
import { medianDeviation } from '../statistics.ts';
import type { TimedValue } from './series.ts';
import { WindowExtreme } from './window-extreme.ts';

/**
 * A rise of moisture caused by water, not by sensor noise or the daily swing of soil temperature.
 */
export interface WettingEvent {
  /** Moisture in % before and at the end of the rise. */
  readonly from: number;
  readonly peak: number;
  readonly startAt: number;
  readonly peakAt: number;
}

export const riseHeight = ({ from, peak }: WettingEvent): number => peak - from;

/** Changes are compared over this long, which is longer than a wetting front takes to pass a sensor. */
const CHANGE_SPAN_MS = 3 * HOUR_MS;

/** A rise starts from the lowest value within this time, and ends after this long without a new high. */
const RISE_WINDOW_MS = 12 * HOUR_MS;

/** The least rise for any sensor. Many sensors report steps of half of it or less. */
const MIN_RISE_POINTS = 0.3;

/**
 * The least rise in standard deviations of the changes in three hours. With a daily swing of 2 A from
 * low to high, the median of these changes is 0.54 A and the standard deviation that follows from it
 * 0.8 A, so that the swing itself has 2.5 of them.
 */
const NOISE_FACTOR = 3;

/** Standard deviation of a normal distribution over its median absolute deviation. */
const MEDIAN_DEVIATION_TO_SIGMA = 1.4826;

/** The coarsest sensors report whole points; a larger step is a real change of moisture. */
const MAX_SENSOR_STEP_POINTS = 1;

/**
 * Makes up for rounding, so that a rise of exactly the least height counts, and equal values are
 * equal in each store.
 */
const ROUNDING_POINTS = 1e-6;

/** Smaller differences come from floating-point arithmetic and the rounding of means. */
const MIN_SENSOR_STEP_POINTS = 0.001;

/**
 * The least height of a wetting event in points, from the median absolute deviation of the changes of
 * the curve. For a coarse sensor that deviation is 0 or a multiple of its step, so half a step, the
 * rounding error, is added. For a curve of means, `sensorStep` has to be the step of the readings.
 */
export function minRiseHeight(
  points: readonly TimedValue[],
  sensorStep = smallestSensorStep(points),
): number {
  const changes = changesInThreeHours(points);
  if (changes.length === 0) return MIN_RISE_POINTS;

  const deviation = medianDeviation(changes) + sensorStep / 2;
  return Math.max(MIN_RISE_POINTS, NOISE_FACTOR * MEDIAN_DEVIATION_TO_SIGMA * deviation);
}

/** 0 for a constant curve. */
export function smallestSensorStep(points: readonly TimedValue[]): number {
  let smallest = MAX_SENSOR_STEP_POINTS;
  let isConstant = true;
  for (let index = 1; index < points.length; index++) {
    const step = Math.abs(itemAt(points, index).value - itemAt(points, index - 1).value);
    if (step < MIN_SENSOR_STEP_POINTS) continue;
    isConstant = false;
    smallest = Math.min(smallest, step);
  }
  return isConstant ? 0 : smallest;
}

function changesInThreeHours(points: readonly TimedValue[]): number[] {
  const changes: number[] = [];
  let before = 0;
  for (const { at, value } of points) {
    while ((points[before + 1]?.at ?? at) <= at - CHANGE_SPAN_MS) before++;
    const spanMs = at - itemAt(points, before).at;
    if (spanMs >= CHANGE_SPAN_MS && spanMs < 2 * CHANGE_SPAN_MS)
      changes.push(value - itemAt(points, before).value);
  }
  return changes;
}

interface CurveWettings {
  readonly minHeight: number;
  /** The events of at least this height. */
  readonly events: readonly WettingEvent[];
}

/** By the identity of the array, because nothing changes a curve once it was built. */
const wettingsByCurve = new WeakMap<readonly TimedValue[], CurveWettings>();

/** Several rules ask for the events of the same array, so they are found once. */
export function wettingsOfCurve(points: readonly TimedValue[]): CurveWettings {
  const known = wettingsByCurve.get(points);
  if (known !== undefined) return known;

  const minHeight = minRiseHeight(points);
  const wettings = { minHeight, events: wettingEventsIn(points, minHeight) };
  wettingsByCurve.set(points, wettings);
  return wettings;
}

/** Ignores single outliers: the point after the first high one must be high too. */
export function wettingEventsIn(
  points: readonly TimedValue[],
  minHeight: number,
  windowMs: number = RISE_WINDOW_MS,
): WettingEvent[] {
  const wettingEvents: WettingEvent[] = [];
  const countedHeight = minHeight - ROUNDING_POINTS;
  const lowest = WindowExtreme.lowest(points);
  let windowStart = 0;
  for (let index = 1; index + 1 < points.length; index++) {
    lowest.add(index - 1);
    const { at, value } = itemAt(points, index);
    const lowIndex = lowest.since(windowStart, at - windowMs);
    if (lowIndex === null) continue;

    const from = itemAt(points, lowIndex).value;
    const next = itemAt(points, index + 1).value;
    if (value - from < countedHeight || next - from < countedHeight) continue;

    const { peak, end } = followRise(points, index, minHeight, windowMs);
    const start = indexOfRiseStart(points, lowIndex, index);
    wettingEvents.push({
      from,
      startAt: itemAt(points, start).at,
      peak: itemAt(points, peak).value,
      peakAt: itemAt(points, peak).at,
    });
    // `lowest` does without the rows that are passed over: the next window starts after them.
    windowStart = end;
    index = end;
  }

  return wettingEvents;
}

/** The first point from which values only rise until `index`. */
function indexOfRiseStart(points: readonly TimedValue[], lowIndex: number, index: number): number {
  let start = index;
  while (start - 1 > lowIndex && rises(itemAt(points, start - 1), itemAt(points, start))) start--;
  return start;
}

const rises = (before: TimedValue, after: TimedValue): boolean =>
  after.value - before.value > ROUNDING_POINTS;

/** The rise ends where it has fallen by `minHeight` from its peak, or found no higher one in time. */
function followRise(
  points: readonly TimedValue[],
  index: number,
  minHeight: number,
  windowMs: number,
): { peak: number; end: number } {
  let peak = index;
  let end = index;
  for (; end < points.length; end++) {
    const { at, value } = itemAt(points, end);
    if (itemAt(points, peak).value - value > minHeight || at - itemAt(points, peak).at > windowMs)
      break;
    if (rises(itemAt(points, peak), itemAt(points, end))) peak = end;
  }
  return { peak, end };
}
