import { groupBy } from '../../../domain/groups.ts';
import { computeDose } from '../../../domain/irrigation/dose.ts';
import type { EquipmentVersion } from '../../../domain/irrigation/equipment-timeline.ts';
import { partsOf } from '../../../domain/irrigation/plan-parts.ts';
import {
  earliestScheduledStart,
  scheduledTimesWithin,
} from '../../../domain/irrigation/recurrence.ts';
import {
  planRegeneration,
  type RegenerationPlan,
} from '../../../domain/irrigation/regeneration-plan.ts';
import { entryOf, firstOf, itemAt } from '../../../domain/items.ts';
import type { WriteContext } from '../../../operation/call.ts';
import {
  applyOccurrencePlan,
  updatePlannedDoses,
} from '../../../store/irrigation/occurrence-writes.ts';
import { occurrencesFrom } from '../../../store/irrigation/occurrences.ts';
import type { PendingRegeneration } from '../../../store/irrigation/pending-regenerations.ts';
import { deleteOccurrences } from '../../../store/irrigation/removals.ts';
import { type Schedule, scheduleById } from '../../../store/irrigation/schedules.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import {
  occurrenceWindow,
  type PlannedTarget,
  plannedTargets,
  versionsByTarget,
} from './occurrences.ts';
import {
  OCCURRENCES_PER_PART,
  OCCURRENCES_PER_STEP,
  PROBES_PER_STEP,
  REGENERATIONS_PER_STEP,
  ROWS_PER_DELETE,
  type StepClock,
  type StepLimits,
} from './step-limits.ts';
import { boundsOf, equipmentFinder, type VolumeArea, volumeAreaOf } from './volume-area.ts';

export interface RegenerationResult {
  /** The occurrences that were added, changed and removed. */
  readonly plan: RegenerationPlan;
  /** Occurrences with another dose, counted for regenerations that change only doses. */
  readonly updatedDoses: number;
  /** How many of these still lack a dose. */
  readonly missingDoses: number;
  /** About how many occurrences were read or written. */
  readonly occurrences: number;
  /** The regenerations that remain to be applied. */
  readonly pending: readonly PendingRegeneration[];
}

export const mergePlans = (plans: readonly RegenerationPlan[]): RegenerationPlan => ({
  add: plans.flatMap(({ add }) => add),
  change: plans.flatMap(({ change }) => change),
  remove: plans.flatMap(({ remove }) => remove),
  newStarts: plans.flatMap(({ newStarts }) => newStarts),
  detachedCount: plans.reduce((sum, { detachedCount }) => sum + detachedCount, 0),
});

export const NOTHING_REGENERATED: RegenerationResult = {
  plan: mergePlans([]),
  updatedDoses: 0,
  missingDoses: 0,
  occurrences: 0,
  pending: [],
};

/**
 * Applies regenerations up to the limits. All of them belong to the same change of one schedule, or
 * all are removals.
 */
export async function applyRegenerations(
  db: CompanyDb,
  regenerations: readonly PendingRegeneration[],
  limits: StepLimits,
): Promise<RegenerationResult> {
  const [first] = regenerations;
  if (first === undefined) return NOTHING_REGENERATED;
  if (first.isRemoval) return removeOccurrences(db, regenerations, limits);

  const schedule = (await scheduleById(db, first.scheduleId))!;
  const area = await volumeAreaOf({ db }, schedule);
  if (first.regenerateFrom === null)
    return updateDoses({ db, now: first.changedAt }, { schedule, area }, regenerations, limits);

  const regenerateProbe = await probeRegenerator(
    db,
    { schedule, area },
    first,
    first.regenerateFrom,
  );
  const plans: RegenerationPlan[] = [];
  let occurrences = 0;
  let applied = 0;
  let isOver = false;
  while (applied < regenerations.length && occurrences < limits.occurrences && !isOver) {
    const { moduleId } = itemAt(regenerations, applied);
    const { plan, readCount, isWhole } = await regenerateProbe(moduleId, limits.clock);
    plans.push(plan);
    occurrences += Math.max(readCount + plan.add.length, OCCURRENCES_PER_STEP / PROBES_PER_STEP);
    if (isWhole) applied++;
    isOver = limits.clock?.isOver() ?? false;
  }

  return {
    ...NOTHING_REGENERATED,
    plan: mergePlans(plans),
    occurrences,
    pending: regenerations.slice(applied),
  };
}

/**
 * The same for the parcel of a schedule that has, or had, no probe. Its occurrences are few enough
 * for the transaction of any change, so none are ever pending.
 */
export async function regenerateOnParcel(
  db: CompanyDb,
  change: Omit<PendingRegeneration, 'moduleId'>,
): Promise<RegenerationResult> {
  const schedule = (await scheduleById(db, change.scheduleId))!;
  const area = await volumeAreaOf({ db }, schedule);
  if (change.regenerateFrom === null) {
    const context = { db, now: change.changedAt };
    const { updated, missing } = await updateDosesOfProbes(context, { schedule, area }, [null]);
    return { ...NOTHING_REGENERATED, updatedDoses: updated, missingDoses: missing };
  }

  const regenerate = await probeRegenerator(db, { schedule, area }, change, change.regenerateFrom);
  const { plan, readCount } = await regenerate(null);
  return { ...NOTHING_REGENERATED, plan, occurrences: readCount + plan.add.length };
}

async function removeOccurrences(
  db: CompanyDb,
  removals: readonly PendingRegeneration[],
  limits: StepLimits,
): Promise<RegenerationResult> {
  let occurrences = 0;
  let applied = 0;
  let isOver = false;
  while (applied < removals.length && occurrences < limits.occurrences && !isOver) {
    const deleted = await deleteOccurrences(db, itemAt(removals, applied), ROWS_PER_DELETE);
    occurrences += deleted;
    if (deleted < ROWS_PER_DELETE) applied++;
    isOver = limits.clock?.isOver() ?? false;
  }

  return { ...NOTHING_REGENERATED, occurrences, pending: removals.slice(applied) };
}

async function probeRegenerator(
  db: CompanyDb,
  { schedule, area }: PlannedSchedule,
  { changedAt, movedStartTimes }: Pick<PendingRegeneration, 'changedAt' | 'movedStartTimes'>,
  regenerateFrom: number,
) {
  const context = { db, now: changedAt };
  const times = scheduledTimesWithin(
    schedule,
    regenerateFrom,
    schedule.isActive ? schedule.materializedUntil! : changedAt,
  );

  const targets = new Set(await plannedTargets(context, schedule));
  const from = {
    at: changedAt,
    scheduledStart: earliestScheduledStart(changedAt, schedule.timezone),
  };
  return async (moduleId: PlannedTarget, clock?: StepClock) => {
    const window = await occurrenceWindow(
      context,
      schedule,
      targets.has(moduleId) ? [moduleId] : [],
      times,
      area,
    );

    const rows = await occurrencesFrom(db, { scheduleId: schedule.id, moduleId }, from);
    const plan = planRegeneration(window, rows, movedStartTimes);
    const applied: RegenerationPlan[] = [];
    for (const { part, isLast } of partsOf(
      plan,
      clock ? OCCURRENCES_PER_PART : Number.POSITIVE_INFINITY,
    )) {
      await applyOccurrencePlan(db, schedule, part, changedAt);
      applied.push(part);
      if (clock?.isOver() && !isLast)
        return { plan: mergePlans(applied), readCount: rows.length, isWhole: false };
    }

    return { plan: mergePlans(applied), readCount: rows.length, isWhole: true };
  };
}

interface PlannedSchedule {
  readonly schedule: Schedule;
  readonly area: VolumeArea | null;
}

/** Finding the rows of a probe takes time too, so it counts at least as this many. */
const OCCURRENCES_PER_PROBE = OCCURRENCES_PER_STEP / REGENERATIONS_PER_STEP;

/**
 * Updates the doses without reading the rows: the times of a schedule that is up to date do not
 * depend on equipment.
 */
async function updateDoses(
  context: WriteContext,
  planned: PlannedSchedule,
  regenerations: readonly PendingRegeneration[],
  limits: StepLimits,
): Promise<RegenerationResult> {
  const { schedule } = planned;
  const { now } = context;
  const times = scheduledTimesWithin(schedule, now + 1, schedule.materializedUntil ?? now);
  const perProbe = Math.max(times.length, OCCURRENCES_PER_PROBE);

  let updatedDoses = 0;
  let missingDoses = 0;
  let occurrences = 0;
  let applied = 0;
  let isOver = false;
  while (applied < regenerations.length && occurrences < limits.occurrences && !isOver) {
    const probeCount = Math.max(1, Math.floor((limits.occurrences - occurrences) / perProbe));
    const probes = regenerations.slice(applied, applied + probeCount);
    const moduleIds = probes.map(({ moduleId }) => moduleId);

    const { updated, missing } = await updateDosesOfProbes(context, planned, moduleIds);
    updatedDoses += updated;
    missingDoses += missing;
    occurrences += Math.max(updated, probes.length * OCCURRENCES_PER_PROBE);
    applied += probes.length;
    isOver = limits.clock?.isOver() ?? false;
  }

  const pending = regenerations.slice(applied);
  return { ...NOTHING_REGENERATED, updatedDoses, missingDoses, occurrences, pending };
}

/** Takes one statement for all probes that have the same equipment. */
async function updateDosesOfProbes(
  context: WriteContext,
  { schedule, area }: PlannedSchedule,
  moduleIds: readonly PlannedTarget[],
): Promise<{ updated: number; missing: number }> {
  const { db, now } = context;
  const versions = await versionsByTarget(context, schedule, moduleIds);
  const versionIds = (moduleId: PlannedTarget): string =>
    entryOf(versions, moduleId)
      .map(({ id }) => id)
      .join(' ');
  const scheduledFrom = earliestScheduledStart(now, schedule.timezone);
  let updated = 0;
  let missing = 0;

  for (const probes of groupBy(moduleIds, versionIds).values()) {
    const occurrences = {
      scheduleId: schedule.id,
      moduleIds: probes.includes(null) ? null : probes.filter((id) => id !== null),
      scheduledFrom,
    };
    const equipment = entryOf(versions, firstOf(probes));
    for (const { start, end, dose } of dosesAfter(now, { schedule, area }, equipment)) {
      const period = { after: start - 1, before: end };
      const changed = await updatePlannedDoses(db, occurrences, period, dose);
      updated += changed;
      if (dose.waterMm === null) missing += changed;
    }
  }

  return { updated, missing };
}

/** The dose from each change of equipment on to the next; `end` is null for the last. */
function dosesAfter(
  now: number,
  { schedule, area }: PlannedSchedule,
  versions: readonly EquipmentVersion[],
) {
  const findEquipment = equipmentFinder(area);
  const laterChanges = [...boundsOf(versions), ...(area?.changes ?? [])].filter(
    (at) => at > now + 1,
  );
  const starts = [now + 1, ...new Set(laterChanges)].sort((a, b) => a - b);
  return starts.map((start, index) => ({
    start,
    end: starts[index + 1] ?? null,
    dose: computeDose(schedule.amount, findEquipment(versions, start), now),
  }));
}
