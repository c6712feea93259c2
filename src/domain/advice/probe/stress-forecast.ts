import type { DryingRate } from '../../facts/drying-rate.ts';
import type { StateFacts } from '../../facts/probe-facts.ts';
import type { WeatherFacts } from '../../facts/weather-facts.ts';
import { areThresholdsCrossed } from '../../moisture/agronomic-state.ts';
import { readingAge } from '../../moisture/coverage.ts';
import { DAY_MS } from '../../periods.ts';
import type { ReasonKind } from '../advice-reason.ts';
import { countedDecay, daysUntilStress, expectedPerDay } from './days-until-stress.ts';

export interface StressForecast {
  readonly days: number | null;
  readonly dryingRate: DryingRate | null;
  /** What the curve loses in a coming day, in points; 0 if unknown. */
  readonly pointsPerDay: number;
  /** The moisture in % that an exponential fall approaches; null where the pace alone counts. */
  readonly residual: number | null;
  /** Expected demand of the air in % of that of the last two weeks; null if nothing says it. */
  readonly demandPercent: number | null;
  /** Null if the demand does not follow from the weather. */
  readonly weatherDemand: WeatherFacts['pace'];
  readonly reason: ReasonKind | null;
}

interface ForecastInputs {
  readonly state: StateFacts;
  /** The newest moisture, unrounded. */
  readonly moisture: number | null;
  readonly dryingRate: DryingRate | null;
  /** Points of moisture that rain adds before the day of stress. */
  readonly rainPoints: number;
  /** Given by the caller, it replaces what the weather says. */
  readonly expectedDemandPercent: number | undefined;
  readonly weather: WeatherFacts;
  readonly now: number;
}

const unknownForecast = (reason: ReasonKind | null): StressForecast => ({
  days: null,
  dryingRate: null,
  pointsPerDay: 0,
  residual: null,
  demandPercent: null,
  weatherDemand: null,
  reason,
});

/** Extrapolates the drying of the last two weeks. */
export function forecastStress(inputs: ForecastInputs): StressForecast {
  const { state, now } = inputs;
  if (areThresholdsCrossed(state)) return unknownForecast('THRESHOLDS_CROSSED');
  if (state.stressPoint === null) return unknownForecast('NO_STRESS_POINT');
  if (state.moisture === null || state.at === null) return unknownForecast(null);

  const { ageMs, isFresh } = readingAge(state.at, now);
  if (!isFresh) return unknownForecast(null);
  if (state.moisture <= state.stressPoint) return { ...unknownForecast(null), days: 0 };

  const { dryingRate } = inputs;
  if (dryingRate === null) return unknownForecast('FEW_DRY_DAYS');

  const newest = { value: inputs.moisture ?? state.moisture, ageDays: ageMs / DAY_MS };
  const demand = demandAfter(dryingRate, inputs);
  const days = daysUntilStress(state.stressPoint, newest, dryingRate, {
    rainPoints: inputs.rainPoints,
    demandPercent: demand.demandPercent,
  });

  if (days === null) return unknownForecast('NOT_DRYING');
  return {
    days,
    dryingRate,
    pointsPerDay: -expectedPerDay(dryingRate, demand.demandPercent),
    residual: countedDecay(dryingRate, state.stressPoint)?.residual ?? null,
    ...demand,
    reason: null,
  };
}

function demandAfter(
  dryingRate: DryingRate,
  { expectedDemandPercent, weather }: ForecastInputs,
): Pick<StressForecast, 'demandPercent' | 'weatherDemand'> {
  if (expectedDemandPercent !== undefined)
    return { demandPercent: expectedDemandPercent, weatherDemand: null };

  const weatherDemand = demandBeyond(weather, dryingRate);
  return { demandPercent: weatherDemand?.percent ?? null, weatherDemand };
}

/**
 * Null if the weather adds nothing to the drying rate: without a forecast, the coming days are
 * assumed to be like the newest ones, which a pace of the newest day already includes.
 */
function demandBeyond({ pace }: WeatherFacts, rate: DryingRate): WeatherFacts['pace'] {
  if (pace === null) return null;
  return pace.basis === 'recent' && rate.basis === 'newest' ? null : pace;
}
