import { PLANNING_PERIOD_MS } from '../../../domain/irrigation/occurrence-planner.ts';
import { earliestScheduledStart } from '../../../domain/irrigation/recurrence.ts';
import type { WriteContext } from '../../../operation/call.ts';
import {
  hasOccurrencesOfParcel,
  modulesWithOccurrences,
} from '../../../store/irrigation/occurrences.ts';
import {
  addPendingRegenerations,
  type PendingRegeneration,
  pendingRegenerations,
} from '../../../store/irrigation/pending-regenerations.ts';
import {
  deleteOccurrencesOfParcel,
  type OccurrenceOwner,
  occurrenceGroupsOf,
} from '../../../store/irrigation/removals.ts';
import {
  activeSchedules,
  type Schedule,
  setMaterializedUntil,
} from '../../../store/irrigation/schedules.ts';
import type { WateredTargets } from '../../../store/irrigation/watering-target.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import { type PlannedTarget, plannedTargets, targetProbes } from './occurrences.ts';
import {
  applyRegenerations,
  mergePlans,
  NOTHING_REGENERATED,
  type RegenerationResult,
  regenerateOnParcel,
} from './regeneration-steps.ts';
import {
  DOSES_WITH_EQUIPMENT,
  OCCURRENCES_PER_STEP,
  REGENERATIONS_PER_STEP,
} from './step-limits.ts';
import { isParcelVolumeSchedule } from './volume-area.ts';

// A change of a schedule or of equipment regenerates the planned occurrences of each probe. One
// transaction does so for a limited number, so that others can write soon, and records the
// remaining probes as pending regenerations. Later transactions apply these with the same result.
// Until then, every read of the waterings of such a probe applies its regenerations first.

/**
 * Regenerates the planned occurrences of a schedule that changed now: those after now, and for a
 * resumed schedule also one that starts at this very instant. Records what exceeds `limit`
 * occurrences as pending regenerations.
 */
export async function regenerateOccurrences(
  context: WriteContext,
  schedule: Schedule,
  movedStartTimes: ReadonlyMap<string, string> = new Map(),
  limit = OCCURRENCES_PER_STEP,
): Promise<RegenerationResult> {
  const { db, now } = context;
  // A paused schedule has no planned period, so an active one without it is new or resumed.
  const startsNow = schedule.isActive && schedule.materializedUntil === null;

  if (schedule.isActive)
    await setMaterializedUntil(
      db,
      schedule.id,
      Math.max(schedule.materializedUntil ?? now, now + PLANNING_PERIOD_MS),
    );

  const scheduledFrom = earliestScheduledStart(now, schedule.timezone);
  const targets = await plannedTargets(context, schedule);
  const moduleIds = new Set([
    ...targets.filter((id) => id !== null),
    ...(await modulesWithOccurrences(db, schedule.id, scheduledFrom)),
  ]);
  // What is pending here is the deletion of a removed module's occurrences: any other regeneration
  // was applied before the schedule changed.
  for (const { moduleId } of await pendingRegenerations(db, { scheduleId: schedule.id }))
    moduleIds.delete(moduleId);

  const change = {
    scheduleId: schedule.id,
    changedAt: now,
    regenerateFrom: startsNow ? now : now + 1,
    movedStartTimes,
    isRemoval: false,
  };

  const onProbes = await regenerateOrDefer(
    db,
    [...moduleIds].sort((a, b) => a - b).map((moduleId) => ({ ...change, moduleId })),
    limit,
  );
  const isOnParcel =
    targets.includes(null) || (await hasOccurrencesOfParcel(db, schedule.id, scheduledFrom));
  return isOnParcel ? mergeResults([onProbes, await regenerateOnParcel(db, change)]) : onProbes;
}

/** Regenerates one probe, or the parcel without probes, of a schedule that did not change. */
export function regenerateOccurrencesOf(
  { db, now }: WriteContext,
  scheduleId: number,
  target: PlannedTarget,
): Promise<RegenerationResult> {
  const change = {
    scheduleId,
    changedAt: now,
    regenerateFrom: now + 1,
    movedStartTimes: new Map(),
    isRemoval: false,
  };
  return target === null
    ? regenerateOnParcel(db, change)
    : regenerateOrDefer(db, [{ ...change, moduleId: target }], OCCURRENCES_PER_STEP);
}

/**
 * Deletes all occurrences of schedules and modules that are removed. If they are too many for one
 * transaction, records their deletion as pending regenerations.
 */
export async function removeOccurrencesOfOwners(
  { db, now }: WriteContext,
  owners: readonly OccurrenceOwner[],
): Promise<{ readonly count: number; readonly pending: readonly PendingRegeneration[] }> {
  const removals = new Map<string, PendingRegeneration>();
  let count = 0;
  let deleted = 0;

  for (const owner of owners) {
    if (owner.table === 'schedules') deleted += await deleteOccurrencesOfParcel(db, owner.id, now);
    for (const group of await occurrenceGroupsOf(db, owner)) {
      const { scheduleId, moduleId } = group;
      // A change can remove both the schedule and the module.
      const key = `${scheduleId} ${moduleId}`;
      if (removals.has(key)) continue;

      count += group.count;
      removals.set(key, {
        scheduleId,
        moduleId,
        changedAt: now,
        regenerateFrom: null,
        movedStartTimes: new Map(),
        isRemoval: true,
      });
    }
  }

  // Counting them takes its time too, so a transaction that cannot delete all of them deletes none.
  const isSmall = count <= OCCURRENCES_PER_STEP && removals.size <= REGENERATIONS_PER_STEP;
  const limit = isSmall ? Number.POSITIVE_INFINITY : 0;
  const { pending } = await regenerateOrDefer(db, [...removals.values()], limit);
  return { count: count + deleted, pending };
}

async function regenerateOrDefer(
  db: CompanyDb,
  regenerations: readonly PendingRegeneration[],
  limit: number,
): Promise<RegenerationResult> {
  const result = await applyRegenerations(db, regenerations, { occurrences: limit });
  await addPendingRegenerations(db, result.pending);
  return result;
}

/**
 * Gives planned occurrences the dose of the changed equipment of these probes. The schedules have
 * been brought up to date.
 */
export const updateDosesOfSchedules = (
  context: WriteContext,
  schedules: readonly Schedule[],
  changed: WateredTargets,
): Promise<RegenerationResult> =>
  regenerateWithSharedLimit(schedules, DOSES_WITH_EQUIPMENT, (schedule, limit) =>
    updateDosesOfSchedule(context, schedule, changed, limit),
  );

async function updateDosesOfSchedule(
  context: WriteContext,
  schedule: Schedule,
  { moduleIds, parcelIds }: WateredTargets,
  limit: number,
): Promise<RegenerationResult> {
  const targets = await targetProbes(context, schedule);
  const ofChange = new Set(moduleIds);
  const changed = targets.filter((id) => ofChange.has(id));
  // The area of one probe is part of that over which the volume of the parcel is spread.
  const probes = isParcelVolumeSchedule(schedule) && changed.length > 0 ? targets : changed;
  const change = {
    scheduleId: schedule.id,
    changedAt: context.now,
    regenerateFrom: null,
    movedStartTimes: new Map(),
    isRemoval: false,
  };

  const { targetParcelId } = schedule;
  if (targets.length === 0)
    return targetParcelId !== null && parcelIds.includes(targetParcelId)
      ? regenerateOnParcel(context.db, change)
      : NOTHING_REGENERATED;
  return regenerateOrDefer(
    context.db,
    probes.map((moduleId) => ({ ...change, moduleId })),
    limit,
  );
}

export const regenerateAllOccurrences = async (
  context: WriteContext,
): Promise<RegenerationResult> =>
  regenerateWithSharedLimit(
    await activeSchedules(context.db),
    OCCURRENCES_PER_STEP,
    (schedule, limit) => regenerateOccurrences(context, schedule, new Map(), limit),
  );

/** All schedules together regenerate about `limitOfAll` occurrences. */
async function regenerateWithSharedLimit(
  schedules: readonly Schedule[],
  limitOfAll: number,
  regenerate: (schedule: Schedule, limit: number) => Promise<RegenerationResult>,
): Promise<RegenerationResult> {
  const results: RegenerationResult[] = [];
  let occurrences = 0;

  for (const schedule of schedules) {
    const result = await regenerate(schedule, limitOfAll - occurrences);
    occurrences += result.occurrences;
    results.push(result);
  }

  return mergeResults(results);
}

const mergeResults = (results: readonly RegenerationResult[]): RegenerationResult => ({
  plan: mergePlans(results.map(({ plan }) => plan)),
  updatedDoses: results.reduce((sum, { updatedDoses }) => sum + updatedDoses, 0),
  missingDoses: results.reduce((sum, { missingDoses }) => sum + missingDoses, 0),
  occurrences: results.reduce((sum, { occurrences }) => sum + occurrences, 0),
  pending: results.flatMap(({ pending }) => pending),
});
