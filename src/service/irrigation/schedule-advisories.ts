import { roundAmount } from '../../domain/decimal.ts';
import { computeDoseMm, type DoseEquipment } from '../../domain/irrigation/dose.ts';
import type { PlannedCount } from '../../domain/irrigation/occurrence-planner.ts';
import {
  firstOverlap,
  mergedStartsWithin,
  scheduledTimesWithin,
} from '../../domain/irrigation/recurrence.ts';
import {
  pairStartTimes,
  type RegenerationPlan,
} from '../../domain/irrigation/regeneration-plan.ts';
import { type CycleAndSoak, cycleAndSoak } from '../../domain/irrigation/runoff.ts';
import { itemAt } from '../../domain/items.ts';
import { LocalDay } from '../../domain/local-day.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/periods.ts';
import { soilHorizonById } from '../../domain/soil/soil-catalog.ts';
import { layerAt } from '../../domain/soil/soil-profile.ts';
import { offsetSpans } from '../../domain/time-zone.ts';
import { targetName } from '../../language/summary-context.ts';
import type { Call } from '../../operation/call.ts';
import { activeSchedulesOf, type Schedule } from '../../store/irrigation/schedules.ts';
import { layersOfModule, layersOfParcels, type SoilLayer } from '../../store/soil/soil-layers.ts';
import { type PlannedTarget, plannedTargets, versionsByTarget } from './planning/occurrences.ts';
import { equipmentFinder, volumeAreaOf } from './planning/volume-area.ts';

/** Two schedules are compared over this time, which costs little however often they start. */
const COMPARED_MS = 31 * DAY_MS;
const MAX_COMPARED = 50;

const YEAR_MS = 366 * DAY_MS;

/** Waterings that overlap are planned, and each counts. */
export async function adviseOfScheduleOverlaps(call: Call, schedule: Schedule): Promise<void> {
  if (!schedule.isActive) return;

  const from = Math.max(call.now, LocalDay.parse(schedule.startsOn).startIn(schedule.timezone));
  adviseOfMergedStarts(call, schedule, from);

  const targets = await plannedTargets(call, schedule);
  const runMsOf = runTimeFinder(call, targets);
  const runMs = await runMsOf(schedule);
  const timesOf = (each: Schedule) => scheduledTimesWithin(each, from - DAY_MS, from + COMPARED_MS);
  const times = timesOf(schedule);

  const own = times.find(
    ({ startedAt }, index) =>
      startedAt + runMs > (times[index + 1]?.startedAt ?? Number.POSITIVE_INFINITY),
  );
  if (own !== undefined) {
    const otherAt = itemAt(times, times.indexOf(own) + 1).startedAt;
    call.advise({ kind: 'schedules_overlap', id: null, at: otherAt, otherAt: own.startedAt });
  }

  const { targetParcelId } = schedule;
  const watered = {
    moduleIds: targets.filter((id) => id !== null),
    parcelIds: targetParcelId === null ? [] : [targetParcelId],
  };
  const others = (await activeSchedulesOf(call.db, watered)).filter(({ id }) => id !== schedule.id);
  for (const other of others.slice(0, MAX_COMPARED)) {
    const overlap = firstOverlap(times, runMs, timesOf(other), await runMsOf(other));
    if (overlap === null) continue;
    const { at, otherAt } = overlap;
    const isSameTarget =
      other.targetModuleId === schedule.targetModuleId &&
      other.targetParcelId === schedule.targetParcelId;
    if (isSameTarget && at === otherAt) call.advise({ kind: 'duplicate_schedule', id: other.id });
    else call.advise({ kind: 'schedules_overlap', id: other.id, at, otherAt });
    return;
  }
}

/**
 * In ms; 0 where the equipment does not tell how long an amount takes. Of the first target alone.
 */
function runTimeFinder(call: Call, targets: readonly PlannedTarget[]) {
  const first = targets.slice(0, 1);
  return async (schedule: Schedule): Promise<number> => {
    if (schedule.durationMin !== null) return schedule.durationMin * MINUTE_MS;
    const versions = [...(await versionsByTarget(call, schedule, first)).values()].flat();
    const equipment = equipmentFinder(await volumeAreaOf(call, schedule))(versions, call.now);
    return (runMinutes(schedule, equipment) ?? 0) * MINUTE_MS;
  };
}

/** All probes of a schedule are in one parcel. */
const layersOfSchedule = async (
  { db }: Call,
  { targetModuleId, targetParcelId }: Schedule,
): Promise<readonly SoilLayer[]> =>
  targetParcelId === null
    ? layersOfModule(db, targetModuleId!)
    : layersOfParcels(db, [targetParcelId]);

function runMinutes({ amount }: Schedule, equipment: DoseEquipment | null): number | null {
  const waterMm = computeDoseMm(amount, equipment);
  return equipment?.flowMmPerH && waterMm !== null ? (60 * waterMm) / equipment.flowMmPerH : null;
}

/** Two starts fall on one instant only where the clocks change, so a year is searched. */
function adviseOfMergedStarts(call: Call, schedule: Schedule, from: number): void {
  const year = { start: from + 1, end: from + YEAR_MS };
  const [merged] = offsetSpans(year, schedule.timezone).flatMap(({ start, end }) =>
    mergedStartsWithin(schedule, start, Math.min(start + DAY_MS, end)),
  );
  if (merged === undefined) return;
  call.advise({
    kind: 'start_falls_away',
    at: merged.startedAt,
    time: merged.scheduledStart.slice(TIME_INDEX),
    plannedTime: merged.plannedStart.slice(TIME_INDEX),
  });
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
  const targets = await plannedTargets(call, schedule);
  const top = layerAt(await layersOfSchedule(call, schedule), 0, call.now);
  const usdaClass = (top && soilHorizonById(top.soilHorizonId))?.usdaClass ?? null;
  const versions = await versionsByTarget(call, schedule, targets);
  const findEquipment = equipmentFinder(await volumeAreaOf(call, schedule));
  const affected: { name: string; cycles: CycleAndSoak }[] = [];
  for (const id of targets) {
    const equipment = findEquipment(versions.get(id) ?? [], call.now);
    const minutes = runMinutes(schedule, equipment);
    if (equipment === null || minutes === null) continue;

    const cycles = cycleAndSoak(equipment, usdaClass, minutes);
    const target = { moduleId: id, parcelId: schedule.targetParcelId };
    if (cycles !== null) affected.push({ name: await targetName(call.directory, target), cycles });
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

  const today = LocalDay.at(call.now, after.timezone).iso;

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
