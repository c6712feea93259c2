import type { EquipmentVersion } from '../../../domain/irrigation/equipment-timeline.ts';
import {
  countOccurrences,
  missingOccurrences,
  type OccurrenceWindow,
  type PlannedCount,
} from '../../../domain/irrigation/occurrences.ts';
import {
  earliestScheduledStart,
  type ScheduledTime,
  scheduledTimesWithin,
} from '../../../domain/irrigation/recurrence.ts';
import { entryOf } from '../../../domain/items.ts';
import type { WriteContext } from '../../../operation/call.ts';
import { moduleById, probeIdsOfParcel } from '../../../store/company/modules.ts';
import { ownVersions } from '../../../store/irrigation/installations.ts';
import { addOccurrences } from '../../../store/irrigation/occurrence-writes.ts';
import { completePastOccurrences, occupiedStarts } from '../../../store/irrigation/occurrences.ts';
import { type Schedule, setMaterializedUntil } from '../../../store/irrigation/schedules.ts';
import { equipmentFinder, type VolumeArea, volumeAreaOf } from './volume-area.ts';

export const targetProbes = async (
  { db }: Pick<WriteContext, 'db'>,
  { targetModuleId, targetParcelId }: Schedule,
): Promise<number[]> =>
  targetModuleId !== null ? [targetModuleId] : probeIdsOfParcel(db, targetParcelId!);

export async function occurrenceWindow(
  context: WriteContext,
  schedule: Schedule,
  moduleIds: readonly number[],
  times: readonly ScheduledTime[],
  knownArea?: VolumeArea | null,
): Promise<OccurrenceWindow> {
  const versions = new Map<number, EquipmentVersion[]>();
  const versionsByParcel = new Map<number, EquipmentVersion[]>();

  for (const id of moduleIds) {
    const parcelId = (await moduleById(context.db, id))?.parcelId ?? null;
    if (parcelId !== null && !versionsByParcel.has(parcelId))
      versionsByParcel.set(parcelId, await ownVersions(context.db, { parcelId }));
    const parcelVersions = parcelId === null ? [] : entryOf(versionsByParcel, parcelId);
    versions.set(id, [...(await ownVersions(context.db, { moduleId: id })), ...parcelVersions]);
  }

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

/** Counts the occurrences that a schedule would have; `from` and `to` are included. */
export async function forecastOccurrences(
  context: WriteContext,
  schedule: Schedule,
  from: number,
  to: number,
): Promise<PlannedCount> {
  const times = scheduledTimesWithin(schedule, from, to);
  return countOccurrences(
    await occurrenceWindow(context, schedule, await targetProbes(context, schedule), times),
  );
}

async function materializeWindow(
  context: WriteContext,
  schedule: Schedule,
  from: number,
  to: number,
): Promise<number> {
  const times = scheduledTimesWithin(schedule, from, to);
  if (times.length === 0) return 0;

  const window = await occurrenceWindow(
    context,
    schedule,
    await targetProbes(context, schedule),
    times,
  );

  const existing = await occupiedStarts(
    context.db,
    schedule.id,
    earliestScheduledStart(from, schedule.timezone),
  );
  const missing = missingOccurrences(window, existing);
  await addOccurrences(context.db, schedule.id, missing, context.now);

  return missing.length;
}

export const confirmPastOccurrences = async (
  { db, now }: WriteContext,
  schedule: Schedule,
  limit: number = Number.MAX_SAFE_INTEGER,
): Promise<number> =>
  schedule.autoConfirmFrom === null
    ? 0
    : completePastOccurrences(db, schedule.id, schedule.autoConfirmFrom, now, limit);

export async function extendPlanning(
  context: WriteContext,
  schedule: Schedule,
  until: number,
): Promise<{ schedule: Schedule; produced: number }> {
  const from = schedule.materializedUntil;
  if (!schedule.isActive || from === null || until <= from) return { schedule, produced: 0 };
  const produced = await materializeWindow(context, schedule, from + 1, until);
  await setMaterializedUntil(context.db, schedule.id, until);
  return { schedule: { ...schedule, materializedUntil: until }, produced };
}
