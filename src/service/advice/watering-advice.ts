import { effectiveRainMm } from '../../domain/advice/rain-effect.ts';
import {
  type AdvisedWater,
  canCatchUp,
  netShare,
  rootZoneDeficit,
  splitByDay,
  UNKNOWN_WATER,
  type WaterDeficit,
  waterToRefill,
} from '../../domain/advice/watering-advice.ts';
import { roundAmount, roundAmountOrNull, roundTo } from '../../domain/decimal.ts';
import { thicknessMm } from '../../domain/soil/slices.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { AdviceBody, AdviceRequest } from '../../schema/advice/advice.ts';
import { toIsoOrNull } from '../wire-format.ts';
import {
  type AdviceInputs,
  type AdviceOperations,
  drawnFieldCapacity,
  loadAdviceInputs,
  rootZoneSlices,
  suspectReadingsOf,
} from './advice-inputs.ts';
import { adviceConfidence, adviceReasons } from './advice-reasons.ts';
import { wateringsBetween } from './operation-reads.ts';
import { planUntilStress } from './planned-waterings.ts';
import { forecastStress, type StressForecast } from './stress-forecast.ts';
import { adviseByTension } from './tension-advice.ts';
import { adviseOfDemandRatio, adviseOfForecastRain, recentRain } from './weather.ts';

export const MINUTE_DECIMALS = 1;
const DAY_DECIMALS = 1;

export async function adviseWatering(
  call: ComposedCall,
  operations: AdviceOperations,
  moduleId: number,
  request: AdviceRequest,
): Promise<AdviceBody> {
  const inputs = await loadAdviceInputs(call, operations, moduleId);
  const weather = await operations.getWeather({});
  const expectsRain = request.expectedRainMm > 0;
  if (inputs.state.tension) {
    adviseOfForecastRain(call, weather, expectsRain);
    return adviseByTension(call, operations, inputs, inputs.state.tension);
  }

  const deficit = rootZoneDeficit(rootZoneSlices(inputs), drawnFieldCapacity(inputs.state));
  const recent = recentRain(call, inputs);
  const rain = rainToSubtract(recent, request.expectedRainMm, deficit);
  adviseOfRecentRain(call, recent, deficit && rain.recentMm);

  const settings = settingsFor(inputs, request);
  const water = waterFor(deficit, settings, rain.totalMm, inputs);
  const stress = await forecastStress(call, operations, inputs, {
    rainPoints: pointsOfRain(rain.totalMm, inputs),
    expectedDemandPercent: request.demandPercent,
    weather,
  });
  const daily = splitOverDays(water, settings.hoursPerDay, dryingMmPerDay(stress, inputs));

  const reasons = adviceReasons(
    inputs,
    {
      deficit,
      water,
      daily,
      stress: stress.reason,
      hasRecentRain: recent !== null,
      expectsRain: rain.totalMm > rain.recentMm,
      expectsOtherDemand: expectsOtherDemand(stress),
    },
    call.now,
  );

  adviseOfDeficitSlices(call, inputs, deficit);
  adviseOfDrying(call, stress);
  if (deficit === null || deficit.deficitMm > 0) adviseOfForecastRain(call, weather, expectsRain);

  const amounts = roundedAmounts(deficit, water, daily);
  return {
    moduleId,
    time: toIsoOrNull(inputs.newestAt),
    settings,
    ...amounts,
    daysToStress: stress.days === null ? null : roundTo(stress.days, DAY_DECIMALS),
    planned: await plannedUntilStress(call, operations, inputs, stress),
    confidence: adviceConfidence(reasons, amounts),
    reasons,
    doubts: suspectReadingsOf(inputs),
  };
}

function settingsFor(
  { settings }: AdviceInputs,
  { refillPercent = settings.refillPercent }: AdviceRequest,
): AdviceInputs['settings'] {
  return { ...settings, refillPercent };
}

const plannedUntilStress = (
  { now }: ComposedCall,
  operations: AdviceOperations,
  { module, startedPlanned }: AdviceInputs,
  { days }: StressForecast,
): Promise<AdviceBody['planned']> =>
  planUntilStress(
    now,
    (period) => wateringsBetween(operations, { moduleId: module.id }, period),
    days,
    startedPlanned,
  );

const expectsOtherDemand = ({ dryingRate, demandPercent }: StressForecast): boolean =>
  dryingRate !== null && demandPercent !== 100;

/** `recentMm` is the part that has fallen, `totalMm` includes the expected rain. */
function rainToSubtract(
  recent: ReturnType<typeof recentRain>,
  expectedMm: number,
  deficit: WaterDeficit | null,
): { recentMm: number; totalMm: number } {
  const countedMm = recent?.countedMm ?? 0;
  const deficitMm = deficit?.deficitMm ?? 0;
  return {
    recentMm: effectiveRainMm(countedMm, deficitMm),
    totalMm: effectiveRainMm(expectedMm + countedMm, deficitMm),
  };
}

function waterFor(
  deficit: WaterDeficit | null,
  { refillPercent, ...losses }: AdviceInputs['settings'],
  rainMm: number,
  { installation }: AdviceInputs,
): AdvisedWater {
  if (deficit === null) return UNKNOWN_WATER;
  const target = { refillPercent, rainMm, share: netShare(losses) };
  return waterToRefill(deficit.deficitMm, target, installation);
}

/** Null if the duration is unknown. */
function splitOverDays(
  { netMm, durationMin }: AdvisedWater,
  hoursPerDay: number,
  dryingMm: number,
): { days: number; minutesPerDay: number; canCatchUp: boolean } | null {
  if (durationMin === null || netMm === null) return null;

  const split = splitByDay(durationMin, hoursPerDay);
  const perDay = {
    netMmPerDay: (netMm * 60 * hoursPerDay) / durationMin,
    dryingMmPerDay: dryingMm,
  };
  return { ...split, canCatchUp: canCatchUp(split, perDay) };
}

const roundedAmounts = (
  deficit: WaterDeficit | null,
  { netMm, waterMm, durationMin, volumeM3 }: AdvisedWater,
  daily: ReturnType<typeof splitOverDays>,
) => ({
  deficitMm: deficit && roundAmount(deficit.deficitMm),
  netMm: roundAmountOrNull(netMm),
  waterMm: roundAmountOrNull(waterMm),
  durationMin: durationMin === null ? null : roundTo(durationMin, MINUTE_DECIMALS),
  daily: daily && {
    days: daily.days,
    minutesPerDay: roundTo(daily.minutesPerDay, MINUTE_DECIMALS),
  },
  volumeM3: roundAmountOrNull(volumeM3),
});

const rootZoneMm = (inputs: AdviceInputs): number =>
  rootZoneSlices(inputs).reduce((sum, slice) => sum + thicknessMm(slice), 0);

/** The rain spread over the root zone, in points of volume. */
const pointsOfRain = (rainMm: number, inputs: AdviceInputs): number =>
  rainMm === 0 ? 0 : (100 * rainMm) / rootZoneMm(inputs);

/**
 * What the wetted zone loses in a day, spread over the whole area like netMm; 0 if the drying rate
 * is unknown.
 */
const dryingMmPerDay = (
  { dryingRate, demandPercent }: StressForecast,
  inputs: AdviceInputs,
): number => {
  const shareOfVolume = -(dryingRate?.pointsPerDay ?? 0) / 100;
  const mm = shareOfVolume * rootZoneMm(inputs) * (inputs.installation?.fractionWetted ?? 1);
  return (mm * demandPercent) / 100;
};

/** `effectiveMm` is null without a deficit from which the rain could be subtracted. */
function adviseOfRecentRain(
  call: ComposedCall,
  recent: ReturnType<typeof recentRain>,
  effectiveMm: number | null,
): void {
  if (recent === null) return;
  call.advise({ kind: 'recent_rain', mm: recent.mm, isShown: recent.isShown, effectiveMm });
}

function adviseOfDeficitSlices(
  call: ComposedCall,
  inputs: AdviceInputs,
  deficit: WaterDeficit | null,
): void {
  const last = rootZoneSlices(inputs).at(-1);
  if (deficit === null || last === undefined) return;
  call.advise({ kind: 'deficit_depth', bottomCm: last.bottomCm });
  const { withoutValue, withoutLayer } = deficit;
  if (withoutValue.length > 0) call.advise({ kind: 'slices_without_value', slices: withoutValue });
  if (withoutLayer.length > 0) call.advise({ kind: 'slices_without_layer', slices: withoutLayer });
}

function adviseOfDrying(call: ComposedCall, { dryingRate, weatherDemand }: StressForecast): void {
  if (dryingRate !== null) {
    const { pointsPerDay, basis, count } = dryingRate;
    call.advise({ kind: 'drying_rate', basis, pointsPerDay: -pointsPerDay, count });
  }

  if (weatherDemand !== null) adviseOfDemandRatio(call, weatherDemand);
}
