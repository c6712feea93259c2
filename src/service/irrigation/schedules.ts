import { freezeDose } from '../../domain/irrigation/dose.ts';
import { pairStartTimes } from '../../domain/irrigation/occurrences.ts';
import { exclusiveFields, isSameAmount } from '../../domain/irrigation/watering-amount.ts';
import type { Call } from '../../operation/call.ts';
import type { ScheduleBody } from '../../schema/schedule.ts';
import { type Module, probesOfParcel } from '../../store/company/places.ts';
import {
  insertScheduleRow,
  type Schedule,
  scheduleById,
  scheduleCount,
  schedulesAfter,
  updateScheduleRow,
} from '../../store/irrigation/schedules.ts';
import { ownershipError, refuseUnownedModule, requireOwnModule, requireOwnParcel } from '../ownership.ts';
import { decodeCursor, toPage } from '../pagination.ts';
import { toIsoOrNull } from '../wire-format.ts';
import { refuseImplausibleDose } from './amount-refusals.ts';
import { confirmPastOccurrences, forecastOccurrences, occurrenceWindow, targetProbes } from './occurrences.ts';
import { followAfterCommit, regenerateOccurrences, requireFollowedPlans, settleSchedule } from './regeneration.ts';
import {
  applyScheduleChanges,
  checkScheduleEntry,
  type NewScheduleEntry,
  normalizeRecurrence,
  type ScheduleEntry,
} from './schedule-entry.ts';
import {
  noteDifferentAreas,
  noteDuplicateSchedule,
  notePlannedWaterings,
  noteScheduleChanges,
} from './schedule-notes.ts';

async function requireOwnTarget(call: Call, { targetModuleId, targetParcelId }: ScheduleEntry) {
  if (targetModuleId != null) await refuseUnownedModule(call, targetModuleId);
  else await requireOwnParcel(call, targetParcelId!, 'PARCEL_NOT_FOUND');
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
    autoFrom: confirmationPolicy === 'auto' ? call.now : null,
    isActive,
    materializedUntil: null,
    createdBy: call.caller.userId,
    createdAt: call.now,
  });
  await refuseImplausibleDoses(call, created);
  const started = isActive ? await startSchedule(call, created) : created;
  await noteDuplicateSchedule(call, started);
  notePlannedWaterings(
    call,
    started,
    await forecastOccurrences(call, started, call.now + 1, started.materializedUntil ?? 0),
  );
  await noteDifferentAreas(call, started);
  return toScheduleBody(started);
}

/** By the equipment that each probe has now. */
async function refuseImplausibleDoses(call: Call, schedule: Schedule): Promise<void> {
  const probes = await targetProbes(call, schedule);
  const { setupAt } = await occurrenceWindow(call, schedule, probes, []);
  for (const id of probes)
    refuseImplausibleDose(schedule.amount, freezeDose(schedule.amount, setupAt(id, call.now), call.now));
}

async function startSchedule(call: Call, created: Schedule): Promise<Schedule> {
  const { pending } = await regenerateOccurrences(call, created);
  await confirmPastOccurrences(call, created);
  followAfterCommit(call, pending);
  return (await scheduleById(call.db, created.id))!;
}

export async function requireOwnSchedule(call: Call, id: number): Promise<Schedule> {
  const schedule = await scheduleById(call.db, id);
  if (schedule) return schedule;
  throw await ownershipError(call, 'schedules', id, 'schedule', 'See ids in list_schedules.');
}

export async function updateSchedule(call: Call, scheduleId: number, changes: ScheduleEntry): Promise<ScheduleBody> {
  const before = await requireOwnSchedule(call, scheduleId);
  const terms = applyScheduleChanges(before, changes);
  const recurrence = normalizeRecurrence(terms);
  const settled = await settleSchedule(call, before);
  const { label, amount, durationMin, confirmationPolicy, isActive } = terms;
  const next: Schedule = {
    ...settled,
    ...recurrence,
    ...{ label, amount, durationMin, confirmationPolicy, isActive },
    // Past occurrences that waited for confirmation keep waiting.
    autoFrom: confirmationPolicy === 'manual' ? null : (settled.autoFrom ?? call.now + 1),
    materializedUntil: isActive ? settled.materializedUntil : null,
  };
  if (!isSameAmount(before.amount, next.amount)) await refuseImplausibleDoses(call, next);
  await updateScheduleRow(call.db, next);
  const startTimePairs = pairStartTimes(before.startTimes, next.startTimes);
  const { done, pending } = await regenerateOccurrences(call, next, startTimePairs);
  await confirmPastOccurrences(call, next);
  noteScheduleChanges(call, before, next, done);
  followAfterCommit(call, pending);
  await noteDifferentAreas(call, next);
  return toScheduleBody((await scheduleById(call.db, scheduleId))!);
}

/** Schedules of a parcel water its probes only, so for a weather station the parcel does not count. */
async function asScheduleTarget(
  { db }: Call,
  { id, parcelId }: Module,
): Promise<{ id: number; parcelId: number | null }> {
  const isProbe = parcelId !== null && (await probesOfParcel(db, parcelId)).includes(id);
  return { id, parcelId: isProbe ? parcelId : null };
}

export async function listSchedules(
  call: Call,
  query: { moduleId?: number; parcelId?: number; isActive?: boolean; limit: number; cursor?: string },
) {
  const list = ['schedules', call.company.id] as const;
  const afterId = decodeCursor(list, query.cursor, 1)?.[0] ?? 0;
  const probe =
    query.moduleId === undefined
      ? undefined
      : await asScheduleTarget(call, await requireOwnModule(call, query.moduleId));
  if (query.parcelId !== undefined) await requireOwnParcel(call, query.parcelId);
  await requireFollowedPlans(call, {});
  const filter = { probe, parcelId: query.parcelId, isActive: query.isActive };
  const rows = await schedulesAfter(call.db, filter, afterId, query.limit + 1);
  const total = await scheduleCount(call.db, filter);
  if (total > 0) call.note({ kind: 'total', count: total });
  const { data, next_cursor } = toPage(list, rows, query.limit, ({ id }) => [id]);
  return { data: data.map(toScheduleBody), next_cursor };
}

export const toScheduleBody = (schedule: Schedule): ScheduleBody => ({
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
