import { DAY_MS } from '../../domain/periods.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { AdviceBody, AdviceReason } from '../../schema/advice.ts';
import type { TensionBody } from '../../schema/series.ts';
import { type AdviceInputs, type AdviceOperations, DRYING_RATE_DAYS } from './advice-inputs.ts';
import { adviceConfidence, timelinessReasons } from './advice-reasons.ts';
import { blockWaterings } from './operation-reads.ts';
import { plannedWateringsUntil } from './planned-waterings.ts';
import { recentRain } from './recent-rain.ts';

/** Tension tells whether to water, not how much: how much water a rise of tension means depends on the soil. */
export async function adviseByTension(
  call: ComposedCall,
  operations: AdviceOperations,
  { module, rain, state: { time } }: AdviceInputs,
  tension: TensionBody,
): Promise<AdviceBody> {
  const { now } = call;
  const block = (period: Parameters<typeof blockWaterings>[2]) => blockWaterings(operations, module, period);
  const waterings = await block({ from: now - DRYING_RATE_DAYS * DAY_MS, to: now + 1 });
  const done = waterings.filter(({ status }) => status === 'done');
  const startedPlanned = waterings.filter(({ status }) => status === 'planned');
  const newestAt = time === null ? null : Date.parse(time);
  const fallen = recentRain(call, { newestAt, depths: [], done, module, rain });
  if (fallen !== null) call.note({ kind: 'recent_rain', mm: fallen.mm, isShown: false, effectiveMm: null });
  const reasons: AdviceReason[] = [
    ...timelinessReasons({ newestAt, done, startedPlanned }, now),
    ...(fallen === null ? [] : (['RECENT_RAIN'] as const)),
    ...(tension.dryLevel === null ? (['NO_DRY_LEVEL'] as const) : []),
    'TENSION_ONLY',
  ];
  const daysToStress = tension.isDry ? 0 : null;
  const amounts = { deficitMm: null, netMm: null, waterMm: null, durationMin: null, daily: null, volumeM3: null };
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
