import type { DepthFacts } from '../facts/probe-facts.ts';
import {
  LEAST_TENSION_RESPONSE,
  TENSION_CLIMB_MS,
  wetnessPoints,
} from '../moisture/tension/tension-wetness.ts';
import type { Period } from '../periods.ts';
import type { DepthCurve } from './watering-response.ts';

/** On the scale of `wetnessOf`, so that a fall of tension by a fifth is a rise. */
export const tensionCurves = (
  depths: readonly Pick<DepthFacts, 'depthCm' | 'points'>[],
  frozenAt: (depthCm: number) => readonly Period[],
): DepthCurve[] =>
  depths.map(({ depthCm, points }) => ({
    depthCm,
    slice: null,
    fieldCapacity: null,
    points: wetnessPoints(points),
    minRise: LEAST_TENSION_RESPONSE,
    climbMs: TENSION_CLIMB_MS,
    frozen: frozenAt(depthCm),
  }));
