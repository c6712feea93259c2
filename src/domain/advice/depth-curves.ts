import type { DepthFacts, ProbeSeries } from '../facts/probe-facts.ts';
import {
  LEAST_TENSION_RESPONSE,
  TENSION_CLIMB_MS,
  wetnessPoints,
} from '../moisture/tension/tension-wetness.ts';
import { minRiseHeight, smallestSensorStep } from '../moisture/wetting-events.ts';
import type { Period } from '../periods.ts';
import { shiftToDrawnCapacity } from '../soil/soil-profile.ts';
import type { DepthCurve } from './watering-response.ts';

/** The smallest step in points between readings of a depth in cm, for each depth that has one. */
export function sensorSteps({ depths }: ProbeSeries): Map<number, number> {
  const steps = new Map<number, number>();
  for (const { depthCm, points } of depths) {
    const step = smallestSensorStep(points);
    if (step > 0) steps.set(depthCm, step);
  }
  return steps;
}

interface CurveFacts {
  /** In m3/m3. */
  readonly drawnCapacity?: number | null;
  /** When the soil at a depth was frozen or thawing. */
  readonly frozenAt?: (depthCm: number) => readonly Period[];
  /** Of the means; default: an hour. */
  readonly spanMs?: number;
}

/**
 * The depths of a series of means. The least height of a rise follows from the noise of the means
 * and from the steps of the readings, because means have smaller steps than a coarse sensor. A
 * drawn field capacity (m3/m3) shifts those of the depths, and is that of depths without a layer.
 */
export const depthCurves = (
  depths: readonly DepthFacts[],
  steps: ReadonlyMap<number, number>,
  { drawnCapacity = null, frozenAt = () => [], spanMs }: CurveFacts = {},
): DepthCurve[] =>
  shiftToDrawnCapacity(depths, drawnCapacity).map(({ depthCm, slice, fieldCapacity, points }) => ({
    depthCm,
    slice,
    fieldCapacity: fieldCapacity ?? drawnCapacity,
    points,
    spanMs,
    minRise: minRiseHeight(points, steps.get(depthCm)),
    frozen: frozenAt(depthCm),
  }));

/** The values are on the scale of `wetnessOf`, so that a fall of tension by a fifth is a rise. */
export const tensionCurves = (
  depths: readonly Pick<DepthFacts, 'depthCm' | 'points'>[],
  { frozenAt = () => [], spanMs }: Omit<CurveFacts, 'drawnCapacity'>,
): DepthCurve[] =>
  depths.map(({ depthCm, points }) => ({
    depthCm,
    slice: null,
    fieldCapacity: null,
    points: wetnessPoints(points),
    spanMs,
    minRise: LEAST_TENSION_RESPONSE,
    climbMs: TENSION_CLIMB_MS,
    frozen: frozenAt(depthCm),
  }));
