import { computeDose } from '../../domain/irrigation/dose.ts';
import { pairStartTimes } from '../../domain/irrigation/regeneration-plan.ts';
import { isSameAmount } from '../../domain/irrigation/watering-amount.ts';
import { operationName } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import type { Call } from '../../operation/call.ts';
import type { ScheduleBody } from '../../schema/irrigation/schedule.ts';
import { type Module, probeIdsOfParcel } from '../../store/company/modules.ts';
import {
  insertScheduleRow,
  type Schedule,
  scheduleById,
  scheduleCount,
  schedulesAfter,
  toScheduleBody,
  updateScheduleRow,
} from '../../store/irrigation/schedules.ts';
import {
  assertModuleOr400,
  assertOwnParcel,
  ownershipError,
  requireOwnModule,
} from '../ownership.ts';
import { idBeforePage, toPage } from '../pagination.ts';
import {
  confirmPastOccurrences,
  forecastOccurrences,
  occurrenceWindow,
  plannedTargets,
} from './planning/occurrences.ts';
import { applyRegenerationsAfterCommit } from './planning/pending-regenerations.ts';
import { assertRoomForSchedule } from './planning/planned-rows.ts';
import { regenerateOccurrences } from './planning/regeneration.ts';
import { bringUpToDate } from './planning/schedule-progress.ts';
import {
  adviseOfParcelVolume,
  adviseOfPlannedWaterings,
  adviseOfRunoff,
  adviseOfScheduleChanges,
  adviseOfScheduleOverlaps,
} from './schedule-advisories.ts';
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
  const { input, recurrence } = checkScheduleEntry(entry, call);
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
  await assertRoomForSchedule(call, created, null);
  const started = isActive ? await startSchedule(call, created) : created;
  await adviseOfScheduleOverlaps(call, started);
  // Nothing is planned for a paused schedule, so its period is empty.
  const plannedUntil = started.materializedUntil ?? call.now;
  adviseOfPlannedWaterings(
    call,
    started,
    await forecastOccurrences(call, started, call.now + 1, plannedUntil),
  );
  await adviseOfParcelVolume(call, started);
  await adviseOfRunoff(call, started);

  return toScheduleBody(started);
}

/** Computes each dose with the equipment that its target has now. */
async function assertPlausibleDoses(call: Call, schedule: Schedule): Promise<void> {
  const targets = await plannedTargets(call, schedule);
  const { equipmentAt } = await occurrenceWindow(call, schedule, targets, []);
  for (const id of targets)
    assertPlausibleDose(
      schedule.amount,
      computeDose(schedule.amount, equipmentAt(id, call.now), call.now),
    );
}

async function startSchedule(call: Call, created: Schedule): Promise<Schedule> {
  const { pending } = await regenerateOccurrences(call, created);
  await confirmPastOccurrences(call, created);
  applyRegenerationsAfterCommit(call, pending);
  return requireOwnSchedule(call, created.id);
}

export async function requireOwnSchedule(call: Call, id: number): Promise<Schedule> {
  const schedule = await scheduleById(call.db, id);
  if (schedule) return schedule;
  throw await ownershipError(call, 'schedules', id, {
    kind: say`schedule`,
    hint: say`See ids in ${operationName('list_schedules')}.`,
  });
}

export async function updateSchedule(
  call: Call,
  scheduleId: number,
  changes: ScheduleEntry,
): Promise<ScheduleBody> {
  const before = await requireOwnSchedule(call, scheduleId);
  const terms = applyScheduleChanges(before, changes);
  const recurrence = normalizeRecurrence(terms, before.timezone);
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
  const hasOtherAmount = !isSameAmount(before.amount, next.amount);
  if (hasOtherAmount) await assertPlausibleDoses(call, next);
  await updateScheduleRow(call.db, next);
  await assertRoomForSchedule(call, next, current);

  const movedStartTimes = pairStartTimes(before.startTimes, next.startTimes);
  const { plan, pending } = await regenerateOccurrences(call, next, movedStartTimes);

  await confirmPastOccurrences(call, next);
  adviseOfScheduleChanges(call, before, next, plan);
  if (plan.add.length + plan.change.length > 0) await adviseOfScheduleOverlaps(call, next);
  applyRegenerationsAfterCommit(call, pending);
  await adviseOfParcelVolume(call, next);
  if (hasOtherAmount) await adviseOfRunoff(call, next);

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

  const filter = { probe, parcelId: query.parcelId, isActive: query.isActive };
  const rows = await schedulesAfter(call.db, filter, afterId, query.limit + 1);
  const total = await scheduleCount(call.db, filter);
  if (total > 0) call.advise({ kind: 'total', count: total });

  return toPage(list, rows, {
    limit: query.limit,
    positionOf: ({ id }) => [id],
    bodyOf: toScheduleBody,
  });
}
