import { roundTo } from '../../decimal.ts';
import type { ProbeFacts } from '../../facts/probe-facts.ts';
import { MEASUREMENTS } from '../../moisture/measurement.ts';
import { keepsRainOff } from '../../moisture/mulch.ts';
import { type AdviceRequest, type AdviceResult, adviceSettings } from '../advice.ts';
import { decideTurn, runLimits } from '../turn-decision.ts';
import type { FarmConditions } from './farm-conditions.ts';
import { type MoistureConditions, moistureConditions } from './moisture-conditions.ts';
import { adviceConfidence, adviceReasons } from './moisture-reasons.ts';
import { planUntilStress } from './plan-until-stress.ts';
import { NO_RAIN, type RainToSubtract, rainToSubtract, recentRain } from './recent-rain.ts';
import { type SoilDeficit, slicesOfDeficit, soilDeficit } from './soil-deficit.ts';
import { forecastStress, type StressForecast } from './stress-forecast.ts';
import {
  appliedPerMm,
  DAY_DECIMALS,
  dryingMmPerDay,
  pointsOfRain,
  roundedAmounts,
  splitOverDays,
  waterFor,
  withinDoses,
  zoneLossMmPerDay,
} from './water-amounts.ts';

export function adviseByMoisture(
  facts: ProbeFacts,
  farm: FarmConditions,
  request: AdviceRequest,
): AdviceResult {
  const { installation } = facts.setup;
  const settings = adviceSettings(facts.setup.settings, request);

  const conditions = moistureConditions(facts, farm);
  const soil = soilDeficit(conditions, farm);
  const rain = rainOfAdvice(conditions, soil, request);
  const times = facts.setup.settings?.waterTimes ?? null;
  const needed = waterFor(soil.deficit, settings, rain.totalMm, installation);
  const stress = stressAfter(rain, conditions, soil, { farm, request });
  const turn = decideTurn(
    times,
    {
      daysToStress: stress.days,
      deficitMm: soil.deficit && Math.max(0, soil.deficit.deficitMm - rain.totalMm),
      lossMmPerDay: zoneLossMmPerDay(stress, soil.slices),
      appliedPerMm: appliedPerMm(settings, installation),
      waterings: facts.wateringsOnValve,
    },
    farm,
  );
  const { hoursPerDay, longestMin } = runLimits(times, turn, settings.hoursPerDay, farm);
  const water = withinDoses(needed, times, longestMin);
  const dryingMm = dryingMmPerDay(stress, soil.slices, installation);
  const daily = splitOverDays(water, hoursPerDay, dryingMm);
  // A least dose that takes long says nothing of the equipment.
  const reasons = adviceReasons(conditions, { soil, rain, water: needed, stress, daily });
  const amounts = roundedAmounts(soil.deficit, water, { daily, needed });

  return {
    advice: {
      moduleId: facts.module.id,
      at: conditions.newestAt,
      settings: { ...settings, hoursPerDay },
      ...amounts,
      fractionWetted: installation?.fractionWetted ?? null,
      daysToStress: stress.days === null ? null : roundTo(stress.days, DAY_DECIMALS),
      ...(turn === null ? {} : { turn }),
      planned: planUntilStress(facts.wateringsOnValve, stress.days, farm.now),
      confidence: adviceConfidence(reasons, amounts),
      reasons,
      meanwhile: null,
    },
    rain,
    deficit: slicesOfDeficit(soil, conditions),
    state: conditions.trusted.state.state,
    stress,
  };
}

function rainOfAdvice(
  conditions: MoistureConditions,
  { standIn, deficit }: SoilDeficit,
  { expectedRainMm }: AdviceRequest,
): RainToSubtract {
  if (keepsRainOff(conditions.facts.setup.settings)) return rainToSubtract(NO_RAIN, 0, deficit);

  // A balance already counts the rain until now.
  const fallen = recentRain(standIn === null ? conditions.rain : [], conditions);
  return rainToSubtract(fallen, expectedRainMm, deficit);
}

function stressAfter(
  { totalMm }: RainToSubtract,
  { trusted }: MoistureConditions,
  { slices, standIn }: SoilDeficit,
  { farm, request }: { readonly farm: FarmConditions; readonly request: AdviceRequest },
): StressForecast {
  const forecast = forecastStress({
    state: trusted.state,
    moisture: unroundedMoisture(trusted),
    dryingRate: trusted.dryingRate,
    rainPoints: pointsOfRain(totalMm, slices),
    expectedDemandPercent: request.demandPercent,
    weather: farm.weather,
    now: farm.now,
  });
  return standIn === null ? forecast : { ...forecast, days: standIn.daysToStress };
}

/** The shown value has one decimal, and a soil may lose less than that in a day. */
function unroundedMoisture({ state, recent }: ProbeFacts): number | null {
  const exact = recent.curve.findLast(({ at }) => at === state.at)?.value;
  // The state uses the last value of a sensor that has not reported yet, so the two may differ.
  return exact !== undefined && roundTo(exact, MEASUREMENTS.humidity.decimals) === state.moisture
    ? exact
    : state.moisture;
}
