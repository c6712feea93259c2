import type { Call, WriteContext } from '../../operation/call.ts';
import { completeDoses, countOutdatedDoses } from './doses.ts';
import { regenerateOccurrencesOf, settleSchedulesOf } from './occurrences.ts';

/** A stretch of time, [from, to), in ms; `to` null for no end. */
export interface EffectivePeriod {
  readonly from: number;
  readonly to: number | null;
}

/** What a change of equipment did to waterings. */
export interface EquipmentChangeEffects {
  /** Doses that were missing and are there now. */
  readonly completed: number;
  /** Planned waterings of schedules, still ahead, that got another dose. */
  readonly replanned: number;
  /** Recorded doses that are not what the changed setups would give. */
  readonly outdated: number;
}

/**
 * Changes the equipment of some probes: their schedules are brought up to now before, so that what is past keeps its
 * dose; after it missing doses are completed, and planned waterings ahead follow. `change` says in which stretch of time
 * it counts.
 */
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

/** Says what became of missing doses, of what is planned, and which doses stand as they were. */
export function noteEquipmentChange(call: Call, { completed, replanned, outdated }: EquipmentChangeEffects): void {
  if (completed > 0) call.note({ kind: 'doses_completed', count: completed });
  if (replanned > 0) call.note({ kind: 'planned_doses_updated', count: replanned });
  if (outdated > 0) call.note({ kind: 'recorded_doses_unchanged', count: outdated });
}
