import { formatIsoDate } from '../../domain/calendar.ts';
import { roundAmount } from '../../domain/decimal.ts';
import { versionAtWithParcel } from '../../domain/irrigation/equipment-timeline.ts';
import type { PlannedCount } from '../../domain/irrigation/occurrences.ts';
import {
  pairStartTimes,
  type RegenerationPlan,
} from '../../domain/irrigation/regeneration-plan.ts';
import { civilAt } from '../../domain/time-zone.ts';
import { moduleName } from '../../language/summary-context.ts';
import type { Call } from '../../operation/call.ts';
import { ownAndParcelVersions } from '../../store/irrigation/installations.ts';
import { activeSchedules, type Schedule } from '../../store/irrigation/schedules.ts';
import { targetProbes } from './planning/occurrences.ts';

export async function adviseOfDuplicateSchedule(call: Call, schedule: Schedule): Promise<void> {
  const duplicate = (await activeSchedules(call.db)).find(
    (other) =>
      other.id !== schedule.id &&
      other.targetModuleId === schedule.targetModuleId &&
      other.targetParcelId === schedule.targetParcelId &&
      other.startTimes.some((time) => schedule.startTimes.includes(time)),
  );
  if (duplicate) call.advise({ kind: 'duplicate_schedule', id: duplicate.id });
}

const MAX_LISTED_AREAS = 4;

/** A volume is spread over the own area of each probe, so different areas give different doses. */
export async function adviseOfDifferentAreas(call: Call, schedule: Schedule): Promise<void> {
  if (schedule.amount.mode !== 'volume_m3' || schedule.targetParcelId === null) return;

  const probesByArea = new Map<number | null, string[]>();
  for (const id of await targetProbes(call, schedule)) {
    const areaM2 =
      versionAtWithParcel(await ownAndParcelVersions(call.db, id), call.now)?.irrigatedAreaM2 ??
      null;
    probesByArea.set(areaM2, [
      ...(probesByArea.get(areaM2) ?? []),
      await moduleName(call.directory, id),
    ]);
  }

  if (probesByArea.size < 2) return;

  const doses = [...probesByArea].map(([areaM2, probes]) => ({
    waterMm: areaM2 === null ? null : roundAmount((schedule.amount.value * 1000) / areaM2),
    areaM2,
    probes,
  }));
  call.advise({ kind: 'different_irrigated_areas', doses: doses.slice(0, MAX_LISTED_AREAS) });
}

export function adviseOfPlannedWaterings(
  call: Call,
  { isActive, timezone }: Schedule,
  { nextAt, ...counts }: PlannedCount,
): void {
  if (!isActive || nextAt === null) call.advise({ kind: 'nothing_planned' });
  else call.advise({ kind: 'waterings_planned', ...counts, nextAt, timezone });
}

/** Where the time begins in a scheduled start such as 2026-07-01T06:30. */
const TIME_INDEX = 11;

export function adviseOfScheduleChanges(
  call: Call,
  before: Schedule,
  after: Schedule,
  plan: RegenerationPlan,
): void {
  const pairs = [...pairStartTimes(before.startTimes, after.startTimes)];
  const moved = plan.change.filter(({ movedFrom }) => movedFrom !== null).length;
  call.advise({
    kind: 'planned_waterings_changed',
    moved,
    from: pairs.map(([from]) => from),
    to: pairs.map(([, to]) => to),
    updated: plan.change.length - moved,
    added: plan.add.length,
    removed: plan.remove.length,
    keptManual: plan.detachedCount,
  });

  const today = formatIsoDate(civilAt(call.now, after.timezone));

  const timesToday = (rows: readonly { scheduledStart: string }[]): string[] =>
    [
      ...new Set(
        rows.flatMap(({ scheduledStart }) =>
          scheduledStart.startsWith(today) ? [scheduledStart.slice(TIME_INDEX)] : [],
        ),
      ),
    ].sort();

  const [addedTimes, removedTimes] = [timesToday(plan.add), timesToday(plan.remove)];
  if (addedTimes.length > 0) call.advise({ kind: 'still_waters_today', times: addedTimes });
  if (removedTimes.length > 0) call.advise({ kind: 'removed_today', times: removedTimes });
}
