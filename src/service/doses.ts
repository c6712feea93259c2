import { completeDose, type DoseLack, freezeDose, lackOf } from '../domain/dose.ts';
import { effectiveVersion } from '../domain/setup-timeline.ts';
import type { Books } from '../operation/call.ts';
import type { MissingDosesBody } from '../schema/installation.ts';
import { applicableVersions } from '../store/installations.ts';
import { dosedWaterings, incompleteWaterings, setDose, type Watering } from '../store/waterings.ts';
import { isoOrNull } from './wire.ts';

const counted = (waterings: readonly Watering[]) => waterings.filter((each) => each.status !== 'skipped');

/** Completes the doses of a probe that its setups can complete now; a recorded dose is never touched. Returns how many. */
export async function completeDoses(call: Books, moduleId: number): Promise<number> {
  const versions = await applicableVersions(call.db, moduleId);
  let completed = 0;
  for (const watering of counted(await incompleteWaterings(call.db, moduleId))) {
    const dose = completeDose(watering, watering, effectiveVersion(versions, watering.startedAt), call.now);
    if (!dose) continue;
    await setDose(call.db, watering.id, dose);
    completed += 1;
  }
  return completed;
}

/**
 * How many recorded doses of a probe in [from, to) are not what its setups, as they stand now, would give; instants in
 * ms, `to` null for no end.
 */
export async function keptDoses(
  { db, now }: Books,
  moduleId: number,
  from: number,
  to: number | null,
): Promise<number> {
  const versions = await applicableVersions(db, moduleId);
  return counted(await dosedWaterings(db, moduleId, from, to)).filter((watering) => {
    const dose = freezeDose(watering, effectiveVersion(versions, watering.startedAt), now);
    return dose.waterMm !== watering.waterMm || dose.waterMmWetted !== watering.waterMmWetted;
  }).length;
}

/** What is still missing on a probe, and why. */
export async function missingDosesOf(
  call: Books,
  moduleId: number,
): Promise<{ missing: MissingDosesBody; byReason: Partial<Record<DoseLack, number>> }> {
  const versions = await applicableVersions(call.db, moduleId);
  const without = counted(await incompleteWaterings(call.db, moduleId)).filter((each) => each.waterMm === null);
  const byReason: Partial<Record<DoseLack, number>> = {};
  let oldest: number | null = null;
  for (const watering of without) {
    const reason = lackOf(watering.inputMode, effectiveVersion(versions, watering.startedAt) !== null);
    byReason[reason] = (byReason[reason] ?? 0) + 1;
    if (reason === 'NO_INSTALLATION') oldest ??= watering.startedAt;
  }
  const missing = {
    count: without.length,
    withoutInstallation: byReason.NO_INSTALLATION ?? 0,
    oldestWithoutInstallation: isoOrNull(oldest),
  };
  return { missing, byReason };
}
