import { isOnProbe } from '../../../domain/facts/watering-facts.ts';
import type { Call, PendingWork, RequiredWork } from '../../../operation/call.ts';
import { pendingUndo } from '../../../store/changes/pending-parts.ts';
import { moduleById, moduleIdsOfParcel } from '../../../store/company/modules.ts';
import { versionById } from '../../../store/irrigation/installations.ts';
import { hasPendingDoses } from '../../../store/irrigation/pending-doses.ts';
import {
  hasPendingRegenerations,
  hasPendingWaterings,
  pendingRegenerations,
} from '../../../store/irrigation/pending-regenerations.ts';
import {
  activeSchedulesOf,
  scheduleById,
  schedulesBehind,
  schedulesWithDue,
} from '../../../store/irrigation/schedules.ts';
import { storedWateringById } from '../../../store/irrigation/waterings.ts';
import { companyIdOf } from '../../../store/scope/company-db.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import { completePendingDoses } from '../doses/pending-doses.ts';
import { applyPendingRegenerations } from './pending-regenerations.ts';
import { advanceSchedules } from './schedule-progress.ts';

// What the waterings of an operation wait for, by the probes that its card names. Most companies have
// nothing pending, which one statement finds out, so probes are looked up after it.

interface AffectedWaterings {
  /** Default: all. */
  readonly moduleIds?: readonly number[];
  /** Parcels whose own waterings count too. */
  readonly parcelIds?: readonly number[];
  /** Only those that this schedule planned. */
  readonly scheduleId?: number;
}

export type FindAffected = (db: CompanyDb) => Promise<AffectedWaterings>;

export const ofCompany: FindAffected = async () => ({});

export const ofProbe =
  (moduleId: number): FindAffected =>
  async () => ({ moduleIds: [moduleId] });

export const ofParcel =
  (parcelId: number): FindAffected =>
  async (db) => ({ moduleIds: await moduleIdsOfParcel(db, parcelId), parcelIds: [parcelId] });

/** The probe and the others of its parcel, which share its valve and witness its waterings. */
export const ofProbeAndParcel =
  (moduleId: number): FindAffected =>
  async (db) => {
    const parcelId = (await moduleById(db, moduleId))?.parcelId ?? null;
    return parcelId === null ? { moduleIds: [moduleId] } : ofParcel(parcelId)(db);
  };

export const ofSchedule =
  (scheduleId: number): FindAffected =>
  async (db) => {
    const schedule = await scheduleById(db, scheduleId);
    if (schedule === null) return { scheduleId, moduleIds: [] };
    const target = { moduleId: schedule.targetModuleId, parcelId: schedule.targetParcelId };
    return { scheduleId, ...(await ofTarget(target)(db)) };
  };

/** The probe of a watering, or its parcel. */
export const ofWatering =
  (id: number, ofItsProbe = ofProbe): FindAffected =>
  async (db) => {
    const watering = await storedWateringById(db, id);
    if (watering === null) return { moduleIds: [] };
    return isOnProbe(watering)
      ? ofItsProbe(watering.moduleId)(db)
      : ofTarget({ parcelId: watering.parcelId })(db);
  };

/** The probes of a version of equipment. */
export const ofVersion =
  (id: number): FindAffected =>
  async (db) => {
    const version = await versionById(db, id);
    return version === null ? { moduleIds: [] } : ofTarget(version)(db);
  };

/**
 * What several find, as one: each pending work takes an attempt of the call, of which there are few.
 */
export const ofAll =
  (finds: readonly FindAffected[]): FindAffected =>
  async (db) => {
    const moduleIds = new Set<number>();
    const parcelIds = new Set<number>();
    for (const findAffected of finds) {
      const affected = await findAffected(db);
      if (affected.moduleIds === undefined) return {};
      for (const id of affected.moduleIds) moduleIds.add(id);
      for (const id of affected.parcelIds ?? []) parcelIds.add(id);

      // Of a schedule that was removed, only its occurrences say which probes it watered.
      const { scheduleId } = affected;
      const pending =
        scheduleId === undefined ? [] : await pendingRegenerations(db, { scheduleId });
      for (const { moduleId } of pending) moduleIds.add(moduleId);
    }
    return { moduleIds: [...moduleIds], parcelIds: [...parcelIds] };
  };

interface Target {
  readonly moduleId?: number | null | undefined;
  readonly parcelId?: number | null | undefined;
  readonly scheduleId?: number | null | undefined;
}

/** The first of these that is sent counts; without any, the whole company. */
export function ofTarget({ moduleId, parcelId, scheduleId }: Target, ofItsProbe = ofProbe) {
  if (moduleId != null) return ofItsProbe(moduleId);
  if (parcelId != null) return ofParcel(parcelId);
  return scheduleId == null ? ofCompany : ofSchedule(scheduleId);
}

/**
 * Occurrences that a change has not planned or removed yet, and doses that it has not completed.
 */
export const pendingWaterings =
  (findAffected: FindAffected): PendingWork =>
  async ({ db }) => {
    if (!(await hasPendingWaterings(db))) return null;

    const { moduleIds, scheduleId } = await findAffected(db);
    const regenerations = scheduleId === undefined ? { moduleIds } : { scheduleId };
    // An undo may take waterings back, and which ones is known only as it does.
    const hasDoses = (await pendingUndo(db)) !== null || (await hasPendingDoses(db, { moduleIds }));
    const hasRegenerations = await hasPendingRegenerations(db, regenerations);
    if (!hasDoses && !hasRegenerations) return null;

    const companyId = companyIdOf(db);
    return {
      async needed(store) {
        if (hasDoses) await completePendingDoses(store, companyId, { moduleIds });
        if (hasRegenerations) await applyPendingRegenerations(store, companyId, regenerations);
      },
    };
  };

/**
 * Past occurrences that are not planned, because no process has run for longer than is planned ahead.
 * Without them a call is answered while the store accepts no writes.
 */
const unplannedWaterings =
  (findAffected: FindAffected): PendingWork =>
  async ({ db, now, skipsOptionalWork }) => {
    if (skipsOptionalWork) return null;
    const behind = await schedulesBehind(db, now);
    if (behind.length === 0) return null;

    const { moduleIds, parcelIds = [] } = await findAffected(db);
    if (moduleIds === undefined) return scheduleProgress({ db, now }, behind);
    const targets = { moduleIds, parcelIds };
    const affected = new Set((await activeSchedulesOf(db, targets)).map(({ id }) => id));
    return scheduleProgress(
      { db, now },
      behind.filter((id) => affected.has(id)),
    );
  };

/** Past occurrences of automatic schedules that are not confirmed yet. Optional as well. */
const dueWaterings =
  (findAffected: FindAffected): PendingWork =>
  async ({ db, now, skipsOptionalWork }) => {
    if (skipsOptionalWork) return null;
    const withDue = await schedulesWithDue(db, now);
    if (withDue.length === 0) return null;

    const { moduleIds, parcelIds = [] } = await findAffected(db);
    return scheduleProgress(
      { db, now },
      moduleIds === undefined ? withDue : await schedulesWithDue(db, now, { moduleIds, parcelIds }),
    );
  };

function scheduleProgress(
  { db, now }: Pick<Call, 'db' | 'now'>,
  scheduleIds: readonly number[],
): RequiredWork | null {
  if (scheduleIds.length === 0) return null;
  const companyId = companyIdOf(db);
  return {
    needed: (store) => advanceSchedules(store, companyId, scheduleIds, now),
    isOptional: true,
  };
}

/** For what is derived from waterings, and reads their status by their time. */
export const plannedWaterings = (findAffected: FindAffected): readonly PendingWork[] => [
  pendingWaterings(findAffected),
  unplannedWaterings(findAffected),
];

/** For waterings that are returned with their stored status. */
export const confirmedWaterings = (findAffected: FindAffected): readonly PendingWork[] => [
  ...plannedWaterings(findAffected),
  dueWaterings(findAffected),
];
