import type { EquipmentVersion } from '../../../domain/irrigation/equipment-timeline.ts';
import {
  countOccurrences,
  missingOccurrences,
  type OccurrenceWindow,
  type PlannedCount,
} from '../../../domain/irrigation/occurrence-planner.ts';
import {
  earliestScheduledStart,
  type ScheduledTime,
  scheduledTimesWithin,
} from '../../../domain/irrigation/recurrence.ts';
import type { WriteContext } from '../../../operation/call.ts';
import { probeIdsOfParcel } from '../../../store/company/modules.ts';
import {
  ownAndParcelVersions,
  ownVersions,
  versionsByProbe,
} from '../../../store/irrigation/installations.ts';
import { addOccurrences } from '../../../store/irrigation/occurrence-writes.ts';
import { completePastOccurrences, occupiedStarts } from '../../../store/irrigation/occurrences.ts';
import { type Schedule, setMaterializedUntil } from '../../../store/irrigation/schedules.ts';
import { equipmentFinder, type VolumeArea, volumeAreaOf } from './volume-area.ts';

export const targetProbes = async (
  { db }: Pick<WriteContext, 'db'>,
  { targetModuleId, targetParcelId }: Pick<Schedule, 'targetModuleId' | 'targetParcelId'>,
): Promise<number[]> =>
  targetModuleId !== null ? [targetModuleId] : probeIdsOfParcel(db, targetParcelId!);

/** A probe, or null for a parcel that has none and is watered itself. */
export type PlannedTarget = number | null;

/** What a schedule waters: at least one target. */
export async function plannedTargets(
  context: Pick<WriteContext, 'db'>,
  schedule: Pick<Schedule, 'targetModuleId' | 'targetParcelId'>,
): Promise<PlannedTarget[]> {
  const probes = await targetProbes(context, schedule);
  return probes.length === 0 ? [null] : probes;
}

export async function occurrenceWindow(
  context: WriteContext,
  schedule: Schedule,
  moduleIds: readonly PlannedTarget[],
  times: readonly ScheduledTime[],
  knownArea?: VolumeArea | null,
): Promise<OccurrenceWindow> {
  const versions = await versionsByTarget(context, schedule, moduleIds);
  const area = knownArea === undefined ? await volumeAreaOf(context, schedule) : knownArea;
  const findEquipment = equipmentFinder(area);
  const { amount, durationMin, timezone } = schedule;
  return {
    timezone,
    input: { amount, durationMin },
    moduleIds,
    times,
    equipmentAt: (moduleId, at) => findEquipment(versions.get(moduleId) ?? [], at),
    now: context.now,
  };
}

export async function versionsByTarget(
  { db }: WriteContext,
  { targetParcelId }: Schedule,
  targets: readonly PlannedTarget[],
): Promise<ReadonlyMap<PlannedTarget, EquipmentVersion[]>> {
  const moduleIds = targets.filter((id) => id !== null);
  const versions = new Map<PlannedTarget, EquipmentVersion[]>(
    targetParcelId === null ? [] : await versionsByProbe(db, targetParcelId, moduleIds),
  );
  if (targetParcelId !== null && targets.includes(null))
    versions.set(null, await ownVersions(db, { parcelId: targetParcelId }));
  if (targetParcelId === null)
    for (const id of moduleIds) versions.set(id, await ownAndParcelVersions(db, id));
  return versions;
}

/** Counts the occurrences that a schedule would have; `from` and `to` are included. */
export async function forecastOccurrences(
  context: WriteContext,
  schedule: Schedule,
  from: number,
  to: number,
): Promise<PlannedCount> {
  const times = scheduledTimesWithin(schedule, from, to);
  return countOccurrences(
    await occurrenceWindow(context, schedule, await plannedTargets(context, schedule), times),
  );
}

async function materializeWindow(
  context: WriteContext,
  schedule: Schedule,
  { from, to }: { readonly from: number; readonly to: number },
  limit: number,
): Promise<{ produced: number; isWhole: boolean }> {
  const times = scheduledTimesWithin(schedule, from, to);
  if (times.length === 0) return { produced: 0, isWhole: true };

  const window = await occurrenceWindow(
    context,
    schedule,
    await plannedTargets(context, schedule),
    times,
  );

  const existing = await occupiedStarts(
    context.db,
    schedule.id,
    earliestScheduledStart(from, schedule.timezone),
  );
  const missing = missingOccurrences(window, existing);
  const added = missing.slice(0, limit);
  await addOccurrences(context.db, schedule, added, context.now);

  return { produced: added.length, isWhole: added.length === missing.length };
}

export const confirmPastOccurrences = async (
  { db, now }: WriteContext,
  schedule: Schedule,
  limit: number = Number.MAX_SAFE_INTEGER,
): Promise<number> =>
  schedule.autoConfirmFrom === null
    ? 0
    : completePastOccurrences(db, schedule.id, schedule.autoConfirmFrom, now, limit);

/** Adds at most `limit` occurrences; if more are missing, the schedule stays as it is. */
export async function extendPlanning(
  context: WriteContext,
  schedule: Schedule,
  until: number,
  limit: number = Number.MAX_SAFE_INTEGER,
): Promise<{ schedule: Schedule; produced: number }> {
  const from = schedule.materializedUntil;
  if (!schedule.isActive || from === null || until <= from) return { schedule, produced: 0 };
  const window = { from: from + 1, to: until };
  const { produced, isWhole } = await materializeWindow(context, schedule, window, limit);
  if (!isWhole) return { schedule, produced };
  await setMaterializedUntil(context.db, schedule.id, until);
  return { schedule: { ...schedule, materializedUntil: until }, produced };
}
