import { groupBy } from '../../../domain/groups.ts';
import { PLANNING_PERIOD_MS } from '../../../domain/irrigation/occurrence-planner.ts';
import { scheduledStartAt, scheduledTimesWithin } from '../../../domain/irrigation/recurrence.ts';
import { firstOf } from '../../../domain/items.ts';
import type { WriteContext } from '../../../operation/call.ts';
import { assertRoomForPlannedRows } from '../../../operation/daily-rows.ts';
import { occurrencesOfPending } from '../../../store/irrigation/occurrences.ts';
import {
  type PendingRegeneration,
  pendingRegenerations,
} from '../../../store/irrigation/pending-regenerations.ts';
import {
  activeSchedules,
  type Schedule,
  scheduleById,
} from '../../../store/irrigation/schedules.ts';
import { plannedTargets } from './occurrences.ts';

/**
 * Call it after `next` is stored and before it is planned: most of its waterings are planned after
 * the commit. `before` is null for a new schedule.
 */
export async function assertRoomForSchedule(
  context: WriteContext,
  next: Schedule,
  before: Schedule | null,
): Promise<void> {
  const added =
    (await plannedRows(context, next)) - (before === null ? 0 : await plannedRows(context, before));
  if (added <= 0) return;

  let perDay = 0;
  for (const schedule of await activeSchedules(context.db))
    perDay += startsPerDay(schedule) * (await plannedTargets(context, schedule)).length;
  const pending = await rowsStillToPlan(context);
  await assertRoomForPlannedRows(context, { added: added + pending, perDay });
}

/** Counts the rows that earlier changes are still to add; negative if they remove more. */
async function rowsStillToPlan(context: WriteContext): Promise<number> {
  const { db } = context;
  const pending = await pendingRegenerations(db, {});
  let rows = 0;
  for (const [scheduleId, ofSchedule] of groupBy(pending, (each) => each.scheduleId)) {
    const removals = ofSchedule.filter(({ isRemoval }) => isRemoval);
    if (removals.length > 0)
      rows -= await occurrencesOfPending(db, { scheduleId, isRemoval: true });
    const changes = ofSchedule.filter(({ regenerateFrom }) => regenerateFrom !== null);
    if (changes.length > 0) rows += await rowsStillToAdd(context, scheduleId, changes);
  }
  return rows;
}

async function rowsStillToAdd(
  context: WriteContext,
  scheduleId: number,
  changes: readonly PendingRegeneration[],
): Promise<number> {
  const schedule = await scheduleById(context.db, scheduleId);
  if (schedule === null) return 0;

  const { changedAt } = firstOf(changes);
  const from = scheduledStartAt(changedAt, schedule.timezone);
  const { db } = context;
  const stored = await occurrencesOfPending(db, { scheduleId, isRemoval: false }, from);
  const targets = new Set(await plannedTargets(context, schedule));
  const probes = changes.filter(({ moduleId }) => targets.has(moduleId)).length;
  return (schedule.isActive ? startsWithin(schedule, changedAt) : 0) * probes - stored;
}

async function plannedRows(context: WriteContext, schedule: Schedule): Promise<number> {
  if (!schedule.isActive) return 0;
  const probes = await plannedTargets(context, schedule);
  return startsWithin(schedule, context.now) * probes.length;
}

const startsWithin = (schedule: Schedule, from: number): number =>
  scheduledTimesWithin(schedule, from, from + PLANNING_PERIOD_MS).length;

function startsPerDay({ freq, intervalDays, weekdays, startTimes }: Schedule): number {
  const daysPerDay = freq === 'weekly' ? (weekdays?.length ?? 0) / 7 : 1 / (intervalDays ?? 1);
  return startTimes.length * daysPerDay;
}
