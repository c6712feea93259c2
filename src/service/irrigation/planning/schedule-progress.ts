import { setTimeout as pause } from 'node:timers/promises';
import { PLANNING_PERIOD_MS } from '../../../domain/irrigation/occurrence-planner.ts';
import { itemAt } from '../../../domain/items.ts';
import { DAY_MS } from '../../../domain/periods.ts';
import { WorkRequired, type WriteContext } from '../../../operation/call.ts';
import {
  activeSchedules,
  activeSchedulesOf,
  type Schedule,
  scheduleById,
} from '../../../store/irrigation/schedules.ts';
import type { WateredTargets } from '../../../store/irrigation/watering-target.ts';
import { companyIdOf } from '../../../store/scope/company-db.ts';
import type { Store } from '../../../store/store.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import { PAUSE_BETWEEN_STEPS_MS } from '../../write-in-steps.ts';
import { confirmPastOccurrences, extendPlanning, plannedTargets } from './occurrences.ts';
import { applySomePending } from './pending-regenerations.ts';
import {
  newStepClock,
  OCCURRENCES_PER_PART,
  OCCURRENCES_PER_STEP,
  type StepClock,
} from './step-limits.ts';

// A schedule is up to date when no regeneration is pending, its occurrences are planned to the end
// of the planning period, and its past ones are confirmed. Housekeeping sees to that; a change does
// so itself first, so that it reports its own effects alone. What is pending is applied before it: see
// the card of the operation.

export async function bringUpToDate(context: WriteContext, schedule: Schedule): Promise<Schedule> {
  const [current = schedule] = await bringSchedulesUpToDate(context, [schedule]);
  return current;
}

/** Returns the schedules that water these probes and parcels. */
export async function bringSchedulesOfTargetUpToDate(
  context: WriteContext,
  targets: WateredTargets,
): Promise<Schedule[]> {
  return bringSchedulesUpToDate(context, await activeSchedulesOf(context.db, targets));
}

export async function bringAllSchedulesUpToDate(context: WriteContext): Promise<void> {
  await bringSchedulesUpToDate(context, await activeSchedules(context.db));
}

/** Throws WorkRequired if that is too much for one transaction. */
async function bringSchedulesUpToDate(
  context: WriteContext,
  schedules: readonly Schedule[],
): Promise<Schedule[]> {
  const planningEnd = context.now + PLANNING_PERIOD_MS;
  let occurrencesToPlan = 0;

  for (const schedule of schedules) {
    const daysToPlan = (planningEnd - (schedule.materializedUntil ?? planningEnd)) / DAY_MS;
    occurrencesToPlan += daysToPlan * (await occurrencesPerDay(context, schedule));
  }

  if (occurrencesToPlan > OCCURRENCES_PER_STEP) throw progressRequired(context, schedules);

  const current: Schedule[] = [];
  let confirmable = OCCURRENCES_PER_STEP;

  for (const schedule of schedules) {
    const { schedule: extended } = await extendPlanning(context, schedule, planningEnd);
    confirmable -= await confirmPastOccurrences(context, extended, confirmable);
    if (confirmable === 0) throw progressRequired(context, schedules);
    current.push(extended);
  }

  return current;
}

function progressRequired({ db, now }: WriteContext, schedules: readonly Schedule[]): WorkRequired {
  const companyId = companyIdOf(db);
  const ids = schedules.map(({ id }) => id);
  return new WorkRequired({ needed: (store) => advanceSchedules(store, companyId, ids, now) });
}

/** Takes several short transactions. */
export async function advanceSchedules(
  store: Store,
  companyId: number,
  ids: readonly number[],
  now: number,
): Promise<void> {
  for (let remaining = ids; remaining.length > 0; ) {
    const ahead = remaining;
    ({ remaining } = await store.write(companyId, (db) => advanceSomeSchedules(db, ahead, now)));
    if (remaining.length > 0) await pause(PAUSE_BETWEEN_STEPS_MS);
  }
}

/** Advances schedules one after the other for as long as one transaction may take. */
export async function advanceSomeSchedules(
  db: CompanyDb,
  ids: readonly number[],
  now: number,
): Promise<{ produced: number; confirmed: number; remaining: readonly number[] }> {
  const clock = newStepClock();
  let produced = 0;
  let confirmed = 0;
  let done = 0;
  do {
    const step = await advanceSchedule(db, itemAt(ids, done), now, clock);
    produced += step.produced;
    confirmed += step.confirmed;
    if (step.isDone) done++;
  } while (done < ids.length && !clock.isOver());

  return { produced, confirmed, remaining: ids.slice(done) };
}

const occurrencesPerDay = async (context: WriteContext, schedule: Schedule): Promise<number> =>
  schedule.startTimes.length * (await plannedTargets(context, schedule)).length;

/**
 * Takes one step towards a schedule that is up to date: applies pending regenerations; once none is
 * left, plans some more days; once the planning period is full, confirms past waterings.
 */
async function advanceSchedule(
  db: CompanyDb,
  id: number,
  now: number,
  clock: StepClock,
): Promise<{ produced: number; confirmed: number; isDone: boolean }> {
  const context = { db, now };
  const { plan, isFinished } = await applySomePending(db, { scheduleId: id }, clock);
  const regenerated = plan.add.length;
  if (!isFinished) return { produced: regenerated, confirmed: 0, isDone: false };

  const schedule = await scheduleById(db, id);
  if (!schedule?.isActive || schedule.materializedUntil === null)
    return { produced: regenerated, confirmed: 0, isDone: true };

  const planningEnd = now + PLANNING_PERIOD_MS;
  const days = Math.floor(OCCURRENCES_PER_PART / (await occurrencesPerDay(context, schedule)));
  const stepEnd = schedule.materializedUntil + Math.max(1, days) * DAY_MS;
  const until = Math.min(planningEnd, stepEnd);
  const extension = await extendPlanning(context, schedule, until, OCCURRENCES_PER_PART);
  const produced = regenerated + extension.produced;

  const { materializedUntil } = extension.schedule;
  if (materializedUntil === null || materializedUntil < planningEnd)
    return { produced, confirmed: 0, isDone: false };

  const confirmed = await confirmPastOccurrences(context, extension.schedule, OCCURRENCES_PER_PART);
  return { produced, confirmed, isDone: confirmed < OCCURRENCES_PER_PART };
}
