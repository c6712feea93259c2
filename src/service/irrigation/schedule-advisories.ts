import { formatIsoDate } from '../../domain/calendar.ts';
import { roundAmount } from '../../domain/decimal.ts';
import { computeDoseMm } from '../../domain/irrigation/dose.ts';
import type { PlannedCount } from '../../domain/irrigation/occurrences.ts';
import {
  pairStartTimes,
  type RegenerationPlan,
} from '../../domain/irrigation/regeneration-plan.ts';
import { type CycleAndSoak, cycleAndSoak } from '../../domain/irrigation/runoff.ts';
import { soilHorizonById } from '../../domain/soil/soil-catalog.ts';
import { layerAt } from '../../domain/soil/soil-profile.ts';
import { civilAt } from '../../domain/time-zone.ts';
import { moduleName } from '../../language/summary-context.ts';
import type { Call } from '../../operation/call.ts';
import { ownAndParcelVersions } from '../../store/irrigation/installations.ts';
import { activeSchedules, type Schedule } from '../../store/irrigation/schedules.ts';
import { layersOfModule } from '../../store/soil/soil-layers.ts';
import { targetProbes } from './planning/occurrences.ts';
import { equipmentFinder, volumeAreaOf } from './planning/volume-area.ts';

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

/** A volume is that of the whole parcel, as when a watering of it is logged. */
export async function adviseOfParcelVolume(call: Call, schedule: Schedule): Promise<void> {
  const area = await volumeAreaOf(call, schedule);
  if (area === null) return;

  const volumeM3 = schedule.amount.value;
  const areaM2 = area.at(call.now);
  const waterMm = areaM2 === null ? null : roundAmount((volumeM3 * 1000) / areaM2);
  call.advise({ kind: 'parcel_volume', volumeM3, areaM2, waterMm });
}

/** One advisory for the probes where part of it would run off. */
export async function adviseOfRunoff(call: Call, schedule: Schedule): Promise<void> {
  const affected: { name: string; cycles: CycleAndSoak }[] = [];
  const findEquipment = equipmentFinder(await volumeAreaOf(call, schedule));
  for (const id of await targetProbes(call, schedule)) {
    const equipment = findEquipment(await ownAndParcelVersions(call.db, id), call.now);
    const waterMm = computeDoseMm(schedule.amount, equipment);
    if (!equipment?.flowMmPerH || waterMm === null) continue;

    const top = layerAt(await layersOfModule(call.db, id), 0, call.now);
    const usdaClass = (top && soilHorizonById(top.soilHorizonId))?.usdaClass ?? null;
    const minutes = (60 * waterMm) / equipment.flowMmPerH;
    const cycles = cycleAndSoak(equipment, usdaClass, minutes);
    if (cycles !== null) affected.push({ name: await moduleName(call.directory, id), cycles });
  }
  const worst = affected.toSorted((a, b) => b.cycles.parts - a.cycles.parts)[0];
  if (worst === undefined) return;
  call.advise({ kind: 'runoff', ...worst.cycles, probes: affected.map(({ name }) => name) });
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
