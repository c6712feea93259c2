import { completeDose, freezeDose, type MissingDoseReason, missingDoseReason } from '../../domain/irrigation/dose.ts';
import { effectiveVersion } from '../../domain/irrigation/setup-timeline.ts';
import type { WriteContext } from '../../operation/call.ts';
import type { MissingDosesBody } from '../../schema/installation.ts';
import { applicableVersions } from '../../store/irrigation/installations.ts';
import { dosedWaterings, incompleteWaterings, setDose, type Watering } from '../../store/irrigation/waterings.ts';
import { toIsoOrNull } from '../wire-format.ts';

const notSkipped = (waterings: readonly Watering[]) => waterings.filter((each) => each.status !== 'skipped');

/** Never changes a recorded dose. Returns the number completed. */
export async function completeDoses(call: WriteContext, moduleId: number): Promise<number> {
  const versions = await applicableVersions(call.db, moduleId);
  let completed = 0;
  for (const watering of notSkipped(await incompleteWaterings(call.db, moduleId))) {
    const dose = completeDose(watering.amount, watering, effectiveVersion(versions, watering.startedAt), call.now);
    if (!dose) continue;
    await setDose(call.db, watering.id, dose);
    completed += 1;
  }
  return completed;
}

/** Recorded doses in [from, to) that differ from what the setups would give now; ms. */
export async function countOutdatedDoses(
  { db, now }: WriteContext,
  moduleId: number,
  from: number,
  to: number | null,
): Promise<number> {
  const versions = await applicableVersions(db, moduleId);
  return notSkipped(await dosedWaterings(db, moduleId, from, to)).filter((watering) => {
    const dose = freezeDose(watering.amount, effectiveVersion(versions, watering.startedAt), now);
    return dose.waterMm !== watering.waterMm || dose.waterMmWetted !== watering.waterMmWetted;
  }).length;
}

export async function summarizeMissingDoses(
  call: WriteContext,
  moduleId: number,
): Promise<{ missing: MissingDosesBody; byReason: Partial<Record<MissingDoseReason, number>> }> {
  const versions = await applicableVersions(call.db, moduleId);
  const without = notSkipped(await incompleteWaterings(call.db, moduleId)).filter((each) => each.waterMm === null);
  const byReason: Partial<Record<MissingDoseReason, number>> = {};
  let oldest: number | null = null;
  for (const watering of without) {
    const reason = missingDoseReason(watering.amount.mode, effectiveVersion(versions, watering.startedAt) !== null);
    byReason[reason] = (byReason[reason] ?? 0) + 1;
    if (reason === 'NO_INSTALLATION') oldest ??= watering.startedAt;
  }
  const missing = {
    count: without.length,
    withoutInstallation: byReason.NO_INSTALLATION ?? 0,
    oldestWithoutInstallation: toIsoOrNull(oldest),
  };
  return { missing, byReason };
}
