import {
  type DryingRate,
  daysUntilStress,
  drySpells,
  estimateDryingRate,
  type Outlook,
} from '../../domain/advice/drying-rate.ts';
import { effectiveRainMm } from '../../domain/advice/rain-effect.ts';
import {
  canCatchUp,
  netShare,
  rootZoneDeficit,
  splitByDay,
  UNKNOWN_WATER,
  type WaterDeficit,
  waterToRefill,
} from '../../domain/advice/watering-advice.ts';
import { roundTo } from '../../domain/decimal.ts';
import { areThresholdsCrossed } from '../../domain/moisture/agronomic-state.ts';
import { readingAge } from '../../domain/moisture/coverage.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { thicknessMm } from '../../domain/soil/soil-profile.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { AdviceBody, AdviceReason, AdviceRequest } from '../../schema/advice/advice.ts';
import type { TensionBody } from '../../schema/moisture/series.ts';
import { roundAmount, roundAmountOrNull, toIso, toIsoOrNull } from '../wire-format.ts';
import {
  type AdviceInputs,
  type AdviceOperations,
  DRYING_RATE_DAYS,
  doubtsOf,
  drawnFieldCapacity,
  loadAdviceInputs,
  rootZoneSlices,
} from './advice-inputs.ts';
import { adviceConfidence, adviceReasons, timelinessReasons } from './advice-reasons.ts';
import {
  blockWaterings,
  parseInstantOrNull,
  runPeriod,
  wateringsBetween,
} from './operation-reads.ts';
import { plannedWateringsUntil } from './planned-waterings.ts';
import { unroundedSummaryCurve } from './probe-depths.ts';
import { adviseOfDemandPace, adviseOfForecastRain, paceBeyond, recentRain } from './weather.ts';

const HOUR_S = 3600;

interface StressForecast {
  readonly days: number | null;
  readonly dryingRate: DryingRate | null;
  readonly reason: AdviceReason | null;
}

const unknownForecast = (reason: AdviceReason | null): StressForecast => ({
  days: null,
  dryingRate: null,
  reason,
});

/** Extrapolates the drying rate in the dry spells of the last two weeks. */
async function forecastStress(
  call: ComposedCall,
  operations: AdviceOperations,
  moduleId: number,
  { state, unroundedValue, done }: AdviceInputs,
  outlookAfter: (rate: DryingRate) => Outlook,
): Promise<StressForecast> {
  const { value_vwc: value, time, stressPoint } = state;
  if (areThresholdsCrossed(state)) return unknownForecast('THRESHOLDS_CROSSED');
  if (stressPoint === null) return unknownForecast('NO_STRESS_POINT');
  if (value === null || time === null) return unknownForecast(null);

  const { ageMs, isFresh } = readingAge(Date.parse(time), call.now);
  if (!isFresh) return unknownForecast(null);
  if (value <= stressPoint) return { days: 0, dryingRate: null, reason: null };

  const dryingRate = estimateDryingRate(
    drySpells(await hourlyMoisture(call.now, operations, moduleId), done.map(runPeriod)),
    call.zone,
  );
  if (dryingRate === null) return unknownForecast('FEW_DRY_DAYS');

  const newest = { value: unroundedValue ?? value, ageDays: ageMs / DAY_MS };
  const days = daysUntilStress(
    stressPoint,
    newest,
    dryingRate.pointsPerDay,
    outlookAfter(dryingRate),
  );

  return days === null ? unknownForecast('NOT_DRYING') : { days, dryingRate, reason: null };
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

export const MINUTE_DECIMALS = 1;
const DAY_DECIMALS = 1;

export async function adviseWatering(
  call: ComposedCall,
  operations: AdviceOperations,
  moduleId: number,
  { refillPercent: requestedRefill, expectedRainMm, demandPercent: expectedDemand }: AdviceRequest,
): Promise<AdviceBody> {
  const inputs = await loadAdviceInputs(call, operations, moduleId);
  const weather = await operations.getWeather({});
  if (inputs.state.tension) {
    adviseOfForecastRain(call, weather, expectedRainMm > 0);
    return adviseByTension(call, operations, inputs, inputs.state.tension);
  }

  const deficit = rootZoneDeficit(rootZoneSlices(inputs), drawnFieldCapacity(inputs.state));
  const recent = recentRain(call, inputs);
  const recentRainMm = effectiveRainMm(recent?.countedMm ?? 0, deficit?.deficitMm ?? 0);
  const rainMm = effectiveRainMm(
    expectedRainMm + (recent?.countedMm ?? 0),
    deficit?.deficitMm ?? 0,
  );

  if (recent !== null)
    call.advise({
      kind: 'recent_rain',
      mm: recent.mm,
      isShown: recent.isShown,
      effectiveMm: deficit && recentRainMm,
    });

  const { hoursPerDay, ...losses } = inputs.settings;
  const refillPercent = requestedRefill ?? losses.refillPercent;
  const target = { refillPercent, rainMm, share: netShare(losses) };
  const water =
    deficit === null
      ? UNKNOWN_WATER
      : waterToRefill(deficit.deficitMm, target, inputs.installation);
  const rainPoints = pointsOfRain(rainMm, inputs);
  const paceAfter = (rate: DryingRate) =>
    expectedDemand === undefined ? paceBeyond(weather, rate) : null;

  const stress = await forecastStress(call, operations, moduleId, inputs, (rate) => ({
    rainPoints,
    demandPercent: expectedDemand ?? paceAfter(rate)?.percent ?? 100,
  }));
  const pace = stress.dryingRate && paceAfter(stress.dryingRate);
  const demandPercent = expectedDemand ?? pace?.percent ?? 100;
  const daily = water.durationMin === null ? null : splitByDay(water.durationMin, hoursPerDay);
  const reasons = adviceReasons(
    inputs,
    {
      deficit,
      water,
      daily: daily && {
        days: daily.days,
        canCatchUp: canCatchUp(daily, {
          netMmPerDay: (water.netMm! * 60 * hoursPerDay) / water.durationMin!,
          dryingMmPerDay: (dryingMmPerDay(stress, inputs) * demandPercent) / 100,
        }),
      },
      stress: stress.reason,
      hasRecentRain: recent !== null,
      expects: {
        rain: rainMm > recentRainMm,
        demand: demandPercent !== 100 && stress.dryingRate !== null,
      },
    },
    call.now,
  );

  adviseOfDeficitSlices(call, inputs, deficit);
  if (stress.dryingRate !== null) adviseOfDryingRate(call, stress.dryingRate);
  if (pace !== null) adviseOfDemandPace(call, pace);
  if (deficit === null || deficit.deficitMm > 0)
    adviseOfForecastRain(call, weather, expectedRainMm > 0);
  const amounts = {
    deficitMm: deficit && roundAmount(deficit.deficitMm),
    netMm: roundAmountOrNull(water.netMm),
    waterMm: roundAmountOrNull(water.waterMm),
    durationMin: water.durationMin === null ? null : roundTo(water.durationMin, MINUTE_DECIMALS),
    daily: daily && { ...daily, minutesPerDay: roundTo(daily.minutesPerDay, MINUTE_DECIMALS) },
    volumeM3: roundAmountOrNull(water.volumeM3),
  };

  return {
    moduleId,
    time: toIsoOrNull(inputs.newestAt),
    settings: { ...inputs.settings, refillPercent },
    ...amounts,
    daysToStress: stress.days === null ? null : roundTo(stress.days, DAY_DECIMALS),
    planned: await plannedWateringsUntil(
      call.now,
      (period) => wateringsBetween(operations, { moduleId }, period),
      stress.days,
      inputs.startedPlanned,
    ),
    confidence: adviceConfidence(reasons, amounts),
    reasons,
    doubts: doubtsOf(inputs),
  };
}

const rootZoneMm = (inputs: AdviceInputs): number =>
  rootZoneSlices(inputs).reduce((sum, slice) => sum + thicknessMm(slice), 0);

/** The rain spread over the root zone, in points of volume. */
const pointsOfRain = (rainMm: number, inputs: AdviceInputs): number =>
  rainMm === 0 ? 0 : (100 * rainMm) / rootZoneMm(inputs);

/**
 * What the wetted zone loses in a day, spread over the whole area like netMm; 0 if the drying rate
 * is unknown.
 */
const dryingMmPerDay = ({ dryingRate }: StressForecast, inputs: AdviceInputs): number =>
  (-(dryingRate?.pointsPerDay ?? 0) / 100) *
  rootZoneMm(inputs) *
  (inputs.installation?.fractionWetted ?? 1);

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

function adviseOfDryingRate(call: ComposedCall, { pointsPerDay, basis, count }: DryingRate): void {
  call.advise({ kind: 'drying_pace', basis, pointsPerDay: -pointsPerDay, count });
}

/**
 * Tension tells whether to water, not how much: how much water a rise of tension means depends on
 * the soil.
 */
async function adviseByTension(
  call: ComposedCall,
  operations: AdviceOperations,
  { module, rain, state: { time } }: AdviceInputs,
  tension: TensionBody,
): Promise<AdviceBody> {
  const { now } = call;
  const block = (period: Parameters<typeof blockWaterings>[2]) =>
    blockWaterings(operations, module, period);

  const waterings = await block({ from: now - DRYING_RATE_DAYS * DAY_MS, to: now + 1 });
  const done = waterings.filter(({ status }) => status === 'done');
  const startedPlanned = waterings.filter(({ status }) => status === 'planned');
  const newestAt = parseInstantOrNull(time);
  const recent = recentRain(call, { newestAt, depths: [], done, module, rain });
  if (recent !== null)
    call.advise({ kind: 'recent_rain', mm: recent.mm, isShown: false, effectiveMm: null });
  const reasons: AdviceReason[] = [
    ...timelinessReasons({ newestAt, done, startedPlanned }, now),
    ...(recent === null ? [] : (['RECENT_RAIN'] as const)),
    ...(tension.dryLevel === null ? (['NO_DRY_LEVEL'] as const) : []),
    'TENSION_ONLY',
  ];

  const daysToStress = tension.isDry ? 0 : null;
  const amounts = {
    deficitMm: null,
    netMm: null,
    waterMm: null,
    durationMin: null,
    daily: null,
    volumeM3: null,
  };

  return {
    moduleId: module.id,
    time,
    settings: null,
    ...amounts,
    daysToStress,
    planned: await plannedWateringsUntil(now, block, daysToStress, startedPlanned),
    confidence: adviceConfidence(reasons, amounts),
    reasons,
    doubts: [],
    tension,
  };
}
