import { newTimeSlice } from '../../domain/event-loop.ts';
import { computeDose } from '../../domain/irrigation/dose.ts';
import {
  type EquipmentVersion,
  versionAtWithParcel,
} from '../../domain/irrigation/equipment-timeline.ts';
import {
  countOccurrences,
  missingOccurrences,
  type OccurrenceWindow,
  type PlannedCount,
} from '../../domain/irrigation/occurrences.ts';
import {
  earliestScheduledStart,
  type ScheduledTime,
  scheduledTimesWithin,
} from '../../domain/irrigation/recurrence.ts';
import {
  planRegeneration,
  type RegenerationPlan,
} from '../../domain/irrigation/regeneration-plan.ts';
import { entryOf, itemAt } from '../../domain/items.ts';
import type { WriteContext } from '../../operation/call.ts';
import { moduleById, probeIdsOfParcel } from '../../store/company/modules.ts';
import { ownAndParcelVersions, ownVersions } from '../../store/irrigation/installations.ts';
import {
  applyOccurrencePlan,
  insertOccurrences,
  updatePlannedDoses,
} from '../../store/irrigation/occurrence-writes.ts';
import {
  completePastOccurrences,
  occupiedStarts,
  occurrencesFrom,
} from '../../store/irrigation/occurrences.ts';
import type { PendingRegeneration } from '../../store/irrigation/pending-regenerations.ts';
import { deleteOccurrences } from '../../store/irrigation/removals.ts';
import {
  type Schedule,
  scheduleById,
  setMaterializedUntil,
} from '../../store/irrigation/schedules.ts';
import type { CompanyDb } from '../../store/tables.ts';

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

  const { amount, durationMin, timezone } = schedule;
  return {
    timezone,
    input: { amount, durationMin },
    moduleIds,
    times,
    equipmentAt: (moduleId, at) => versionAtWithParcel(versions.get(moduleId) ?? [], at),
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
  await insertOccurrences(context.db, schedule.id, missing, context.now);

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

/**
 * About how many rows one transaction of a change reads and writes; the last probe may exceed it.
 */
export const OCCURRENCES_PER_STEP = 1_000;
export const PLANS_PER_STEP = 100;
/** Bounds the time for which one statement holds the event loop. */
const ROWS_PER_DELETE = 250;

/** What a regeneration changed so far, and the plans that remain. */
export interface Regeneration {
  readonly done: RegenerationPlan;
  /** Occurrences with another dose, of plans where only doses change. */
  readonly updatedDoses: number;
  /** About how many occurrences were read or written. */
  readonly occurrences: number;
  readonly pending: readonly PendingRegeneration[];
}

export const mergePlans = (plans: readonly RegenerationPlan[]): RegenerationPlan => ({
  add: plans.flatMap(({ add }) => add),
  change: plans.flatMap(({ change }) => change),
  remove: plans.flatMap(({ remove }) => remove),
  newStarts: plans.flatMap(({ newStarts }) => newStarts),
  detachedCount: plans.reduce((sum, { detachedCount }) => sum + detachedCount, 0),
});

export const NOTHING_REGENERATED: Regeneration = {
  done: mergePlans([]),
  updatedDoses: 0,
  occurrences: 0,
  pending: [],
};

/** Applies plans of one change of a schedule until about `limit` occurrences are done. */
export async function regeneratePlans(
  db: CompanyDb,
  plans: readonly PendingRegeneration[],
  limit: number,
): Promise<Regeneration> {
  const [first] = plans;
  if (first === undefined) return NOTHING_REGENERATED;
  if (first.isRemoval) return removeOccurrences(db, plans, limit);

  const schedule = (await scheduleById(db, first.scheduleId))!;
  const regenerate =
    first.regenerateFrom === null
      ? null
      : await planRegenerator(db, schedule, first, first.regenerateFrom);
  const done: RegenerationPlan[] = [];
  let updatedDoses = 0;
  let occurrences = 0;
  let count = 0;
  for (; count < plans.length && occurrences < limit; count++) {
    const { moduleId, changedAt } = itemAt(plans, count);
    if (regenerate) {
      const { plan, read } = await regenerate(moduleId);
      done.push(plan);
      occurrences += read + plan.add.length;
    } else {
      const changed = await updateDosesOfPlan({ db, now: changedAt }, schedule, moduleId);
      updatedDoses += changed;
      // Finding the rows takes time too, so each plan counts at least its share of a step.
      occurrences += Math.max(changed, OCCURRENCES_PER_STEP / PLANS_PER_STEP);
    }
  }

  return { done: mergePlans(done), updatedDoses, occurrences, pending: plans.slice(count) };
}

async function removeOccurrences(
  db: CompanyDb,
  plans: readonly PendingRegeneration[],
  limit: number,
): Promise<Regeneration> {
  const slice = newTimeSlice();
  let occurrences = 0;
  let count = 0;
  while (count < plans.length && occurrences < limit) {
    const deleted = await deleteOccurrences(db, itemAt(plans, count), ROWS_PER_DELETE);
    occurrences += deleted;
    if (deleted < ROWS_PER_DELETE) count++;
    if (slice.isOver()) await slice.renew();
  }

  return { ...NOTHING_REGENERATED, occurrences, pending: plans.slice(count) };
}

async function planRegenerator(
  db: CompanyDb,
  schedule: Schedule,
  { changedAt, movedStartTimes }: PendingRegeneration,
  regenerateFrom: number,
) {
  const context = { db, now: changedAt };
  const times = scheduledTimesWithin(
    schedule,
    regenerateFrom,
    schedule.isActive ? schedule.materializedUntil! : changedAt,
  );

  const targets = new Set(await targetProbes(context, schedule));
  const from = {
    at: changedAt,
    scheduledStart: earliestScheduledStart(changedAt, schedule.timezone),
  };
  return async (moduleId: number): Promise<{ plan: RegenerationPlan; read: number }> => {
    const window = await occurrenceWindow(
      context,
      schedule,
      targets.has(moduleId) ? [moduleId] : [],
      times,
    );

    const rows = await occurrencesFrom(db, { scheduleId: schedule.id, moduleId }, from);
    const plan = planRegeneration(window, rows, movedStartTimes);
    await applyOccurrencePlan(db, schedule.id, plan, changedAt);

    return { plan, read: rows.length };
  };
}

/**
 * Updates the doses without reading the rows: the times of a schedule that is up to date do not
 * depend on equipment.
 */
async function updateDosesOfPlan(
  { db, now }: WriteContext,
  schedule: Schedule,
  moduleId: number,
): Promise<number> {
  const versions = await ownAndParcelVersions(db, moduleId);
  const changes = versions
    .flatMap(({ validFrom, validTo }) => (validTo === null ? [validFrom] : [validFrom, validTo]))
    .filter((at) => at > now + 1);
  const starts = [now + 1, ...new Set(changes)].sort((a, b) => a - b);
  let updatedDoses = 0;

  for (const [index, start] of starts.entries())
    updatedDoses += await updatePlannedDoses(
      db,
      {
        scheduleId: schedule.id,
        moduleId,
        scheduledFrom: earliestScheduledStart(now, schedule.timezone),
      },
      { after: start - 1, before: starts[index + 1] ?? null },
      computeDose(schedule.amount, versionAtWithParcel(versions, start), now),
    );

  return updatedDoses;
}
