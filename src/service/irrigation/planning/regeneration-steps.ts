import { computeDose } from '../../../domain/irrigation/dose.ts';
import { partsOf } from '../../../domain/irrigation/plan-parts.ts';
import {
  earliestScheduledStart,
  scheduledTimesWithin,
} from '../../../domain/irrigation/recurrence.ts';
import {
  planRegeneration,
  type RegenerationPlan,
} from '../../../domain/irrigation/regeneration-plan.ts';
import { itemAt } from '../../../domain/items.ts';
import type { WriteContext } from '../../../operation/call.ts';
import { ownAndParcelVersions } from '../../../store/irrigation/installations.ts';
import {
  applyOccurrencePlan,
  updatePlannedDoses,
} from '../../../store/irrigation/occurrence-writes.ts';
import { occurrencesFrom } from '../../../store/irrigation/occurrences.ts';
import type { PendingRegeneration } from '../../../store/irrigation/pending-regenerations.ts';
import { deleteOccurrences } from '../../../store/irrigation/removals.ts';
import { type Schedule, scheduleById } from '../../../store/irrigation/schedules.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import { occurrenceWindow, targetProbes } from './occurrences.ts';
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
  const regenerateProbe =
    first.regenerateFrom === null
      ? null
      : await probeRegenerator(db, { schedule, area }, first, first.regenerateFrom);

  const plans: RegenerationPlan[] = [];
  let updatedDoses = 0;
  let missingDoses = 0;
  let occurrences = 0;
  let applied = 0;
  let isOver = false;
  while (applied < regenerations.length && occurrences < limits.occurrences && !isOver) {
    const { moduleId, changedAt } = itemAt(regenerations, applied);
    if (regenerateProbe) {
      const { plan, readCount, isWhole } = await regenerateProbe(moduleId, limits.clock);
      plans.push(plan);
      occurrences += Math.max(readCount + plan.add.length, OCCURRENCES_PER_STEP / PROBES_PER_STEP);
      if (isWhole) applied++;
    } else {
      const context = { db, now: changedAt };
      const { updated, missing } = await updateDosesOfProbe(context, schedule, moduleId, area);
      updatedDoses += updated;
      missingDoses += missing;
      // Finding the rows takes time too, so each probe counts at least its share of a step.
      occurrences += Math.max(updated, OCCURRENCES_PER_STEP / REGENERATIONS_PER_STEP);
      applied++;
    }
    isOver = limits.clock?.isOver() ?? false;
  }

  return {
    plan: mergePlans(plans),
    updatedDoses,
    missingDoses,
    occurrences,
    pending: regenerations.slice(applied),
  };
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
  { schedule, area }: { readonly schedule: Schedule; readonly area: VolumeArea | null },
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
  return async (moduleId: number, clock: StepClock | undefined) => {
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
      await applyOccurrencePlan(db, schedule.id, part, changedAt);
      applied.push(part);
      if (clock?.isOver() && !isLast)
        return { plan: mergePlans(applied), readCount: rows.length, isWhole: false };
    }

    return { plan: mergePlans(applied), readCount: rows.length, isWhole: true };
  };
}

/**
 * Updates the doses without reading the rows: the times of a schedule that is up to date do not
 * depend on equipment.
 */
async function updateDosesOfProbe(
  { db, now }: WriteContext,
  schedule: Schedule,
  moduleId: number,
  area: VolumeArea | null,
): Promise<{ updated: number; missing: number }> {
  const versions = await ownAndParcelVersions(db, moduleId);
  const findEquipment = equipmentFinder(area);
  const laterChanges = [...boundsOf(versions), ...(area?.changes ?? [])].filter(
    (at) => at > now + 1,
  );
  // The same equipment is in force, and so gives the same dose, from one start to the next.
  const starts = [now + 1, ...new Set(laterChanges)].sort((a, b) => a - b);
  let updated = 0;
  let missing = 0;

  for (const [index, start] of starts.entries()) {
    const dose = computeDose(schedule.amount, findEquipment(versions, start), now);
    const changed = await updatePlannedDoses(
      db,
      {
        scheduleId: schedule.id,
        moduleId,
        scheduledFrom: earliestScheduledStart(now, schedule.timezone),
      },
      { after: start - 1, before: starts[index + 1] ?? null },
      dose,
    );
    updated += changed;
    if (dose.waterMm === null) missing += changed;
  }

  return { updated, missing };
}
