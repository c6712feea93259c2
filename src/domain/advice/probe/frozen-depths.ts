import type { ProbeFacts, StateFacts } from '../../facts/probe-facts.ts';
import {
  frozenByThermometers,
  THAW_MS,
  type Thermometer,
  thermometerAt,
  thermometersInSoil,
} from '../../facts/soil-temperature.ts';
import { type DepthsCm, isMostlyUnusable, withoutValuesAt } from '../../facts/trusted-depths.ts';
import type { WeatherFacts } from '../../facts/weather-facts.ts';
import { LocalDay } from '../../local-day.ts';
import { isFreshAt } from '../../moisture/coverage.ts';
import type { Period } from '../../periods.ts';
import { isFrozen } from '../../soil/frozen-soil.ts';
import { airTemperatures, meanAirTemperature } from '../../weather/air-temperature.ts';
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

/** Leaves out frozen depths; null if these are most of the curve. */
export function unfrozenState(facts: ProbeFacts, farm: FarmConditions): StateFacts | null {
  const frozen = frozenDepths(facts, farm);
  return isMostlyUnusable(facts.recent.depths, frozen)
    ? null
    : withoutValuesAt(facts, frozen, farm.now).state;
}

/**
 * Frost that lasts some days reaches this deep in bare moist soil, and stops above it under snow or
 * a crop, so that a mean of the air over five days judges only what is shallower.
 */
const FROZEN_BY_AIR_ABOVE_CM = 30;
export const DAYS_OF_FROST = 5;
const MAX_FROST_CELSIUS = 0;

/** `celsius` is the mean of the air over the last `DAYS_OF_FROST`; null if unknown. */
const isFrozenByAir = (depthCm: number, celsius: number | null): boolean =>
  depthCm < FROZEN_BY_AIR_ABOVE_CM && celsius !== null && celsius <= MAX_FROST_CELSIUS;

interface SoilClimate {
  readonly thermometers: readonly Thermometer[];
  /** The days of the period and the `DAYS_OF_FROST` before it. */
  readonly weather: Pick<WeatherFacts, 'data' | 'forecast'>;
  readonly zone: string;
}

/** When the soil at a depth was frozen or thawing: by its thermometers, else by the air. */
export function frozenIn(
  period: Period,
  { thermometers, weather, zone }: SoilClimate,
): (depthCm: number) => readonly Period[] {
  const inSoil = thermometersInSoil(thermometers).filter(({ points }) => points.length > 0);
  if (inSoil.length > 0) return frozenByThermometers(inSoil);

  const air = airTemperatures(weather);
  const days = LocalDay.at(period.start, zone)
    .until(LocalDay.at(period.end, zone))
    .map((day) => ({
      start: day.startIn(zone),
      end: day.next().startIn(zone) + THAW_MS,
      celsius: meanAirTemperature(air, day, DAYS_OF_FROST),
    }));
  return (depthCm) => days.filter(({ celsius }) => isFrozenByAir(depthCm, celsius));
}
