import type { Call, WriteContext } from '../../operation/call.ts';
import { completeRecordedDoses, countOutdatedDoses } from './doses.ts';
import { followAfterCommit, type Regeneration, redoseSchedules, settleSchedulesOf } from './regeneration.ts';

/** [from, to) in ms; `to` null for no end. */
export interface EffectivePeriod {
  readonly from: number;
  readonly to: number | null;
}

export interface EquipmentChangeEffects {
  readonly completed: number;
  readonly regeneration: Regeneration;
  readonly outdated: number;
}

/** Schedules are settled before the change, so that past waterings keep their dose. */
export async function applyEquipmentChange<S extends EffectivePeriod>(
  context: WriteContext,
  moduleIds: readonly number[],
  change: () => Promise<S>,
): Promise<EquipmentChangeEffects & { readonly period: S }> {
  const schedules = await settleSchedulesOf(context, moduleIds);
  const period = await change();
  const regeneration = await redoseSchedules(context, schedules, moduleIds);
  const completed = await completeRecordedDoses(context, moduleIds);
  const outdated = await countOutdatedDoses(context, moduleIds, period);
  return { period, completed, regeneration, outdated };
}

export function noteEquipmentChange(call: Call, { completed, regeneration, outdated }: EquipmentChangeEffects): void {
  if (completed > 0) call.note({ kind: 'doses_completed', count: completed });
  const replanned = regeneration.redosed;
  if (replanned > 0) call.note({ kind: 'planned_doses_updated', count: replanned });
  followAfterCommit(call, regeneration.pending);
  if (outdated > 0) call.note({ kind: 'recorded_doses_unchanged', count: outdated });
}
