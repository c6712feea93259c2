import { itemAt } from '../items.ts';
import { HOUR_MS } from '../periods.ts';
import { medianDeviation } from '../statistics.ts';
import type { TimedValue } from './series.ts';
import { WindowExtreme } from './window-extreme.ts';

/**
 * A rise of moisture caused by water, not by sensor noise or the daily swing of soil temperature.
 */
export interface WettingEvent {
  readonly from: number;
  readonly startAt: number;
  readonly peak: number;
  readonly peakAt: number;
}

export const riseHeight = ({ from, peak }: WettingEvent): number => peak - from;

/** Longer than a wetting front takes to pass a sensor. */
const STEP_LENGTH_MS = 3 * HOUR_MS;

/**
 * A climb starts from the lowest value within this time, and ends after this long without a new
 * high.
 */
const CLIMB_WINDOW_MS = 12 * HOUR_MS;

/** The smallest climb of any sensor. Many sensors report steps of half of it or less. */
const MIN_RISE_POINTS = 0.3;

/**
 * A climb is at least this multiple of the usual change in three hours. A daily swing changes by at
 * most 0.77 of its half height in three hours, and usually by 0.8 (median x 1.4826), so that its
 * whole height is 2.5 times the usual change.
 */
const NOISE_FACTOR = 3;

/** Standard deviation of a normal distribution over its median absolute deviation. */
const MEDIAN_DEVIATION_TO_SIGMA = 1.4826;

/** The coarsest sensors report whole points; a larger step is a real change of moisture. */
const MAX_SENSOR_STEP_POINTS = 1;

/** Smaller differences are errors of arithmetic: a rise of just the least height counts. */
const ROUNDING_POINTS = 1e-6;

/** Smaller differences come from floating-point arithmetic and the rounding of means. */
const MIN_SENSOR_STEP_POINTS = 0.001;

/**
 * The height in points, from the median absolute deviation of the curve's changes. For a coarse
 * sensor that deviation is 0 or a multiple of its step, so half a step, the rounding error, is
 * added. For means of readings `sensorStep` must be that of the readings.
 */
export function minRiseHeight(
  points: readonly TimedValue[],
  sensorStep = smallestSensorStep(points),
): number {
  const steps = changesOverStep(points);
  if (steps.length === 0) return MIN_RISE_POINTS;
  const deviation = medianDeviation(steps) + sensorStep / 2;
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

function changesOverStep(points: readonly TimedValue[]): number[] {
  const steps: number[] = [];
  let before = 0;
  for (const { at, value } of points) {
    while ((points[before + 1]?.at ?? at) <= at - STEP_LENGTH_MS) before++;
    const gapMs = at - itemAt(points, before).at;
    if (gapMs >= STEP_LENGTH_MS && gapMs < 2 * STEP_LENGTH_MS)
      steps.push(value - itemAt(points, before).value);
  }
  return steps;
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
  windowMs: number = CLIMB_WINDOW_MS,
): WettingEvent[] {
  const wettingEvents: WettingEvent[] = [];
  const lowestHeight = minHeight - ROUNDING_POINTS;
  const lowest = WindowExtreme.lowest(points);
  let begin = 0;
  for (let index = 1; index + 1 < points.length; index++) {
    lowest.add(index - 1);
    const { at, value } = itemAt(points, index);
    const lowIndex = lowest.since(begin, at - windowMs);
    if (lowIndex === null) continue;

    const from = itemAt(points, lowIndex).value;
    if (value - from < lowestHeight || itemAt(points, index + 1).value - from < lowestHeight)
      continue;

    const { peak, end } = followClimb(points, index, minHeight, windowMs);
    const start = indexOfClimbStart(points, lowIndex, index);
    wettingEvents.push({
      from,
      startAt: itemAt(points, start).at,
      peak: itemAt(points, peak).value,
      peakAt: itemAt(points, peak).at,
    });
    // The rows that are passed over lie before the next window.
    begin = end;
    index = end;
  }

  return wettingEvents;
}

function indexOfClimbStart(points: readonly TimedValue[], lowIndex: number, index: number): number {
  let foot = index;
  while (foot - 1 > lowIndex && itemAt(points, foot - 1).value < itemAt(points, foot).value) foot--;
  return foot;
}

function followClimb(
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
    if (value > itemAt(points, peak).value + ROUNDING_POINTS) peak = end;
  }
  return { peak, end };
}
