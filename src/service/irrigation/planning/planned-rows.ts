import { PLANNING_PERIOD_MS } from '../../../domain/irrigation/occurrences.ts';
import { scheduledTimesWithin } from '../../../domain/irrigation/recurrence.ts';
import type { WriteContext } from '../../../operation/call.ts';
import { assertRoomForPlannedRows } from '../../../operation/daily-rows.ts';
import { activeSchedules, type Schedule } from '../../../store/irrigation/schedules.ts';
import { targetProbes } from './occurrences.ts';
import { assertNoPendingRegeneration } from './pending-regenerations.ts';

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

  // What earlier calls are still planning is counted once it is planned.
  await assertNoPendingRegeneration(context, {});

  let perDay = 0;
  for (const schedule of await activeSchedules(context.db))
    perDay += startsPerDay(schedule) * (await targetProbes(context, schedule)).length;
  await assertRoomForPlannedRows(context, { added, perDay });
}

async function plannedRows(context: WriteContext, schedule: Schedule): Promise<number> {
  if (!schedule.isActive) return 0;
  const until = context.now + PLANNING_PERIOD_MS;
  const starts = scheduledTimesWithin(schedule, context.now, until).length;
  return starts * (await targetProbes(context, schedule)).length;
}

function startsPerDay({ freq, intervalDays, weekdays, startTimes }: Schedule): number {
  const daysPerDay = freq === 'weekly' ? (weekdays?.length ?? 0) / 7 : 1 / (intervalDays ?? 1);
  return startTimes.length * daysPerDay;
}
