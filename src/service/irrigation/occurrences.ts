import {
  missingOccurrences,
  type OccurrenceWindow,
  PLANNING_HORIZON_MS,
  planRegeneration,
  type RegenerationPlan,
} from '../../domain/irrigation/occurrences.ts';
import { slotKeyLowerBound, slotsWithin } from '../../domain/irrigation/recurrence.ts';
import { effectiveVersion, type SetupVersion } from '../../domain/irrigation/setup-timeline.ts';
import type { WriteContext } from '../../operation/call.ts';
import { moduleById, probesOfParcel } from '../../store/company/places.ts';
import { versionsOf } from '../../store/irrigation/installations.ts';
import {
  applyOccurrencePlan,
  completePastOccurrences,
  insertOccurrences,
  occupiedSlots,
  occurrencesFrom,
} from '../../store/irrigation/occurrences.ts';
import {
  activeSchedules,
  activeSchedulesOfProbe,
  type Schedule,
  setMaterializedUntil,
} from '../../store/irrigation/schedules.ts';

export const targetProbes = async (context: WriteContext, schedule: Schedule): Promise<number[]> =>
  schedule.targetModuleId !== null ? [schedule.targetModuleId] : probesOfParcel(context.db, schedule.targetParcelId!);

async function occurrenceWindow(
  context: WriteContext,
  schedule: Schedule,
  from: number,
  to: number,
): Promise<OccurrenceWindow> {
  const moduleIds = await targetProbes(context, schedule);
  const versions = new Map<number, SetupVersion[]>();
  const ofParcel = new Map<number, SetupVersion[]>();
  for (const id of moduleIds) {
    const parcelId = (await moduleById(context.db, id))?.parcelId ?? null;
    if (parcelId !== null && !ofParcel.has(parcelId))
      ofParcel.set(parcelId, await versionsOf(context.db, { parcelId }));
    const parcelVersions = parcelId === null ? [] : ofParcel.get(parcelId)!;
    versions.set(id, [...(await versionsOf(context.db, { moduleId: id })), ...parcelVersions]);
  }
  const { amount, durationMin, timezone } = schedule;
  return {
    timezone,
    input: { amount, durationMin },
    moduleIds,
    slots: slotsWithin(schedule, from, to),
    setupAt: (moduleId, at) => effectiveVersion(versions.get(moduleId) ?? [], at),
    now: context.now,
  };
}

async function materializeWindow(context: WriteContext, schedule: Schedule, from: number, to: number): Promise<number> {
  const input = await occurrenceWindow(context, schedule, from, to);
  if (input.slots.length === 0) return 0;
  const existing = await occupiedSlots(context.db, schedule.id, slotKeyLowerBound(from, schedule.timezone));
  const missing = missingOccurrences(input, existing);
  await insertOccurrences(context.db, schedule.id, missing, context.now);
  return missing.length;
}

export async function startSchedule(context: WriteContext, schedule: Schedule): Promise<Schedule> {
  const until = context.now + PLANNING_HORIZON_MS;
  await materializeWindow(context, schedule, context.now, until);
  await confirmPastOccurrences(context, schedule);
  await setMaterializedUntil(context.db, schedule.id, until);
  return { ...schedule, materializedUntil: until };
}

export const confirmPastOccurrences = async (
  { db, now }: WriteContext,
  schedule: Schedule,
  limit: number = Number.MAX_SAFE_INTEGER,
): Promise<number> =>
  schedule.autoFrom === null ? 0 : completePastOccurrences(db, schedule.id, schedule.autoFrom, now, limit);

export async function extendHorizon(
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

/** The horizon is extended too, so that a regeneration after it reports the effects of the change alone. */
export async function settleSchedule(context: WriteContext, schedule: Schedule): Promise<Schedule> {
  const { schedule: settled } = await extendHorizon(context, schedule, context.now + PLANNING_HORIZON_MS);
  await confirmPastOccurrences(context, settled);
  return settled;
}

export async function settleSchedulesOf(context: WriteContext, moduleIds: readonly number[]): Promise<void> {
  for (const schedule of await schedulesOf(context, moduleIds)) await settleSchedule(context, schedule);
}

async function schedulesOf(context: WriteContext, moduleIds: readonly number[]): Promise<Schedule[]> {
  const schedules = new Map<number, Schedule>();
  for (const id of moduleIds) {
    const probe = await moduleById(context.db, id);
    if (probe)
      for (const schedule of await activeSchedulesOfProbe(context.db, probe)) schedules.set(schedule.id, schedule);
  }
  return [...schedules.values()].sort((a, b) => a.id - b.id);
}

/** `pairs` are start times that replace others. A resumed schedule includes this very instant. */
export async function regenerateOccurrences(
  context: WriteContext,
  schedule: Schedule,
  pairs?: ReadonlyMap<string, string>,
): Promise<RegenerationPlan> {
  const { now, db } = context;
  const until = schedule.isActive ? Math.max(schedule.materializedUntil ?? now, now + PLANNING_HORIZON_MS) : now;
  const isResumed = schedule.isActive && schedule.materializedUntil === null;
  const input = await occurrenceWindow(context, schedule, isResumed ? now : now + 1, until);
  const rows = await occurrencesFrom(db, schedule.id, { at: now, slot: slotKeyLowerBound(now, schedule.timezone) });
  const plan = planRegeneration(input, rows, pairs);
  await applyOccurrencePlan(db, schedule.id, plan, now);
  if (schedule.isActive) await setMaterializedUntil(db, schedule.id, until);
  return plan;
}

export async function regenerateOccurrencesOf(context: WriteContext, moduleIds: readonly number[]): Promise<number> {
  let changed = 0;
  for (const schedule of await schedulesOf(context, moduleIds)) {
    const { change } = await regenerateOccurrences(context, schedule);
    changed += change.length;
  }
  return changed;
}

export async function settleAllSchedules(context: WriteContext): Promise<void> {
  for (const schedule of await activeSchedules(context.db)) await settleSchedule(context, schedule);
}

export async function regenerateAllOccurrences(
  context: WriteContext,
): Promise<{ added: number; changed: number; removed: number }> {
  const plans = { added: 0, changed: 0, removed: 0 };
  for (const schedule of await activeSchedules(context.db)) {
    const { add, change, remove } = await regenerateOccurrences(context, schedule);
    plans.added += add.length;
    plans.changed += change.length;
    plans.removed += remove.length;
  }
  return plans;
}
