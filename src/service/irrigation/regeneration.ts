import { setTimeout as pause } from 'node:timers/promises';
import { PLANNING_PERIOD_MS } from '../../domain/irrigation/occurrences.ts';
import { earliestScheduledStart } from '../../domain/irrigation/recurrence.ts';
import type { RegenerationPlan } from '../../domain/irrigation/regeneration-plan.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { type Call, WorkRequired, type WriteContext } from '../../operation/call.ts';
import { modulesWithOccurrences } from '../../store/irrigation/occurrences.ts';
import {
  addPendingRegenerations,
  deletePendingRegeneration,
  hasPendingRegenerations,
  hasPendingRemovals,
  type PendingRegeneration,
  pendingRegenerations,
  type RegenerationFilter,
} from '../../store/irrigation/pending-regenerations.ts';
import {
  deleteHiddenRows,
  type OccurrenceOwner,
  occurrenceGroupsOf,
} from '../../store/irrigation/removals.ts';
import {
  activeSchedules,
  activeSchedulesOf,
  type Schedule,
  scheduleById,
  setMaterializedUntil,
} from '../../store/irrigation/schedules.ts';
import { companyIdOf } from '../../store/scope/company-db.ts';
import type { Store } from '../../store/store.ts';
import type { CompanyDb } from '../../store/tables.ts';
import {
  confirmPastOccurrences,
  extendPlanning,
  mergePlans,
  NOTHING_REGENERATED,
  OCCURRENCES_PER_STEP,
  PLANS_PER_STEP,
  type Regeneration,
  regeneratePlans,
  targetProbes,
} from './occurrences.ts';

// A change of a schedule or of equipment regenerates the planned occurrences of each probe. One
// transaction does so for a limited number, so that others can write soon, and records the
// remaining probes as pending regenerations. Later transactions apply these with the same result.
// Until then, every read of the waterings of such a probe applies its plans first.

/**
 * The same as OCCURRENCES_PER_STEP for housekeeping, which plans ahead and confirms past waterings.
 */
const DUE_ROWS_PER_STEP = 400;
/** Lets other processes write: they check every few milliseconds whether the lock is free. */
const PAUSE_BETWEEN_STEPS_MS = 10;

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
): Promise<Regeneration> {
  const { db, now } = context;
  const isResumed = schedule.isActive && schedule.materializedUntil === null;

  if (schedule.isActive)
    await setMaterializedUntil(
      db,
      schedule.id,
      Math.max(schedule.materializedUntil ?? now, now + PLANNING_PERIOD_MS),
    );

  const moduleIds = new Set([
    ...(await targetProbes(context, schedule)),
    ...(await modulesWithOccurrences(
      db,
      schedule.id,
      earliestScheduledStart(now, schedule.timezone),
    )),
  ]);
  // The occurrences of a removed module have a plan of their own.
  for (const { moduleId } of await pendingRegenerations(db, { scheduleId: schedule.id }))
    moduleIds.delete(moduleId);
  const change = {
    scheduleId: schedule.id,
    changedAt: now,
    regenerateFrom: isResumed ? now : now + 1,
    movedStartTimes,
    isRemoval: false,
  };

  return regenerateOrDefer(
    db,
    [...moduleIds].sort((a, b) => a - b).map((moduleId) => ({ ...change, moduleId })),
    limit,
  );
}

/** Does the same as `regenerateOccurrences` for one probe of a schedule that did not change. */
export const regenerateOccurrencesOf = (
  { db, now }: WriteContext,
  scheduleId: number,
  moduleId: number,
) =>
  regenerateOrDefer(
    db,
    [
      {
        scheduleId,
        moduleId,
        changedAt: now,
        regenerateFrom: now + 1,
        movedStartTimes: new Map(),
        isRemoval: false,
      },
    ],
    OCCURRENCES_PER_STEP,
  );

/**
 * Deletes the occurrences of schedules and modules that are removed, which are all planned. If they
 * are too many for one transaction, records them as pending regenerations.
 */
export async function removeOccurrencesOf(
  { db, now }: WriteContext,
  owners: readonly OccurrenceOwner[],
): Promise<{ readonly count: number; readonly pending: readonly PendingRegeneration[] }> {
  const plans = new Map<string, PendingRegeneration>();
  let count = 0;

  for (const owner of owners)
    for (const { scheduleId, moduleId, count: occurrences } of await occurrenceGroupsOf(
      db,
      owner,
    )) {
      // A change can remove both the schedule and the module.
      const key = `${scheduleId} ${moduleId}`;
      if (plans.has(key)) continue;
      count += occurrences;
      plans.set(key, { ...REMOVAL, scheduleId, moduleId, changedAt: now });
    }

  // Counting them takes its time too, so a transaction that cannot delete all of them deletes none.
  const limit = count <= OCCURRENCES_PER_STEP ? Number.POSITIVE_INFINITY : 0;
  const { pending } = await regenerateOrDefer(db, [...plans.values()], limit);
  return { count, pending };
}

const REMOVAL = { regenerateFrom: null, movedStartTimes: new Map(), isRemoval: true };

/** Does the same as `regenerateOccurrences` for changed equipment of some probes of a schedule. */
async function updateDoses(
  context: WriteContext,
  schedule: Schedule,
  moduleIds: readonly number[],
  limit: number,
): Promise<Regeneration> {
  const targets = (await targetProbes(context, schedule)).filter((id) => moduleIds.includes(id));
  const change = {
    scheduleId: schedule.id,
    changedAt: context.now,
    regenerateFrom: null,
    movedStartTimes: new Map(),
    isRemoval: false,
  };

  return regenerateOrDefer(
    context.db,
    targets.map((moduleId) => ({ ...change, moduleId })),
    limit,
  );
}

async function regenerateOrDefer(
  db: CompanyDb,
  plans: readonly PendingRegeneration[],
  limit: number,
): Promise<Regeneration> {
  const regeneration = await regeneratePlans(db, plans, limit);
  await addPendingRegenerations(db, regeneration.pending);
  return regeneration;
}

async function regenerateEach(
  schedules: readonly Schedule[],
  regenerate: (schedule: Schedule, limit: number) => Promise<Regeneration>,
): Promise<Regeneration> {
  const parts: Regeneration[] = [];
  let occurrences = 0;

  for (const schedule of schedules) {
    const part = await regenerate(schedule, OCCURRENCES_PER_STEP - occurrences);
    occurrences += part.occurrences;
    parts.push(part);
  }

  return {
    done: mergePlans(parts.map(({ done }) => done)),
    updatedDoses: parts.reduce((sum, { updatedDoses }) => sum + updatedDoses, 0),
    occurrences,
    pending: parts.flatMap(({ pending }) => pending),
  };
}

/**
 * Gives planned occurrences the dose of the changed equipment of these probes. The schedules have
 * been brought up to date.
 */
export const updateDosesOfSchedules = (
  context: WriteContext,
  schedules: readonly Schedule[],
  moduleIds: readonly number[],
): Promise<Regeneration> =>
  regenerateEach(schedules, (schedule, limit) => updateDoses(context, schedule, moduleIds, limit));

export const regenerateAllOccurrences = async (context: WriteContext): Promise<Regeneration> =>
  regenerateEach(await activeSchedules(context.db), (schedule, limit) =>
    regenerateOccurrences(context, schedule, new Map(), limit),
  );

/** Applies some pending regenerations in one transaction. */
async function applySomePlans(
  db: CompanyDb,
  filter: RegenerationFilter,
): Promise<{ done: RegenerationPlan; isFinished: boolean }> {
  const plans = await pendingRegenerations(db, filter, PLANS_PER_STEP);
  const [first] = plans;
  if (first === undefined) return { done: NOTHING_REGENERATED.done, isFinished: true };

  const changeOf = ({ moduleId: _, movedStartTimes, ...change }: PendingRegeneration): string =>
    JSON.stringify([change, ...movedStartTimes]);

  const sameChange = plans.filter((plan) => changeOf(plan) === changeOf(first));
  const { done, pending } = await regeneratePlans(db, sameChange, OCCURRENCES_PER_STEP);
  for (const plan of sameChange.slice(0, sameChange.length - pending.length))
    await deletePendingRegeneration(db, plan);
  if (first.isRemoval) await deleteHiddenRows(db);

  return {
    done,
    isFinished:
      plans.length < PLANS_PER_STEP && pending.length === 0 && sameChange.length === plans.length,
  };
}

export async function applyPendingRegenerations(
  store: Store,
  companyId: number,
  filter: RegenerationFilter,
): Promise<RegenerationPlan> {
  const done: RegenerationPlan[] = [];
  for (;;) {
    const step = await store.write(companyId, (db) => applySomePlans(db, filter));
    done.push(step.done);
    if (step.isFinished) return mergePlans(done);
    await pause(PAUSE_BETWEEN_STEPS_MS);
  }
}

/**
 * Applies the pending regenerations of a call after its commit and before its answer. If the
 * process crashes in between, housekeeping or the next reader applies them.
 */
export function applyPlansAfterCommit(call: Call, pending: readonly PendingRegeneration[]): void {
  if (pending.length === 0) return;
  const companyId = companyIdOf(call.db);
  call.afterCommit((store) => applyPendingRegenerations(store, companyId, {}));
  // What is removed is hidden already, so nothing follows for the reader.
  const updated = pending.filter(({ isRemoval }) => !isRemoval);
  const modules = new Set(updated.map(({ moduleId }) => moduleId)).size;
  if (modules > 0) call.advise({ kind: 'planned_waterings_follow', modules });
}

/**
 * Called before every use of planned waterings. Throws WorkRequired while regenerations are
 * pending.
 */
export async function assertNoPendingRegeneration(
  { db }: Pick<WriteContext, 'db'>,
  filter: RegenerationFilter,
): Promise<void> {
  if (!(await hasPendingRegenerations(db, filter))) return;

  const companyId = companyIdOf(db);
  throw new WorkRequired({
    needed: (store) => applyPendingRegenerations(store, companyId, filter),
    allPending: (store) => applyPendingRegenerations(store, companyId, {}),
  });
}

/** Called before rows are restored or deleted that a removed schedule or module may still hold. */
export async function assertNoPendingRemovals({ db }: Pick<WriteContext, 'db'>): Promise<void> {
  if (!(await hasPendingRemovals(db))) return;
  const companyId = companyIdOf(db);
  throw new WorkRequired({
    needed: (store) => applyPendingRegenerations(store, companyId, {}),
  });
}

/**
 * Extends the planning period too, so that a regeneration after it reports the effects of the
 * change alone.
 */
async function bringSchedulesUpToDate(
  context: WriteContext,
  schedules: readonly Schedule[],
): Promise<Schedule[]> {
  const until = context.now + PLANNING_PERIOD_MS;
  let due = 0;

  for (const schedule of schedules)
    due +=
      ((until - (schedule.materializedUntil ?? until)) / DAY_MS) *
      (await occurrencesPerDay(context, schedule));

  if (due > OCCURRENCES_PER_STEP) throw advanceRequired(context, schedules);

  const current: Schedule[] = [];
  let confirmable = OCCURRENCES_PER_STEP;

  for (const schedule of schedules) {
    const { schedule: extended } = await extendPlanning(context, schedule, until);
    confirmable -= await confirmPastOccurrences(context, extended, confirmable);
    if (confirmable === 0) throw advanceRequired(context, schedules);
    current.push(extended);
  }

  return current;
}

function advanceRequired({ db, now }: WriteContext, schedules: readonly Schedule[]): WorkRequired {
  const companyId = companyIdOf(db);
  return new WorkRequired({
    async needed(store) {
      for (const { id } of schedules)
        while (!(await store.write(companyId, (companyDb) => planAhead(companyDb, id, now))).isDone)
          await pause(PAUSE_BETWEEN_STEPS_MS);
    },
  });
}

export async function bringUpToDate(context: WriteContext, schedule: Schedule): Promise<Schedule> {
  await assertNoPendingRegeneration(context, { scheduleId: schedule.id });
  const [current = schedule] = await bringSchedulesUpToDate(context, [schedule]);
  return current;
}

/** Returns the schedules that water these probes. */
export async function bringSchedulesOfTargetUpToDate(
  context: WriteContext,
  moduleIds: readonly number[],
): Promise<Schedule[]> {
  if (await hasPendingRegenerations(context.db, {}))
    for (const moduleId of moduleIds) await assertNoPendingRegeneration(context, { moduleId });
  return bringSchedulesUpToDate(context, await activeSchedulesOf(context.db, moduleIds));
}

export async function bringAllSchedulesUpToDate(context: WriteContext): Promise<void> {
  await assertNoPendingRegeneration(context, {});
  await bringSchedulesUpToDate(context, await activeSchedules(context.db));
}

const occurrencesPerDay = async (context: WriteContext, schedule: Schedule): Promise<number> =>
  Math.max(1, schedule.startTimes.length * (await targetProbes(context, schedule)).length);

/**
 * One step of housekeeping: applies pending regenerations; once none is left, plans some more
 * days; once that is done, confirms past waterings.
 */
export async function planAhead(
  db: CompanyDb,
  id: number,
  now: number,
): Promise<{ produced: number; confirmed: number; isDone: boolean }> {
  const context = { db, now };
  const { done, isFinished } = await applySomePlans(db, { scheduleId: id });
  if (!isFinished) return { produced: done.add.length, confirmed: 0, isDone: false };

  const nothing = { produced: done.add.length, confirmed: 0, isDone: true };
  const schedule = await scheduleById(db, id);
  if (!schedule?.isActive || schedule.materializedUntil === null) return nothing;

  const planningEnd = now + PLANNING_PERIOD_MS;
  const stepMs =
    Math.max(1, Math.floor(DUE_ROWS_PER_STEP / (await occurrencesPerDay(context, schedule)))) *
    DAY_MS;
  const until = Math.min(planningEnd, schedule.materializedUntil + stepMs);
  const { schedule: extended, produced } = await extendPlanning(context, schedule, until);
  const total = done.add.length + produced;
  if (extended.materializedUntil === null || extended.materializedUntil < planningEnd)
    return { produced: total, confirmed: 0, isDone: false };

  const confirmed = await confirmPastOccurrences(context, extended, DUE_ROWS_PER_STEP);
  return { produced: total, confirmed, isDone: confirmed < DUE_ROWS_PER_STEP };
}
