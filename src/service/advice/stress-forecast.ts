import { drySpells } from '../../domain/advice/dry-spells.ts';
import {
  type DryingRate,
  daysUntilStress,
  estimateDryingRate,
} from '../../domain/advice/drying-rate.ts';
import type { AdviceReason } from '../../domain/advice/probe-advice.ts';
import { areThresholdsCrossed } from '../../domain/moisture/agronomic-state.ts';
import { readingAge } from '../../domain/moisture/coverage.ts';
import { DAY_MS } from '../../domain/periods.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { DemandRatioBody, WeatherPageBody } from '../../schema/weather/weather.ts';
import { toIso } from '../wire-format.ts';
import { type AdviceInputs, type AdviceOperations, DRYING_RATE_DAYS } from './advice-inputs.ts';
import { runPeriod } from './operation-reads.ts';
import { unroundedSummaryCurve } from './probe-depths.ts';
import { demandRatioBeyond } from './weather.ts';

const HOUR_S = 3600;

export interface StressForecast {
  readonly days: number | null;
  readonly dryingRate: DryingRate | null;
  /** Expected demand of the air in % of the demand so far. */
  readonly demandPercent: number;
  /** Null if the demand does not follow from the weather. */
  readonly weatherDemand: DemandRatioBody | null;
  readonly reason: AdviceReason | null;
}

interface ForecastConditions {
  /** Points of moisture that rain adds before the day of stress. */
  readonly rainPoints: number;
  /** Given by the caller, it replaces what the weather says. */
  readonly expectedDemandPercent: number | undefined;
  readonly weather: WeatherPageBody;
}

const unknownForecast = (reason: AdviceReason | null): StressForecast => ({
  days: null,
  dryingRate: null,
  demandPercent: 100,
  weatherDemand: null,
  reason,
});

/** Extrapolates the drying rate in the dry spells of the last two weeks. */
export async function forecastStress(
  call: ComposedCall,
  operations: AdviceOperations,
  { module, state, unroundedValue, done }: AdviceInputs,
  conditions: ForecastConditions,
): Promise<StressForecast> {
  const { value_vwc: value, time, stressPoint } = state;
  if (areThresholdsCrossed(state)) return unknownForecast('THRESHOLDS_CROSSED');
  if (stressPoint === null) return unknownForecast('NO_STRESS_POINT');
  if (value === null || time === null) return unknownForecast(null);

  const { ageMs, isFresh } = readingAge(Date.parse(time), call.now);
  if (!isFresh) return unknownForecast(null);
  if (value <= stressPoint) return { ...unknownForecast(null), days: 0 };

  const dryingRate = estimateDryingRate(
    drySpells(await hourlyMoisture(call.now, operations, module.id), done.map(runPeriod)),
    call.zone,
  );
  if (dryingRate === null) return unknownForecast('FEW_DRY_DAYS');

  const newest = { value: unroundedValue ?? value, ageDays: ageMs / DAY_MS };
  const demand = demandAfter(dryingRate, conditions);
  const days = daysUntilStress(stressPoint, newest, dryingRate.pointsPerDay, {
    rainPoints: conditions.rainPoints,
    demandPercent: demand.demandPercent,
  });

  if (days === null) return unknownForecast('NOT_DRYING');
  return { days, dryingRate, ...demand, reason: null };
}

function demandAfter(
  dryingRate: DryingRate,
  { expectedDemandPercent, weather }: ForecastConditions,
): Pick<StressForecast, 'demandPercent' | 'weatherDemand'> {
  if (expectedDemandPercent !== undefined)
    return { demandPercent: expectedDemandPercent, weatherDemand: null };

  const weatherDemand = demandRatioBeyond(weather, dryingRate);
  return { demandPercent: weatherDemand?.percent ?? 100, weatherDemand };
}

async function hourlyMoisture(
  now: number,
  { getMoistureSeries }: AdviceOperations,
  moduleId: number,
) {
  const query = {
    moduleId,
    start: toIso(now - DRYING_RATE_DAYS * DAY_MS),
    interval: HOUR_S,
    depths: true,
  };
  return unroundedSummaryCurve(await getMoistureSeries(query));
}
