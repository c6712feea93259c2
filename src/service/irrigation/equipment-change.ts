import type { Call, WriteContext } from '../../operation/call.ts';
import { completeDoses, countOutdatedDoses } from './doses.ts';
import { regenerateOccurrencesOf, settleSchedulesOf } from './occurrences.ts';

/** [from, to) in ms; `to` null for no end. */
export interface EffectivePeriod {
  readonly from: number;
  readonly to: number | null;
}

export interface EquipmentChangeEffects {
  readonly completed: number;
  readonly replanned: number;
  readonly outdated: number;
}

/** Schedules are settled before the change, so that past waterings keep their dose. */
export async function applyEquipmentChange<S extends EffectivePeriod>(
  context: WriteContext,
  moduleIds: readonly number[],
  change: () => Promise<S>,
): Promise<EquipmentChangeEffects & { readonly span: S }> {
  await settleSchedulesOf(context, moduleIds);
  const span = await change();
  const replanned = await regenerateOccurrencesOf(context, moduleIds);
  let completed = 0;
  let outdated = 0;
  for (const id of moduleIds) {
    completed += await completeDoses(context, id);
    outdated += await countOutdatedDoses(context, id, span.from, span.to);
  }
  return { span, completed, replanned, outdated };
}

export function noteEquipmentChange(call: Call, { completed, replanned, outdated }: EquipmentChangeEffects): void {
  if (completed > 0) call.note({ kind: 'doses_completed', count: completed });
  if (replanned > 0) call.note({ kind: 'planned_doses_updated', count: replanned });
  if (outdated > 0) call.note({ kind: 'recorded_doses_unchanged', count: outdated });
}
