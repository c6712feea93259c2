import type { ProbeFacts } from '../../facts/probe-facts.ts';
import { thermometerAt } from '../../facts/soil-temperature.ts';
import type { DepthsCm } from '../../facts/trusted-depths.ts';
import { isFreshAt } from '../../moisture/coverage.ts';
import { isFrozen } from '../../soil/frozen-soil.ts';
import type { FarmConditions } from './farm-conditions.ts';

/**
 * Frost that lasts some days reaches this deep in bare moist soil, and stops above it under snow or
 * a crop, so that a mean of the air over five days judges only what is shallower.
 */
const FROZEN_BY_AIR_ABOVE_CM = 30;
const DAYS_OF_FROST = 5;
const MAX_FROST_CELSIUS = 0;

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
  return celsius !== null && celsius <= MAX_FROST_CELSIUS
    ? new Set(depthsCm.filter((depthCm) => depthCm < FROZEN_BY_AIR_ABOVE_CM))
    : new Set();
}
