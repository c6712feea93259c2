import { roundTo } from '../decimal.ts';
import { classifyAgronomicState } from '../moisture/agronomic-state.ts';
import { MEASUREMENTS } from '../moisture/measurement.ts';
import type { TimedValue } from '../moisture/series.ts';
import { stressPointOf, THRESHOLD_DECIMALS } from '../soil/allowed-depletion.ts';
import type { DepthFacts, ProbeFacts, StateFacts, SuspectReading } from './probe-facts.ts';
import { curveOfDepths } from './probe-series.ts';

export type DepthsCm = ReadonlySet<number>;

export const suspectDepthsOf = (readings: readonly SuspectReading[]): DepthsCm =>
  new Set(readings.flatMap(({ depthCm }) => depthCm ?? []));

/** Their share of the curve, 0 to 1. */
export const weightOf = (depths: readonly DepthFacts[], depthsCm: DepthsCm): number =>
  depths.reduce((sum, { depthCm, weight }) => sum + (depthsCm.has(depthCm) ? weight : 0), 0);

/**
 * Where depths of so much weight have no value, those that remain cannot stand for the root zone.
 */
const MAX_WEIGHT_WITHOUT_VALUE = 0.5 - 1e-6;

/** True if the depths that remain cannot stand for the root zone. */
export const isMostlyUnusable = (depths: readonly DepthFacts[], unusable: DepthsCm): boolean =>
  unusable.size > 0 && weightOf(depths, unusable) >= MAX_WEIGHT_WITHOUT_VALUE;

/**
 * The facts as they would be if these depths had no value: each slice, the curve, and the state with
 * its thresholds. The series and alerts show the values all the same.
 */
export function withoutValuesAt(facts: ProbeFacts, depthsCm: DepthsCm, now: number): ProbeFacts {
  const { recent, state } = facts;
  if (!recent.depths.some(({ depthCm }) => depthsCm.has(depthCm))) return facts;

  const depths = recent.depths.map((depth) =>
    depthsCm.has(depth.depthCm) ? { ...depth, points: [] } : depth,
  );
  return {
    ...facts,
    recent: { ...recent, depths, curve: curveOfDepths(depths) },
    state: stateOf(state, { all: recent.depths, trusted: depths }, now),
  };
}

interface Depths {
  readonly all: readonly DepthFacts[];
  readonly trusted: readonly DepthFacts[];
}

function stateOf(state: StateFacts, { all, trusted }: Depths, now: number): StateFacts {
  const shiftOf = (name: 'fieldCapacity' | 'wiltingPoint'): number => {
    const [before, after] = [all, trusted].map((depths) => meanOf(depths, (depth) => depth[name]));
    return before == null || after == null ? 0 : after - before;
  };
  const shifted = (name: 'fieldCapacity' | 'wiltingPoint'): number | null => {
    const threshold = state[name];
    return threshold === null ? null : roundTo(threshold + 100 * shiftOf(name), THRESHOLD_DECIMALS);
  };

  const value = meanOf(trusted, newestValue);
  const moisture = value === null ? null : roundTo(value, MEASUREMENTS.humidity.decimals);
  const [fieldCapacity, wiltingPoint] = [shifted('fieldCapacity'), shifted('wiltingPoint')];
  const stressPoint =
    state.stressPoint === null || fieldCapacity === null || wiltingPoint === null
      ? null
      : stressPointOf(fieldCapacity, wiltingPoint, state.allowedDepletion);
  const newest = state.at === null ? null : { at: state.at, value: moisture };

  return {
    ...state,
    moisture,
    fieldCapacity,
    wiltingPoint,
    stressPoint,
    state: classifyAgronomicState(newest, { fieldCapacity, stressPoint }, now),
  };
}

const newestValue = ({ points }: { readonly points: readonly TimedValue[] }): number | null =>
  points.at(-1)?.value ?? null;

/** The mean of the depths with readings, weighted like the curve; null without any. */
function meanOf(
  depths: readonly DepthFacts[],
  figureOf: (depth: DepthFacts) => number | null,
): number | null {
  let sum = 0;
  let total = 0;
  for (const depth of depths) {
    const figure = depth.points.length === 0 ? null : figureOf(depth);
    if (figure === null) continue;
    sum += depth.weight * figure;
    total += depth.weight;
  }
  return total === 0 ? null : sum / total;
}
