import { formatIsoDate } from '../../domain/calendar.ts';
import { computeDose } from '../../domain/irrigation/dose.ts';
import { versionAtWithParcel } from '../../domain/irrigation/equipment-timeline.ts';
import type { PlannedCount } from '../../domain/irrigation/occurrences.ts';
import {
  pairStartTimes,
  type RegenerationPlan,
} from '../../domain/irrigation/regeneration-plan.ts';
import { exclusiveFields, isSameAmount } from '../../domain/irrigation/watering-amount.ts';
import { civilAt } from '../../domain/time-zone.ts';
import { moduleName } from '../../language/summary-context.ts';
import type { Call } from '../../operation/call.ts';
import type { ScheduleBody } from '../../schema/irrigation/schedule.ts';
import { type Module, probeIdsOfParcel } from '../../store/company/modules.ts';
import { ownAndParcelVersions } from '../../store/irrigation/installations.ts';
import {
  activeSchedules,
  insertScheduleRow,
  type Schedule,
  scheduleById,
  scheduleCount,
  schedulesAfter,
  updateScheduleRow,
} from '../../store/irrigation/schedules.ts';
import {
  assertModuleOr400,
  assertOwnParcel,
  ownershipError,
  requireOwnModule,
} from '../ownership.ts';
import { idBeforePage, toPage } from '../pagination.ts';
import { roundAmount, toIsoOrNull } from '../wire-format.ts';
import {
  confirmPastOccurrences,
  forecastOccurrences,
  occurrenceWindow,
  targetProbes,
} from './occurrences.ts';
import {
  applyPlansAfterCommit,
  assertNoPendingRegeneration,
  bringUpToDate,
  regenerateOccurrences,
} from './regeneration.ts';
import {
  applyScheduleChanges,
  checkScheduleEntry,
  type NewScheduleEntry,
  normalizeRecurrence,
  type ScheduleEntry,
} from './schedule-entry.ts';
import { assertPlausibleDose } from './watering-entry.ts';

async function requireOwnTarget(call: Call, { targetModuleId, targetParcelId }: ScheduleEntry) {
  if (targetModuleId != null) await assertModuleOr400(call, targetModuleId);
  else await assertOwnParcel(call, targetParcelId!, 'PARCEL_NOT_FOUND');
  return { targetModuleId: targetModuleId ?? null, targetParcelId: targetParcelId ?? null };
}

export async function createSchedule(call: Call, entry: NewScheduleEntry): Promise<ScheduleBody> {
  const { input, recurrence } = checkScheduleEntry(entry);
  const target = await requireOwnTarget(call, entry);
  const confirmationPolicy = entry.confirmationPolicy ?? 'auto';
  const isActive = entry.isActive ?? true;
  const created = await insertScheduleRow(call.db, {
    ...target,
    ...recurrence,
    ...input,
    label: entry.label ?? null,
    confirmationPolicy,
    autoConfirmFrom: confirmationPolicy === 'auto' ? call.now : null,
    isActive,
    materializedUntil: null,
    createdBy: call.caller.userId,
    createdAt: call.now,
  });

  await assertPlausibleDoses(call, created);
  const started = isActive ? await startSchedule(call, created) : created;
  await adviseOfDuplicateSchedule(call, started);
  adviseOfPlannedWaterings(
    call,
    started,
    await forecastOccurrences(call, started, call.now + 1, started.materializedUntil ?? 0),
  );
  await adviseOfDifferentAreas(call, started);

  return toScheduleBody(started);
}

/** Computes each dose with the equipment that the probe has now. */
async function assertPlausibleDoses(call: Call, schedule: Schedule): Promise<void> {
  const probes = await targetProbes(call, schedule);
  const { equipmentAt } = await occurrenceWindow(call, schedule, probes, []);
  for (const id of probes)
    assertPlausibleDose(
      schedule.amount,
      computeDose(schedule.amount, equipmentAt(id, call.now), call.now),
    );
}

async function startSchedule(call: Call, created: Schedule): Promise<Schedule> {
  const { pending } = await regenerateOccurrences(call, created);
  await confirmPastOccurrences(call, created);
  applyPlansAfterCommit(call, pending);
  return requireOwnSchedule(call, created.id);
}

export async function requireOwnSchedule(call: Call, id: number): Promise<Schedule> {
  const schedule = await scheduleById(call.db, id);
  if (schedule) return schedule;
  throw await ownershipError(call, 'schedules', id, {
    kind: 'schedule',
    hint: 'See ids in list_schedules.',
  });
}

export async function updateSchedule(
  call: Call,
  scheduleId: number,
  changes: ScheduleEntry,
): Promise<ScheduleBody> {
  const before = await requireOwnSchedule(call, scheduleId);
  const terms = applyScheduleChanges(before, changes);
  const recurrence = normalizeRecurrence(terms);
  const current = await bringUpToDate(call, before);
  const { label, amount, durationMin, confirmationPolicy, isActive } = terms;
  const next: Schedule = {
    ...current,
    ...recurrence,
    label,
    amount,
    durationMin,
    confirmationPolicy,
    isActive,
    // Past occurrences that waited for confirmation keep waiting.
    autoConfirmFrom:
      confirmationPolicy === 'manual' ? null : (current.autoConfirmFrom ?? call.now + 1),
    materializedUntil: isActive ? current.materializedUntil : null,
  };
  if (!isSameAmount(before.amount, next.amount)) await assertPlausibleDoses(call, next);
  await updateScheduleRow(call.db, next);

  const movedStartTimes = pairStartTimes(before.startTimes, next.startTimes);
  const { done, pending } = await regenerateOccurrences(call, next, movedStartTimes);

  await confirmPastOccurrences(call, next);
  adviseOfScheduleChanges(call, before, next, done);
  applyPlansAfterCommit(call, pending);
  await adviseOfDifferentAreas(call, next);

  return toScheduleBody(await requireOwnSchedule(call, scheduleId));
}

/**
 * Schedules of a parcel water its probes only, so for a weather station the parcel does not count.
 */
async function asScheduleTarget(
  { db }: Call,
  { id, parcelId }: Module,
): Promise<{ id: number; parcelId: number | null }> {
  const isProbe = parcelId !== null && (await probeIdsOfParcel(db, parcelId)).includes(id);
  return { id, parcelId: isProbe ? parcelId : null };
}

export async function listSchedules(
  call: Call,
  query: {
    moduleId?: number;
    parcelId?: number;
    isActive?: boolean;
    limit: number;
    cursor?: string;
  },
) {
  const list = ['schedules', call.company.id] as const;
  const afterId = idBeforePage(list, query.cursor);
  const probe =
    query.moduleId === undefined
      ? undefined
      : await asScheduleTarget(call, await requireOwnModule(call, query.moduleId));
  if (query.parcelId !== undefined) await assertOwnParcel(call, query.parcelId);
  await assertNoPendingRegeneration(call, {});

  const filter = { probe, parcelId: query.parcelId, isActive: query.isActive };
  const rows = await schedulesAfter(call.db, filter, afterId, query.limit + 1);
  const total = await scheduleCount(call.db, filter);
  if (total > 0) call.advise({ kind: 'total', count: total });
  const { data, next_cursor } = toPage(list, rows, query.limit, ({ id }) => [id]);

  return { data: data.map(toScheduleBody), next_cursor };
}

const toScheduleBody = (schedule: Schedule): ScheduleBody => ({
  id: schedule.id,
  targetModuleId: schedule.targetModuleId,
  targetParcelId: schedule.targetParcelId,
  label: schedule.label,
  freq: schedule.freq,
  intervalDays: schedule.intervalDays,
  weekdays: schedule.weekdays === null ? null : [...schedule.weekdays],
  startTimes: [...schedule.startTimes],
  timezone: schedule.timezone,
  inputMode: schedule.amount.mode,
  durationMin: schedule.durationMin,
  ...exclusiveFields(schedule.amount),
  startsOn: schedule.startsOn,
  endsOn: schedule.endsOn,
  confirmationPolicy: schedule.confirmationPolicy,
  isActive: schedule.isActive,
  materializedUntil: toIsoOrNull(schedule.materializedUntil),
});

async function adviseOfDuplicateSchedule(call: Call, schedule: Schedule): Promise<void> {
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
async function adviseOfDifferentAreas(call: Call, schedule: Schedule): Promise<void> {
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

function adviseOfPlannedWaterings(
  call: Call,
  { isActive, timezone }: Schedule,
  { nextAt, ...counts }: PlannedCount,
): void {
  if (!isActive || nextAt === null) call.advise({ kind: 'nothing_planned' });
  else call.advise({ kind: 'waterings_planned', ...counts, nextAt, timezone });
}

function adviseOfScheduleChanges(
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
          scheduledStart.startsWith(today) ? [scheduledStart.slice(11)] : [],
        ),
      ),
    ].sort();

  const [addedTimes, removedTimes] = [timesToday(plan.add), timesToday(plan.remove)];
  if (addedTimes.length > 0) call.advise({ kind: 'still_waters_today', times: addedTimes });
  if (removedTimes.length > 0) call.advise({ kind: 'removed_today', times: removedTimes });
}
