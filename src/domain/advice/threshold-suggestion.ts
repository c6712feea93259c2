import type { StateFacts } from '../facts/probe-facts.ts';
import type { TimedValue } from '../moisture/series.ts';
import type { Period } from '../periods.ts';
import { stressPointOf } from '../soil/allowed-depletion.ts';
import {
  type CapacityDoubt,
  type DrainedWetting,
  doubtCapacity,
  drainedWettings,
  type FieldCapacityInPlace,
  fieldCapacityOf,
  type MeasuredCapacity,
} from './field-capacity.ts';
import type { DepthCurve } from './watering-response.ts';

export interface SuggestionFacts {
  /** Null without soil moisture. */
  readonly curves: readonly DepthCurve[] | null;
  /** The hourly curve. */
  readonly curve: readonly TimedValue[];
  /** When the waterings ran that were done. */
  readonly runs: readonly Period[];
  readonly state: Pick<StateFacts, 'fieldCapacity' | 'wiltingPoint' | 'allowedDepletion'>;
}

export interface ThresholdSuggestion {
  readonly capacity: MeasuredCapacity | null;
  readonly doubt: CapacityDoubt | 'noMoisture' | null;
  readonly stressPoint: number | null;
  /** Oldest first. */
  readonly wettings: readonly DrainedWetting[];
  readonly unused: FieldCapacityInPlace['unused'];
}

export function thresholdsFromFacts(
  { curves, curve, runs, state }: SuggestionFacts,
  now: number,
): ThresholdSuggestion {
  const { wettings, unused } = drainedWettings(curves ?? [], curve, runs, now);
  const capacity = fieldCapacityOf(wettings);
  const doubt = capacity && doubtCapacity(capacity, state.fieldCapacity);

  return {
    capacity,
    doubt: curves === null ? 'noMoisture' : doubt,
    stressPoint: capacity === null || doubt !== null ? null : stressPointFor(capacity.value, state),
    wettings,
    unused,
  };
}

const stressPointFor = (
  fieldCapacity: number,
  { wiltingPoint, allowedDepletion }: SuggestionFacts['state'],
): number | null =>
  wiltingPoint === null || wiltingPoint >= fieldCapacity
    ? null
    : stressPointOf(fieldCapacity, wiltingPoint, allowedDepletion);
