import type { ProbeFacts, TensionFacts } from '../../facts/probe-facts.ts';
import { NO_RESPONSE_FACTS } from '../../facts/response-facts.ts';
import { begunWaterings } from '../../facts/watering-facts.ts';
import type { ProbeAdvice } from '../probe-advice.ts';
import { adviceConfidence, timelinessReasons } from './advice-reasons.ts';
import type { FarmConditions } from './farm-conditions.ts';
import { planUntilStress } from './plan-until-stress.ts';
import { type RainInReadings, type RecentRain, recentRain } from './recent-rain.ts';

export const NO_AMOUNTS = {
  deficitMm: null,
  netMm: null,
  waterMm: null,
  durationMin: null,
  daily: null,
  volumeM3: null,
} as const;

/**
 * Tension tells whether to water, not how much: how much water a rise of tension means depends on
 * the soil.
 */
export function adviseByTension(
  { module, state: { at }, setup, wateringsOfParcel }: ProbeFacts,
  tension: TensionFacts,
  farm: FarmConditions,
): {
  readonly advice: ProbeAdvice;
  readonly recent: RecentRain | null;
  readonly inReadings: RainInReadings | null;
} {
  const { now } = farm;
  const begun = begunWaterings(wateringsOfParcel, now);
  const done = begun.filter(({ status }) => status === 'done');
  const startedPlanned = begun.filter(({ status }) => status === 'planned');
  const rain = recentRain(farm.rainOn(module.parcelId), { newestAt: at, depths: [], done });

  const reasons = timelinessReasons({ newestAt: at, done, startedPlanned }, now);
  if (rain.recent !== null) reasons.push('RECENT_RAIN');
  if (tension.dryLevel === null) reasons.push('NO_DRY_LEVEL');
  reasons.push('TENSION_ONLY');
  const daysToStress = tension.isDry ? 0 : null;

  return {
    advice: {
      moduleId: module.id,
      at,
      settings: null,
      ...NO_AMOUNTS,
      fractionWetted: setup.installation?.fractionWetted ?? null,
      daysToStress,
      planned: planUntilStress(wateringsOfParcel, daysToStress, now),
      rest: null,
      confidence: adviceConfidence(reasons, NO_AMOUNTS),
      reasons,
      doubts: [],
      response: NO_RESPONSE_FACTS,
      wetSince: null,
      differing: [],
      meanwhile: null,
      unshownRain: null,
      balance: null,
      balanceNeeds: [],
      tension,
    },
    ...rain,
  };
}
