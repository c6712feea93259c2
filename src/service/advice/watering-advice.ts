import type { DryingRate } from '../../domain/advice/drying-rate.ts';
import { rootZoneDeficit, type WaterDeficit, waterToRefill } from '../../domain/advice/watering-advice.ts';
import { roundTo as toDecimals } from '../../domain/decimal.ts';
import { sumDoses } from '../../domain/irrigation/dose.ts';
import { DAY_MS } from '../../domain/periods.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { AdviceBody } from '../../schema/advice.ts';
import { roundAmount, roundAmountOrNull, toIso, toIsoOrNull } from '../wire-format.ts';
import {
  type AdviceInputs,
  type AdviceOperations,
  drawnFieldCapacity,
  implausiblyDrySlices,
  loadAdviceInputs,
  rootZoneSlices,
} from './advice-inputs.ts';
import { adviceConfidence, adviceReasons } from './advice-reasons.ts';
import { runPeriod, wateringsBetween } from './operation-reads.ts';
import { forecastStress } from './stress-forecast.ts';

/** So far ahead planned waterings are looked at where no day of stress is known, in days. */
const DEFAULT_AHEAD_DAYS = 7;
/** So far ahead schedules produce them. */
const SCHEDULE_HORIZON_DAYS = 90;

const MINUTE_DECIMALS = 1;
const DAY_DECIMALS = 1;

const NO_WATER = { waterMm: null, durationMin: null, volumeM3: null };

/** How much water a probe's root zone lacks, what that is with its own equipment, and when stress would come. */
export async function adviseWatering(
  call: ComposedCall,
  operations: AdviceOperations,
  moduleId: number,
  refillPercent: number,
): Promise<AdviceBody> {
  const inputs = await loadAdviceInputs(call, operations, moduleId);
  const deficit = rootZoneDeficit(rootZoneSlices(inputs), drawnFieldCapacity(inputs));
  const water = deficit === null ? NO_WATER : waterToRefill(deficit.deficitMm, refillPercent, inputs.installation);
  const stress = await forecastStress(call, operations, moduleId, inputs);
  const reasons = adviceReasons(inputs, { deficit, water, stress: stress.reason }, call.now);
  noteDeficitSlices(call, inputs, deficit);
  if (stress.pace !== null) noteDryingPace(call, stress.pace);
  const amounts = {
    deficitMm: deficit && roundAmount(deficit.deficitMm),
    waterMm: roundAmountOrNull(water.waterMm),
    durationMin: water.durationMin === null ? null : toDecimals(water.durationMin, MINUTE_DECIMALS),
    volumeM3: roundAmountOrNull(water.volumeM3),
  };
  return {
    moduleId,
    time: toIsoOrNull(inputs.newestAt),
    ...amounts,
    daysToStress: stress.days === null ? null : toDecimals(stress.days, DAY_DECIMALS),
    planned: await plannedWateringsUntil(call.now, operations, moduleId, stress.days, inputs.startedPlanned),
    confidence: adviceConfidence(reasons, amounts),
    reasons,
  };
}

/** Says which soil the deficit is of, and where it is an estimate. */
function noteDeficitSlices(call: ComposedCall, inputs: AdviceInputs, deficit: WaterDeficit | null): void {
  const last = rootZoneSlices(inputs).at(-1);
  if (deficit === null || last === undefined) return;
  call.note({ kind: 'deficit_depth', bottomCm: last.bottomCm });
  const { withoutValue, withoutLayer } = deficit;
  const dry = implausiblyDrySlices(inputs);
  if (dry.length > 0) call.note({ kind: 'too_dry_for_soil', slices: dry });
  if (withoutValue.length > 0) call.note({ kind: 'slices_without_value', slices: withoutValue });
  if (withoutLayer.length > 0) call.note({ kind: 'slices_without_layer', slices: withoutLayer });
}

/** Says by what the day of stress is foreseen. */
function noteDryingPace(call: ComposedCall, { pointsPerDay, basis, count }: DryingRate): void {
  call.note({ kind: 'drying_pace', basis, pointsPerDay: -pointsPerDay, count });
}

/** What is planned until the day of stress, tomorrow at the earliest, with what is under way. */
async function plannedWateringsUntil(
  now: number,
  operations: AdviceOperations,
  moduleId: number,
  days: number | null,
  begun: AdviceInputs['startedPlanned'],
): Promise<AdviceBody['planned']> {
  const ahead = Math.min(SCHEDULE_HORIZON_DAYS, Math.max(1, days ?? DEFAULT_AHEAD_DAYS));
  const until = Math.round(now + ahead * DAY_MS);
  const underWay = begun.filter((watering) => runPeriod(watering).end > now);
  const upcoming = await wateringsBetween(operations, moduleId, { from: now + 1, to: until, status: 'planned' });
  const planned = [...underWay, ...upcoming];
  return {
    until: toIso(until),
    count: planned.length,
    waterMm: roundAmountOrNull(sumDoses(planned.map(({ waterMm }) => waterMm))),
    nextAt: planned[0]?.startedAt ?? null,
  };
}
