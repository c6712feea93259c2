import { completeDose, type Dose } from '../../../domain/irrigation/dose.ts';
import { lastOf } from '../../../domain/items.ts';
import type { WriteContext } from '../../../operation/call.ts';
import {
  incompleteWateringsAmong,
  incompleteWateringsOfParcels,
} from '../../../store/irrigation/incomplete-waterings.ts';
import type { PendingDoses } from '../../../store/irrigation/pending-doses.ts';
import type { StoredWatering } from '../../../store/irrigation/watering-columns.ts';
import { setDoses } from '../../../store/irrigation/waterings.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import { EquipmentOfWaterings } from '../equipment-of-waterings.ts';

/** About how many waterings one transaction gives a dose, or takes it back from. */
export const WATERINGS_PER_STEP = 300;
/** Finding the waterings of a probe takes time too, so it counts at least as this many. */
export const WATERINGS_PER_PROBE = 5;

/** Null if the watering gets none, or has it. */
export async function completedDose(
  equipmentOf: EquipmentOfWaterings,
  watering: StoredWatering,
  { changedAt }: Pick<PendingDoses, 'changedAt'>,
): Promise<Dose | null> {
  if (watering.status === 'skipped') return null;
  const equipment = await equipmentOf.find(watering);
  return completeDose(watering.amount, watering, equipment, changedAt);
}

export interface CompletedDoses<Pending extends PendingDoses = PendingDoses> {
  readonly completed: number;
  /** The probes whose waterings remain to be completed. */
  readonly pending: readonly Pending[];
}

/**
 * Of parcels that have no probe: each has one watering where others have one for each probe, so all
 * of them are completed at once. Returns how many.
 */
export async function completeDosesOfParcels(
  { db, now }: WriteContext,
  parcelIds: readonly number[],
  waterings: 'recorded' | 'all',
): Promise<number> {
  const equipmentOf = new EquipmentOfWaterings(db);
  const doses: { id: number; dose: Dose }[] = [];
  for (const watering of await incompleteWateringsOfParcels(db, parcelIds)) {
    const { startedAt, scheduleId, isDetached } = watering;
    const isRecorded = startedAt <= now || scheduleId === null || isDetached;
    if (waterings === 'recorded' && !isRecorded) continue;
    const dose = await completedDose(equipmentOf, watering, { changedAt: now });
    if (dose) doses.push({ id: watering.id, dose });
  }
  await setDoses(db, doses);
  return doses.length;
}

/** Computes missing doses; never changes a recorded one. */
export async function completeSomeDoses<Pending extends PendingDoses>(
  db: CompanyDb,
  probes: readonly Pending[],
  limit = WATERINGS_PER_STEP,
): Promise<CompletedDoses<Pending>> {
  const equipmentOf = new EquipmentOfWaterings(db);
  const doses: { id: number; dose: Dose }[] = [];
  let pending: readonly Pending[] = [];
  let remaining = limit;

  for (const [index, probe] of probes.entries()) {
    const waterings = remaining > 0 ? await incompleteWateringsAmong(db, probe, remaining) : [];
    for (const watering of waterings) {
      const dose = await completedDose(equipmentOf, watering, probe);
      if (dose) doses.push({ id: watering.id, dose });
    }

    if (waterings.length >= remaining) {
      const after = waterings.length === 0 ? probe.after : lastOf(waterings);
      pending = [{ ...probe, after }, ...probes.slice(index + 1)];
      break;
    }
    remaining -= Math.max(waterings.length, WATERINGS_PER_PROBE);
  }

  await setDoses(db, doses);
  return { completed: doses.length, pending };
}
