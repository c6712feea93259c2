import { DAY_MS } from '../../domain/periods.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { AdviceBody } from '../../schema/advice/advice.ts';
import type { TensionBody } from '../../schema/moisture/series.ts';
import { type AdviceInputs, type AdviceOperations, DRYING_RATE_DAYS } from './advice-inputs.ts';
import { adviceConfidence, timelinessReasons } from './advice-reasons.ts';
import { parseInstantOrNull, wateringsOfParcel } from './operation-reads.ts';
import { planUntilStress } from './planned-waterings.ts';
import { recentRain } from './weather.ts';

/**
 * Tension tells whether to water, not how much: how much water a rise of tension means depends on
 * the soil.
 */
export async function adviseByTension(
  call: ComposedCall,
  operations: AdviceOperations,
  { module, rain, state: { time } }: AdviceInputs,
  tension: TensionBody,
): Promise<AdviceBody> {
  const { now } = call;
  const wateringsIn = (period: Parameters<typeof wateringsOfParcel>[2]) =>
    wateringsOfParcel(operations, module, period);

  const waterings = await wateringsIn({ from: now - DRYING_RATE_DAYS * DAY_MS, to: now + 1 });
  const done = waterings.filter(({ status }) => status === 'done');
  const startedPlanned = waterings.filter(({ status }) => status === 'planned');
  const newestAt = parseInstantOrNull(time);
  const recent = recentRain(call, { newestAt, depths: [], done, module, rain });
  if (recent !== null)
    call.advise({ kind: 'recent_rain', mm: recent.mm, isShown: false, effectiveMm: null });

  const reasons = timelinessReasons({ newestAt, done, startedPlanned }, now);
  if (recent !== null) reasons.push('RECENT_RAIN');
  if (tension.dryLevel === null) reasons.push('NO_DRY_LEVEL');
  reasons.push('TENSION_ONLY');

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
    planned: await planUntilStress(now, wateringsIn, daysToStress, startedPlanned),
    confidence: adviceConfidence(reasons, amounts),
    reasons,
    doubts: [],
    tension,
  };
}
