import type { ProbeFacts, StateFacts } from '../../facts/probe-facts.ts';
import { thermometerAt } from '../../facts/soil-temperature.ts';
import { type DepthsCm, withoutValuesAt } from '../../facts/trusted-depths.ts';
import { isFreshAt } from '../../moisture/coverage.ts';
import { isFrozen } from '../../soil/frozen-soil.ts';
import { DAYS_OF_FROST, isFrozenByAir } from '../frozen-soil.ts';
import { isMostlyUnusable } from './advice-reasons.ts';
import type { FarmConditions } from './farm-conditions.ts';

/**
 * Depths whose sensors may stand in ice and then show too little water: by the thermometers of the
 * probe, or by the air where it has none in the soil.
 */
export function frozenDepths(
  { recent, soilTemperatures }: Pick<ProbeFacts, 'recent' | 'soilTemperatures'>,
  farm: FarmConditions,
): DepthsCm {
  const depthsCm = recent.depths.map(({ depthCm }) => depthCm);
  const fresh = soilTemperatures.filter(({ at }) => isFreshAt(at, farm.now));
  if (fresh.length > 0)
    return new Set(
      depthsCm.filter((depthCm) => {
        const thermometer = thermometerAt(fresh, depthCm);
        return thermometer !== undefined && isFrozen(thermometer.celsius);
      }),
    );

  const celsius = farm.meanAirTemperature(DAYS_OF_FROST);
  return new Set(depthsCm.filter((depthCm) => isFrozenByAir(depthCm, celsius)));
}

/** Without frozen depths; null where these are most of the curve. */
export function unfrozenState(facts: ProbeFacts, farm: FarmConditions): StateFacts | null {
  const frozen = frozenDepths(facts, farm);
  return isMostlyUnusable(facts.recent.depths, frozen)
    ? null
    : withoutValuesAt(facts, frozen, farm.now).state;
}
