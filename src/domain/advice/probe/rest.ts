import { DRYING_RATE_DAYS, type ProbeFacts, type SetupFacts } from '../../facts/probe-facts.ts';
import { type Reason, type Rest, reasonWith } from '../reason.ts';
import { isAnnualGrowing, isRestKnown, type Season } from '../watering-season.ts';
import type { FarmConditions } from './farm-conditions.ts';

/**
 * Colder than this for two weeks, a crop may be dormant or its field bare. Source: most crops of the
 * temperate zone hardly grow below 5 to 10 degrees C, the base temperatures of their growing
 * degree days.
 */
const REST_ASKED_BELOW_CELSIUS = 8;

type RestInputs = Pick<ProbeFacts, 'soilTemperatures'> & {
  readonly setup: Pick<SetupFacts, 'settings' | 'cropSeason' | 'parcelId'>;
};

/**
 * Nobody has said whether the crop is at rest, and it is cold enough that it may be: by the
 * temperature, or by the calendar where none is known.
 */
function isRestInQuestion({ setup, soilTemperatures }: RestInputs, farm: FarmConditions): boolean {
  if (isRestKnown(setup.settings)) return false;
  const celsius =
    farm.meanAirTemperature(DRYING_RATE_DAYS) ?? soilTemperatures[0]?.meanCelsius ?? null;
  if (celsius !== null) return celsius < REST_ASKED_BELOW_CELSIUS;
  return (
    farm.isWinter() &&
    !farm.isUnderRoof(setup.parcelId) &&
    !isAnnualGrowing(farm.today, setup.cropSeason)
  );
}

/** What is to be said of the season before an amount can be given. */
export function seasonQuestion(inputs: RestInputs, farm: FarmConditions): Reason[] {
  const season = farm.seasonOf(inputs.setup);
  if (season.kind === 'ripe') return [reasonWith('RIPE', { since: season.since })];
  return isRestInQuestion(inputs, farm) ? [reasonWith('REST_UNKNOWN', {})] : [];
}

export function restIn(season: Season): Rest | null {
  switch (season.kind) {
    case 'in_season':
    case 'ripe':
      return null;
    case 'at_rest':
      return { until: season.until, harvestedOn: null };
    case 'harvested':
      return { until: null, harvestedOn: season.on };
  }
}
