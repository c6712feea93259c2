import {
  type Finders,
  findReasons,
  inOrder,
  lowersConfidence,
  type ReasonKind,
} from '../advice-reason.ts';
import type { ProbeAdvice } from '../probe-advice.ts';
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
import type { AdvisedWater, WaterDeficit } from '../watering-advice.ts';
import type { ReasonInputs } from './reason-inputs.ts';

interface AdviceFigures {
  readonly deficit: WaterDeficit | null;
  readonly water: AdvisedWater;
  readonly daily: { readonly days: number; readonly canCatchUp: boolean } | null;
  readonly stress: ReasonKind | null;
  readonly balance: ProbeAdvice['balance'];
  readonly hasRecentRain: boolean;
  readonly expectsRain: boolean;
  /** The demand of the air is expected to differ from that so far. */
  readonly expectsOtherDemand: boolean;
}

/** Of an advice by the moisture of a probe. */
export function adviceReasons(
  inputs: ReasonInputs,
  figures: AdviceFigures,
  now: number,
): ReasonKind[] {
  if (!inputs.measuresSoilMoisture) return ['NO_SOIL_MOISTURE'];

  const { deficit, water, daily, balance, stress } = figures;
  return inOrder([
    ...findReasons(READING_REASONS, { ...inputs, now }),
    ...findReasons(RESPONSE_REASONS, inputs),
    ...findReasons(TIMELINESS_REASONS, { ...inputs, neededMm: water.waterMm, now }),
    ...findReasons(SOIL_REASONS, inputs),
    ...findReasons(ROOT_REASONS, inputs),
    ...findReasons(COVERAGE_REASONS, { ...inputs, deficit, now }),
    ...findReasons(EQUIPMENT_REASONS, { ...inputs, deficit, water, daily }),
    ...findReasons(WEATHER_REASONS, { ...inputs, ...figures }),
    ...(balance === null ? [] : [balance.reason]),
    ...(stress === null ? [] : [stress]),
  ]);
}

const WEATHER_REASONS: Finders<
  Pick<ReasonInputs, 'unshownRain'> &
    Pick<AdviceFigures, 'hasRecentRain' | 'expectsRain' | 'expectsOtherDemand'>
> = {
  GAUGE_DOUBTFUL: ({ unshownRain }) => unshownRain !== null,
  RECENT_RAIN: ({ hasRecentRain }) => hasRecentRain,
  EXPECTED_RAIN: ({ expectsRain }) => expectsRain,
  EXPECTED_DEMAND: ({ expectsOtherDemand }) => expectsOtherDemand,
};

export function adviceConfidence(
  reasons: readonly ReasonKind[],
  { deficitMm, durationMin, volumeM3 }: Pick<ProbeAdvice, 'deficitMm' | 'durationMin' | 'volumeM3'>,
): ProbeAdvice['confidence'] {
  if (deficitMm === null || (durationMin === null && volumeM3 === null)) return 'insufficient';
  return reasons.some(lowersConfidence) ? 'partial' : 'complete';
}
