import { formatIsoDate } from '../../domain/calendar.ts';
import { pairStartTimes, type RegenerationPlan } from '../../domain/irrigation/occurrences.ts';
import type { Recurrence } from '../../domain/irrigation/recurrence.ts';
import { effectiveVersion } from '../../domain/irrigation/setup-timeline.ts';
import {
  exclusiveFields,
  type InputMode,
  type SentAmounts,
  type WateringInput,
} from '../../domain/irrigation/watering-amount.ts';
import { civilAt, isTimeZone, isUtcZone } from '../../domain/time-zone.ts';
import type { Call } from '../../operation/call.ts';
import { invalidInput } from '../../schema/error.ts';
import type { ConfirmationPolicy, ScheduleBody } from '../../schema/schedule.ts';
import { type Module, probesOfParcel } from '../../store/company/places.ts';
import { applicableVersions } from '../../store/irrigation/installations.ts';
import { plannedOccurrenceStats } from '../../store/irrigation/occurrences.ts';
import {
  activeSchedules,
  insertScheduleRow,
  type Schedule,
  scheduleById,
  scheduleCount,
  schedulesAfter,
  updateScheduleRow as storeSchedule,
} from '../../store/irrigation/schedules.ts';
import { ownershipError, refuseUnownedModule, requireOwnModule, requireOwnParcel } from '../ownership.ts';
import { decodeCursor, toPage } from '../pagination.ts';
import { toIsoOrNull } from '../wire-format.ts';
import { refuseAmountOfOtherMode, requireInput } from './amount-refusals.ts';
import {
  confirmPastOccurrences,
  regenerateOccurrences,
  settleSchedule,
  startSchedule,
  targetProbes,
} from './occurrences.ts';

/** Body of a schedule write. What is undefined was not sent. */
export interface ScheduleEntry extends SentAmounts {
  readonly targetModuleId?: number | null;
  readonly targetParcelId?: number | null;
  readonly label?: string | null;
  readonly freq?: Recurrence['freq'];
  readonly intervalDays?: number | null;
  readonly weekdays?: readonly number[] | null;
  readonly startTimes?: readonly string[];
  readonly timezone?: string;
  readonly startsOn?: string;
  readonly endsOn?: string | null;
  readonly inputMode?: InputMode;
  readonly confirmationPolicy?: ConfirmationPolicy;
  readonly isActive?: boolean;
}

/** What a schedule asks for, whole. */
type ScheduleTerms = Recurrence & WateringInput & Pick<Schedule, 'label' | 'confirmationPolicy' | 'isActive'>;

const MAX_START_TIMES = 12;

/** The recurrence in its proper form: what the other frequency needs is null, times once each and in order. */
function normalizeRecurrence(recurrence: Recurrence): Recurrence {
  const daily = recurrence.freq === 'daily';
  if (!daily && recurrence.intervalDays != null)
    throw invalidInput('INVALID_INTERVAL', 'intervalDays goes with freq daily only.', {
      hint: 'Leave intervalDays out of a weekly schedule, or choose daily.',
      field: 'intervalDays',
    });
  if (daily && (recurrence.weekdays?.length ?? 0) > 0)
    throw invalidInput('INVALID_WEEKDAYS', 'weekdays go with freq weekly only.', {
      hint: 'Leave weekdays out of a daily schedule, or choose weekly.',
      field: 'weekdays',
    });
  if (!daily && (recurrence.weekdays?.length ?? 0) === 0)
    throw invalidInput('INVALID_WEEKDAYS', 'A weekly schedule needs at least one weekday.', {
      hint: 'Give the days that were said, from 1 (Monday) to 7 (Sunday).',
      field: 'weekdays',
    });
  const startTimes = [...new Set(recurrence.startTimes)].sort();
  if (startTimes.length < 1 || startTimes.length > MAX_START_TIMES)
    throw invalidInput('INVALID_START_TIMES', `${startTimes.length} start times are given.`, {
      hint: `Give 1 to ${MAX_START_TIMES} local times as HH:MM.`,
      field: 'startTimes',
    });
  if (!isTimeZone(recurrence.timezone) || isUtcZone(recurrence.timezone))
    throw invalidInput(
      'INVALID_TIMEZONE',
      `timezone ${JSON.stringify(recurrence.timezone)} is not a local time zone.`,
      {
        hint: 'Give an IANA zone such as Europe/Paris, not UTC under any name; get_company shows the company’s.',
        field: 'timezone',
      },
    );
  if (recurrence.endsOn !== null && recurrence.endsOn < recurrence.startsOn)
    throw invalidInput('INVALID_ENDS_ON', `endsOn ${recurrence.endsOn} lies before startsOn ${recurrence.startsOn}.`, {
      hint: 'Give a last date on or after the first.',
      field: 'endsOn',
    });
  return {
    freq: recurrence.freq,
    intervalDays: daily ? (recurrence.intervalDays ?? 1) : null,
    weekdays: daily ? null : [...new Set(recurrence.weekdays)].sort((a, b) => a - b),
    startTimes,
    timezone: recurrence.timezone,
    startsOn: recurrence.startsOn,
    endsOn: recurrence.endsOn,
  };
}

function checkedInput(mode: InputMode, sent: SentAmounts, current?: WateringInput): WateringInput {
  refuseAmountOfOtherMode(mode, sent);
  return requireInput(mode, sent, current && { current });
}

function refuseInvalidTarget({ targetModuleId, targetParcelId }: ScheduleEntry): void {
  if ((targetModuleId == null) !== (targetParcelId == null)) return;
  throw invalidInput('INVALID_TARGET', targetModuleId == null ? 'No target is given.' : 'Two targets are given.', {
    hint: 'Give a module or a parcel, one of the two.',
    field: 'module',
  });
}

async function requireOwnTarget(call: Call, { targetModuleId, targetParcelId }: ScheduleEntry) {
  if (targetModuleId != null) await refuseUnownedModule(call, targetModuleId);
  else await requireOwnParcel(call, targetParcelId!, 'PARCEL_NOT_FOUND');
  return { targetModuleId: targetModuleId ?? null, targetParcelId: targetParcelId ?? null };
}

type NewScheduleEntry = ScheduleEntry &
  Required<Pick<ScheduleEntry, 'freq' | 'startTimes' | 'timezone' | 'startsOn' | 'inputMode'>>;

/** What an entry asks for, in its proper form; refuses what is wrong with it in itself. */
export function checkScheduleEntry(entry: NewScheduleEntry): { input: WateringInput; recurrence: Recurrence } {
  const input = checkedInput(entry.inputMode, entry);
  refuseInvalidTarget(entry);
  const recurrence = normalizeRecurrence({
    ...entry,
    intervalDays: entry.intervalDays ?? null,
    weekdays: entry.weekdays ?? null,
    endsOn: entry.endsOn ?? null,
  });
  return { input, recurrence };
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
  const started = isActive ? await startSchedule(call, created) : created;
  await noteDuplicateSchedule(call, started);
  await notePlannedWaterings(call, started);
  await noteDifferentAreas(call, started);
  return toScheduleBody(started);
}

/** Says when another running schedule waters the same target at the same hour. */
async function noteDuplicateSchedule(call: Call, schedule: Schedule): Promise<void> {
  const duplicate = (await activeSchedules(call.db)).find(
    (each) =>
      each.id !== schedule.id &&
      each.targetModuleId === schedule.targetModuleId &&
      each.targetParcelId === schedule.targetParcelId &&
      each.startTimes.some((time) => schedule.startTimes.includes(time)),
  );
  if (duplicate) call.note({ kind: 'duplicate_schedule', id: duplicate.id });
}

/** A volume gives each probe a dose by its own area: said where these differ. */
async function noteDifferentAreas(call: Call, schedule: Schedule): Promise<void> {
  if (schedule.amount.mode !== 'volume_m3' || schedule.targetParcelId === null) return;
  const areas = new Set<number | null>();
  for (const id of await targetProbes(call, schedule)) {
    areas.add(effectiveVersion(await applicableVersions(call.db, id), call.now)?.irrigatedAreaM2 ?? null);
  }
  if (areas.size > 1) call.note({ kind: 'different_irrigated_areas' });
}

/** The company's schedule of that id. */
export async function requireOwnSchedule(call: Call, id: number): Promise<Schedule> {
  const schedule = await scheduleById(call.db, id);
  if (schedule) return schedule;
  throw await ownershipError(call, 'schedules', id, 'schedule', 'See ids in list_schedules.');
}

/** A schedule with what was sent laid over it; a change of frequency or mode empties what goes with the other. */
function applyScheduleChanges(schedule: Schedule, changes: ScheduleEntry): ScheduleTerms {
  const orExisting = <T>(value: T | undefined, existing: T): T => (value === undefined ? existing : value);
  const freq = changes.freq ?? schedule.freq;
  const sameFreq = freq === schedule.freq;
  return {
    label: orExisting(changes.label, schedule.label),
    freq,
    intervalDays: orExisting(changes.intervalDays, sameFreq ? schedule.intervalDays : null),
    weekdays: orExisting(changes.weekdays, sameFreq ? schedule.weekdays : null),
    startTimes: changes.startTimes ?? schedule.startTimes,
    timezone: changes.timezone ?? schedule.timezone,
    startsOn: changes.startsOn ?? schedule.startsOn,
    endsOn: orExisting(changes.endsOn, schedule.endsOn),
    ...checkedInput(changes.inputMode ?? schedule.amount.mode, changes, schedule),
    confirmationPolicy: changes.confirmationPolicy ?? schedule.confirmationPolicy,
    isActive: changes.isActive ?? schedule.isActive,
  };
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
    // What waited to be confirmed goes on waiting.
    autoFrom: confirmationPolicy === 'manual' ? null : (settled.autoFrom ?? call.now + 1),
    materializedUntil: isActive ? settled.materializedUntil : null,
  };
  await storeSchedule(call.db, next);
  const plan = await regenerateOccurrences(call, next, pairStartTimes(before.startTimes, next.startTimes));
  await confirmPastOccurrences(call, next);
  noteScheduleChanges(call, before, next, plan);
  await noteDifferentAreas(call, next);
  return toScheduleBody((await scheduleById(call.db, scheduleId))!);
}

/** A module as schedules reach it: one that is no probe, such as a station, is none of those that its parcel's water. */
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

/** Notes how many waterings a new schedule has planned, and when the next one is. */
export async function notePlannedWaterings(call: Call, schedule: Schedule): Promise<void> {
  const { count, dosed, next } = await plannedOccurrenceStats(call.db, schedule.id, call.now);
  if (!schedule.isActive || count === 0 || next === null) {
    call.note({ kind: 'nothing_planned' });
    return;
  }
  const { timezone } = schedule;
  call.note({ kind: 'waterings_planned', count, withoutDose: count - dosed, nextAt: next, timezone });
}

/** Notes what a change made of the waterings ahead. */
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
