import {
  completeDose,
  computeDose,
  type Dose,
  type MissingDoseReason,
  missingDoseReason,
} from '../../domain/irrigation/dose.ts';
import { versionAtWithParcel } from '../../domain/irrigation/equipment-timeline.ts';
import type { Call, WriteContext } from '../../operation/call.ts';
import type { MissingDosesBody } from '../../schema/irrigation/installation.ts';
import { moduleById } from '../../store/company/modules.ts';
import { ownAndParcelVersions } from '../../store/irrigation/installations.ts';
import { pendingRegenerations } from '../../store/irrigation/pending-regenerations.ts';
import type { Watering } from '../../store/irrigation/watering-columns.ts';
import {
  incompleteRecordedWaterings,
  incompleteWaterings,
  incompleteWateringsOfIrrigations,
  recordedDoses,
  setDoses,
} from '../../store/irrigation/waterings.ts';
import { toIsoOrNull } from '../wire-format.ts';
import { EquipmentOfWaterings, isParcelVolume } from './equipment-of-waterings.ts';
import { applyRegenerationsAfterCommit } from './planning/pending-regenerations.ts';
import { updateDosesOfSchedules } from './planning/regeneration.ts';
import type { RegenerationResult } from './planning/regeneration-steps.ts';
import { bringSchedulesOfTargetUpToDate } from './planning/schedule-progress.ts';

const withoutSkipped = (waterings: readonly Watering[]) =>
  waterings.filter((watering) => watering.status !== 'skipped');

/** Computes missing doses; never changes a recorded one. Returns the number completed. */
export const completeDoses = async (context: WriteContext, moduleId: number): Promise<number> =>
  completeWaterings(context, await incompleteWaterings(context.db, moduleId));

/**
 * Leaves out planned occurrences, unlike `completeDoses`: a change of equipment gives them a new
 * dose anyway.
 */
export async function completeRecordedDoses(
  context: WriteContext,
  moduleIds: readonly number[],
): Promise<number> {
  const wateringsOfProbes = await incompleteRecordedWaterings(context.db, moduleIds, context.now);
  // The area of these probes may be the last that was missing to spread the volume of a whole
  // parcel.
  const irrigationIds = wateringsOfProbes
    .filter(isParcelVolume)
    .flatMap(({ irrigationId }) => irrigationId ?? []);
  const wateringsOfIrrigations = await incompleteWateringsOfIrrigations(context.db, [
    ...new Set(irrigationIds),
  ]);
  const others = wateringsOfIrrigations.filter(({ moduleId }) => !moduleIds.includes(moduleId));
  return completeWaterings(context, [...wateringsOfProbes, ...others]);
}

async function completeWaterings(
  { db, now }: WriteContext,
  waterings: readonly Watering[],
): Promise<number> {
  const equipmentOf = new EquipmentOfWaterings(db);
  const doses: { id: number; dose: Dose }[] = [];
  for (const watering of withoutSkipped(waterings)) {
    const equipment = await equipmentOf.find(watering);
    const dose = completeDose(watering.amount, watering, equipment, now);
    if (dose) doses.push({ id: watering.id, dose });
  }

  await setDoses(db, doses);
  return doses.length;
}

/** Counts recorded doses in [from, to) (ms) that differ from what the setups would give now. */
async function countOutdatedDoses(
  { db, now }: WriteContext,
  moduleIds: readonly number[],
  { from, to }: EffectivePeriod,
): Promise<number> {
  const equipmentOf = new EquipmentOfWaterings(db);
  let outdated = 0;
  for (const moduleId of moduleIds)
    for (const watering of withoutSkipped(await recordedDoses(db, moduleId, { from, to, now }))) {
      const dose = computeDose(watering.amount, await equipmentOf.find(watering), now);
      const isSame =
        dose.waterMm === watering.waterMm && dose.waterMmWetted === watering.waterMmWetted;
      if (!isSame) outdated++;
    }

  return outdated;
}

async function adviseOfUnknownParcelArea(
  call: Call,
  moduleId: number,
  count: number,
): Promise<void> {
  const parcelId = (await moduleById(call.db, moduleId))?.parcelId ?? null;
  const parcel = (await call.directory.parcels()).find(({ id }) => id === parcelId);
  if (parcel !== undefined)
    call.advise({
      kind: 'parcel_area_unknown',
      parcelId: parcel.id,
      parcel: parcel.name ?? '',
      count,
    });
}

/** Also advises of doses that lack only the area of the parcel. */
export async function summarizeMissingDoses(
  call: Call,
  moduleId: number,
): Promise<{ missing: MissingDosesBody; byReason: Partial<Record<MissingDoseReason, number>> }> {
  const versions = await ownAndParcelVersions(call.db, moduleId);
  const pending = await pendingRegenerations(call.db, { moduleId });

  // A pending regeneration will give these occurrences their dose.
  const isPending = ({ scheduleId, status, isDetached, startedAt }: Watering): boolean =>
    status === 'planned' &&
    !isDetached &&
    pending.some(
      (regeneration) =>
        regeneration.scheduleId === scheduleId && regeneration.changedAt < startedAt,
    );

  const withoutDose = withoutSkipped(await incompleteWaterings(call.db, moduleId)).filter(
    (watering) => watering.waterMm === null && !isPending(watering),
  );
  const byReason: Partial<Record<MissingDoseReason, number>> = {};
  let oldestWithoutInstallation: number | null = null;
  let withoutParcelArea = 0;

  for (const watering of withoutDose) {
    const reason = missingDoseReason(
      watering.amount.mode,
      versionAtWithParcel(versions, watering.startedAt) !== null,
    );
    byReason[reason] = (byReason[reason] ?? 0) + 1;
    if (reason === 'NO_INSTALLATION') oldestWithoutInstallation ??= watering.startedAt;
    else if (isParcelVolume(watering)) withoutParcelArea += 1;
  }

  if (withoutParcelArea > 0) await adviseOfUnknownParcelArea(call, moduleId, withoutParcelArea);
  const missing = {
    count: withoutDose.length,
    withoutInstallation: byReason.NO_INSTALLATION ?? 0,
    oldestWithoutInstallation: toIsoOrNull(oldestWithoutInstallation),
  };

  return { missing, byReason };
}

/** [from, to) in ms; `to` null for no end. */
export interface EffectivePeriod {
  readonly from: number;
  readonly to: number | null;
}

export interface EquipmentChangeEffects {
  readonly completed: number;
  readonly regeneration: RegenerationResult;
  readonly outdated: number;
}

/** Schedules are brought up to date before the change, so that past waterings keep their dose. */
export async function applyEquipmentChange(
  context: WriteContext,
  moduleIds: readonly number[],
  change: () => Promise<EffectivePeriod>,
): Promise<EquipmentChangeEffects & { readonly period: EffectivePeriod }> {
  const schedules = await bringSchedulesOfTargetUpToDate(context, moduleIds);
  const period = await change();
  const regeneration = await updateDosesOfSchedules(context, schedules, moduleIds);
  const completed = await completeRecordedDoses(context, moduleIds);
  const outdated = await countOutdatedDoses(context, moduleIds, period);
  return { period, completed, regeneration, outdated };
}

/** Reports the effects, and has what remains of them applied after the commit. */
export function finishEquipmentChange(
  call: Call,
  { completed, regeneration, outdated }: EquipmentChangeEffects,
): void {
  if (completed > 0) call.advise({ kind: 'doses_completed', count: completed });
  const withDose = regeneration.updatedDoses - regeneration.missingDoses;
  if (withDose > 0) call.advise({ kind: 'planned_doses_updated', count: withDose });
  applyRegenerationsAfterCommit(call, regeneration.pending);
  if (outdated > 0) call.advise({ kind: 'recorded_doses_unchanged', count: outdated });
}
