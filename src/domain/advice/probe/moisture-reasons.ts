import { hasSoilMoisture } from '../../facts/probe-series.ts';
import { withoutNulls } from '../../items.ts';
import type { ProbeAdvice } from '../advice.ts';
import { type Finders, factsIf, findReasons, inOrder, type Reason } from '../reason.ts';
import { lowersConfidence } from '../reason-kinds.ts';
import {
  COVERAGE_REASONS,
  READING_REASONS,
  ROOT_REASONS,
  SOIL_REASONS,
} from '../reasons/probe-reasons.ts';
import {
  EQUIPMENT_REASONS,
  RESPONSE_REASONS,
  TIMELINESS_REASONS,
} from '../reasons/valve-reasons.ts';
import type { AdvisedWater } from '../watering-advice.ts';
import type { MoistureConditions } from './moisture-conditions.ts';
import type { RainToSubtract } from './recent-rain.ts';
import type { SoilDeficit } from './soil-deficit.ts';
import type { StressForecast } from './stress-forecast.ts';
import type { DailySplit } from './water-amounts.ts';

/** The results of the steps of an advice by moisture. */
interface MoistureSteps {
  readonly soil: SoilDeficit;
  readonly rain: RainToSubtract;
  readonly water: AdvisedWater;
  readonly stress: StressForecast;
  readonly daily: DailySplit | null;
}

export function adviceReasons(
  conditions: MoistureConditions,
  { soil: { deficit, balance, needs }, rain, water, stress, daily }: MoistureSteps,
): Reason[] {
  const { facts, done, usualRoots } = conditions;
  if (!hasSoilMoisture(facts.recent, facts.module)) return [{ kind: 'NO_SOIL_MOISTURE' }];

  const { missingShare, newestByDepth, offeredCapacity, recent, state } = facts;
  const { commissioning, installation } = facts.setup;
  const { rootDepthCm } = recent;
  return inOrder([
    ...findReasons(READING_REASONS, {
      ...conditions,
      commissioning,
      rootDepthCm,
      recent,
      newestByDepth,
    }),
    ...findReasons(RESPONSE_REASONS, conditions),
    ...findReasons(TIMELINESS_REASONS, {
      ...conditions,
      neededMm: water.waterMm,
      balanceNeeds: needs,
    }),
    ...findReasons(SOIL_REASONS, { ...conditions, state, offeredCapacity }),
    ...findReasons(ROOT_REASONS, { rootDepthCm, usualRoots }),
    ...findReasons(COVERAGE_REASONS, { ...conditions, missingShare, commissioning, deficit }),
    ...findReasons(EQUIPMENT_REASONS, { installation, done, deficit, water, daily }),
    ...findReasons(WEATHER_REASONS, { ...conditions, rain, stress }),
    ...withoutNulls([balance, stress.reason]),
  ]);
}

interface WeatherInputs extends Pick<MoistureConditions, 'unshownRain'> {
  readonly rain: RainToSubtract;
  readonly stress: StressForecast;
}

const WEATHER_REASONS: Finders<WeatherInputs> = {
  GAUGE_DOUBTFUL: ({ unshownRain }) => unshownRain,
  RECENT_RAIN: ({ rain: { recent } }) => factsIf(recent !== null && !recent.isLost),
  EXPECTED_RAIN: ({ rain: { recent, totalMm } }) => factsIf(totalMm > (recent?.effectiveMm ?? 0)),
  EXPECTED_DEMAND: ({ stress: { demandPercent } }) => factsIf((demandPercent ?? 100) !== 100),
};

export function adviceConfidence(
  reasons: readonly Reason[],
  { deficitMm, durationMin, volumeM3 }: Pick<ProbeAdvice, 'deficitMm' | 'durationMin' | 'volumeM3'>,
): ProbeAdvice['confidence'] {
  if (deficitMm === null || (durationMin === null && volumeM3 === null)) return 'insufficient';
  return reasons.some(lowersConfidence) ? 'partial' : 'complete';
}
