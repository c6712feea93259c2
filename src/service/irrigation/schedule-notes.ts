import { formatIsoDate } from '../../domain/calendar.ts';
import { type PlannedOccurrence, pairStartTimes, type RegenerationPlan } from '../../domain/irrigation/occurrences.ts';
import { effectiveVersion } from '../../domain/irrigation/setup-timeline.ts';
import { civilAt } from '../../domain/time-zone.ts';
import { moduleName } from '../../language/summary-context.ts';
import type { Call } from '../../operation/call.ts';
import { applicableVersions } from '../../store/irrigation/installations.ts';
import { activeSchedules, type Schedule } from '../../store/irrigation/schedules.ts';
import { roundAmount } from '../wire-format.ts';
import { targetProbes } from './occurrences.ts';

export async function noteDuplicateSchedule(call: Call, schedule: Schedule): Promise<void> {
  const duplicate = (await activeSchedules(call.db)).find(
    (each) =>
      each.id !== schedule.id &&
      each.targetModuleId === schedule.targetModuleId &&
      each.targetParcelId === schedule.targetParcelId &&
      each.startTimes.some((time) => schedule.startTimes.includes(time)),
  );
  if (duplicate) call.note({ kind: 'duplicate_schedule', id: duplicate.id });
}

const MAX_LISTED_AREAS = 4;

/** A volume gives each probe a dose by its own area. */
export async function noteDifferentAreas(call: Call, schedule: Schedule): Promise<void> {
  if (schedule.amount.mode !== 'volume_m3' || schedule.targetParcelId === null) return;
  const probesByArea = new Map<number | null, string[]>();
  for (const id of await targetProbes(call, schedule)) {
    const areaM2 = effectiveVersion(await applicableVersions(call.db, id), call.now)?.irrigatedAreaM2 ?? null;
    probesByArea.set(areaM2, [...(probesByArea.get(areaM2) ?? []), await moduleName(call.directory, id)]);
  }
  if (probesByArea.size < 2) return;
  const doses = [...probesByArea].map(([areaM2, probes]) => ({
    waterMm: areaM2 === null ? null : roundAmount((schedule.amount.value * 1000) / areaM2),
    ...{ areaM2, probes },
  }));
  call.note({ kind: 'different_irrigated_areas', doses: doses.slice(0, MAX_LISTED_AREAS) });
}

export function notePlannedWaterings(
  call: Call,
  { isActive, timezone }: Schedule,
  planned: readonly PlannedOccurrence[],
): void {
  const [first] = planned;
  if (!isActive || first === undefined) {
    call.note({ kind: 'nothing_planned' });
    return;
  }
  const withoutDose = planned.filter(({ dose }) => dose.waterMm === null).length;
  call.note({ kind: 'waterings_planned', count: planned.length, withoutDose, nextAt: first.startedAt, timezone });
}

export function noteScheduleChanges(call: Call, before: Schedule, after: Schedule, plan: RegenerationPlan): void {
  const pairs = [...pairStartTimes(before.startTimes, after.startTimes)];
  const moved = plan.change.filter(({ movedFrom }) => movedFrom !== null).length;
  call.note({
    kind: 'planned_waterings_changed',
    moved,
    from: pairs.map(([from]) => from),
    to: pairs.map(([, to]) => to),
    updated: plan.change.length - moved,
    added: plan.add.length,
    removed: plan.remove.length,
    keptManual: plan.keptDetachedCount,
  });
  const today = formatIsoDate(civilAt(call.now, after.timezone));
  const timesToday = (rows: readonly { slot: string }[]): string[] =>
    [...new Set(rows.flatMap(({ slot }) => (slot.startsWith(today) ? [slot.slice(11)] : [])))].sort();
  const [addedTimes, removedTimes] = [timesToday(plan.add), timesToday(plan.remove)];
  if (addedTimes.length > 0) call.note({ kind: 'still_waters_today', times: addedTimes });
  if (removedTimes.length > 0) call.note({ kind: 'removed_today', times: removedTimes });
}
