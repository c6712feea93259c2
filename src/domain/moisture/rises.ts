import { HOUR_MS } from '../periods.ts';
/**
 * Rises of moisture: what water that came from above does to a curve, told apart from the noise of its sensor and from
 * the swing that the soil's temperature gives it each day.
 */

/** A moisture in % of volume and when it stood, in ms. */
export interface MoistureValue {
  readonly at: number;
  readonly value: number;
}

/** A climb of one curve. */
export interface Rise {
  /** Value that it began from. */
  readonly from: number;
  /** First instant above it, in ms. */
  readonly startAt: number;
  readonly peak: number;
  readonly peakAt: number;
}

/** What a curve climbed, in points. */
export const riseHeight = ({ from, peak }: Rise): number => peak - from;

/** Climbs are judged by what a curve does in three hours as a rule, longer than a wetting front takes to pass a sensor. */
const STEP_LENGTH_MS = 3 * HOUR_MS;

/** The lowest value of the last half day is what a climb begins from; after half a day without a new high it has ended. */
const CLIMB_WINDOW_MS = 12 * HOUR_MS;

/** Points of moisture that no climb may stay below, whatever the sensor: the last digit of many, doubled. */
const MIN_RISE_POINTS = 0.3;

/**
 * How many times its usual change in three hours a curve must climb. A daily swing changes by 0.77 times its half height
 * in three hours at most, and by 0.8 times as a rule (median x 1.4826), so that its whole height is 2.5 times that.
 */
const NOISE_FACTOR = 3;

/** Standard deviation of a normal distribution over its median absolute deviation. */
const MAD_TO_SIGMA = 1.4826;

/** The smallest climb, in points, that is one, by what the curve usually does: median absolute deviation of its steps. */
export function minRiseHeight(points: readonly MoistureValue[]): number {
  const steps = changesOverStep(points);
  if (steps.length === 0) return MIN_RISE_POINTS;
  const middle = median(steps);
  return Math.max(MIN_RISE_POINTS, NOISE_FACTOR * MAD_TO_SIGMA * median(steps.map((step) => Math.abs(step - middle))));
}

/** Change of a curve over three hours before each of its points, where a point stands about then. */
function changesOverStep(points: readonly MoistureValue[]): number[] {
  const steps: number[] = [];
  let before = 0;
  for (const { at, value } of points) {
    while ((points[before + 1]?.at ?? at) <= at - STEP_LENGTH_MS) before++;
    const gapMs = at - points[before]!.at;
    if (gapMs >= STEP_LENGTH_MS && gapMs < 2 * STEP_LENGTH_MS) steps.push(value - points[before]!.value);
  }
  return steps;
}

/** Middle of a list that is not empty. */
export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** The climbs of a curve by more than `least` points, in order. A single point that stands out is none. */
export function risesIn(points: readonly MoistureValue[], minHeight: number): Rise[] {
  const rises: Rise[] = [];
  let begin = 0;
  for (let index = 1; index + 1 < points.length; index++) {
    const low = lowestBefore(points, begin, index);
    if (low === null) continue;
    const from = points[low]!.value;
    if (points[index]!.value - from <= minHeight || points[index + 1]!.value - from <= minHeight) continue;
    const { peak, end } = followClimb(points, index, minHeight);
    const start = indexOfClimbStart(points, low, index);
    rises.push({ from, startAt: points[start]!.at, peak: points[peak]!.value, peakAt: points[peak]!.at });
    begin = end;
    index = end;
  }
  return rises;
}

/** The lowest of the points from `begin` on in the half day before a point; of equal ones the last. */
function lowestBefore(points: readonly MoistureValue[], begin: number, index: number): number | null {
  let lowest: number | null = null;
  for (let each = index - 1; each >= begin && points[index]!.at - points[each]!.at <= CLIMB_WINDOW_MS; each--)
    if (lowest === null || points[each]!.value < points[lowest]!.value) lowest = each;
  return lowest;
}

/** The first point of the unbroken way up to `index`. */
function indexOfClimbStart(points: readonly MoistureValue[], low: number, index: number): number {
  let foot = index;
  while (foot - 1 > low && points[foot - 1]!.value < points[foot]!.value) foot--;
  return foot;
}

/** The height of a climb, and the point from which the curve is looked at anew. */
function followClimb(
  points: readonly MoistureValue[],
  index: number,
  minHeight: number,
): { peak: number; end: number } {
  let peak = index;
  let end = index;
  for (; end < points.length; end++) {
    const { at, value } = points[end]!;
    if (points[peak]!.value - value > minHeight || at - points[peak]!.at > CLIMB_WINDOW_MS) break;
    if (value > points[peak]!.value) peak = end;
  }
  return { peak, end };
}
