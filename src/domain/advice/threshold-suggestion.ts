import type { StateFacts } from '../facts/probe-facts.ts';
import type { TimedValue } from '../moisture/series.ts';
import { stressPointOf } from '../soil/allowed-depletion.ts';
import {
  type CapacityDoubt,
  type DrainedWetting,
  doubtCapacity,
  drainedWettings,
  type FieldCapacityInPlace,
  fieldCapacityOf,
  type GivenWater,
  type MeasuredCapacity,
} from './field-capacity.ts';
import type { DepthCurve } from './watering-response.ts';

export interface SuggestionFacts {
  /** Null without soil moisture. */
  readonly curves: readonly DepthCurve[] | null;
  /** The hourly curve. */
  readonly curve: readonly TimedValue[];
  /** The waterings that were done. */
  readonly given: readonly GivenWater[];
  /** In cm; null where every depth counts. */
  readonly rootDepthCm: number | null;
  readonly state: Pick<StateFacts, 'fieldCapacity' | 'wiltingPoint' | 'allowedDepletion' | 'basis'>;
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
  { curves, curve, given, rootDepthCm, state }: SuggestionFacts,
  now: number,
): ThresholdSuggestion {
  const { fieldCapacity, basis } = state;
  const soil = { fieldCapacity, rootDepthCm };
  const { wettings, unused } = drainedWettings(curves ?? [], curve, given, { now, soil });
  const capacity = fieldCapacityOf(wettings);
  const isClass = basis.fieldCapacity === 'soil_profile';
  const doubt = capacity && doubtCapacity(capacity, { fieldCapacity, isClass }, wettings);

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
