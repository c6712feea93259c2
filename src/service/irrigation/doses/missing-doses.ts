import { type MissingDoseReason, missingDoseReason } from '../../../domain/irrigation/dose.ts';
import { versionAtWithParcel } from '../../../domain/irrigation/equipment-timeline.ts';
import type { Call } from '../../../operation/call.ts';
import type { MissingDosesBody } from '../../../schema/irrigation/installation.ts';
import { toIsoOrNull } from '../../../schema/wire-format.ts';
import { moduleById } from '../../../store/company/modules.ts';
import { incompleteWaterings } from '../../../store/irrigation/incomplete-waterings.ts';
import { ownAndParcelVersions } from '../../../store/irrigation/installations.ts';
import { pendingDoses } from '../../../store/irrigation/pending-doses.ts';
import { pendingRegenerations } from '../../../store/irrigation/pending-regenerations.ts';
import type { Watering } from '../../../store/irrigation/watering-columns.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import { EquipmentOfWaterings, isParcelVolume } from '../equipment-of-waterings.ts';
import { completedDose } from './dose-completion.ts';

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

interface MissingDoses {
  readonly missing: MissingDosesBody;
  readonly byReason: Partial<Record<MissingDoseReason, number>>;
  /** The waterings without a complete dose that get it after the commit. */
  readonly toComplete: number;
}

/** Advises also of doses that lack only the area of the parcel. */
export async function summarizeMissingDoses(call: Call, moduleId: number): Promise<MissingDoses> {
  const versions = await ownAndParcelVersions(call.db, moduleId);
  const pending = await pendingRegenerations(call.db, { moduleIds: [moduleId] });

  // A pending regeneration will give these occurrences their dose.
  const isPending = ({ scheduleId, status, isDetached, startedAt }: Watering): boolean =>
    status === 'planned' &&
    !isDetached &&
    pending.some(
      (regeneration) =>
        regeneration.scheduleId === scheduleId && regeneration.changedAt < startedAt,
    );

  const incomplete = (await incompleteWaterings(call.db, moduleId)).filter(
    ({ status }) => status !== 'skipped',
  );
  const toComplete = await pendingCompletion(call.db, moduleId, incomplete);
  const withoutDose = incomplete.filter(
    (watering) => watering.waterMm === null && !isPending(watering) && !toComplete.has(watering),
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

  return { missing, byReason, toComplete: toComplete.size };
}

/** The waterings that will get a dose after the commit. */
async function pendingCompletion(
  db: CompanyDb,
  moduleId: number,
  waterings: readonly Watering[],
): Promise<ReadonlySet<Watering>> {
  const toComplete = new Set<Watering>();
  const [pending] = await pendingDoses(db, { moduleIds: [moduleId] }, 1);
  if (pending === undefined) return toComplete;

  const equipmentOf = new EquipmentOfWaterings(db);
  for (const watering of waterings)
    if (await completedDose(equipmentOf, watering, pending)) toComplete.add(watering);
  return toComplete;
}
