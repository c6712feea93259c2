import type { DoseInput, InputMode } from '../domain/dose.ts';
import { pairedTimes } from '../domain/materialisation.ts';
import type { Recurrence } from '../domain/recurrence.ts';
import { effectiveVersion } from '../domain/setup-timeline.ts';
import { isUniversalZone, isZone } from '../domain/zone.ts';
import type { Call } from '../operation/call.ts';
import { refuse } from '../schema/error.ts';
import type { ConfirmationPolicy, ScheduleBody } from '../schema/schedule.ts';
import { applicableVersions } from '../store/installations.ts';
import { type Module, probesOfParcel } from '../store/modules.ts';
import {
  activeSchedules,
  insertSchedule,
  type Schedule,
  scheduleById,
  scheduleCount,
  schedulesAfter,
  updateSchedule as storeSchedule,
} from '../store/schedules.ts';
import { refuseMisfit, refuseMissing } from './amounts.ts';
import { begin, flip, probesOf, regenerate, settle } from './occurrences.ts';
import { notOurs, ownModule, ownParcel, refuseUnowned } from './ownership.ts';
import { pageOf, placeOfCursor } from './pages.ts';
import { sayInAll } from './say-lists.ts';
import { remarkBegun, remarkPlan, scheduleWords } from './say-schedule.ts';
import { isoOrNull } from './wire.ts';

/** Body of a schedule write. What is undefined was not sent. */
export interface ScheduleEntry {
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
  readonly durationMin?: number | null;
  readonly inputDepthMm?: number | null;
  readonly inputVolumeM3?: number | null;
  readonly confirmationPolicy?: ConfirmationPolicy;
  readonly isActive?: boolean;
}

/** What a schedule asks for, whole. */
type Asked = Recurrence & DoseInput & Pick<Schedule, 'label' | 'confirmationPolicy' | 'isActive'>;

const MAX_START_TIMES = 12;

/** The recurrence in its proper form: what the other frequency needs is null, times once each and in order. */
function recurrenceOf(asked: Recurrence): Recurrence {
  const daily = asked.freq === 'daily';
  if (!daily && asked.intervalDays != null)
    throw refuse('INVALID_INTERVAL', 'intervalDays goes with freq daily only.', {
      hint: 'Leave intervalDays out of a weekly schedule, or choose daily.',
      field: 'intervalDays',
    });
  if (daily && (asked.weekdays?.length ?? 0) > 0)
    throw refuse('INVALID_WEEKDAYS', 'weekdays go with freq weekly only.', {
      hint: 'Leave weekdays out of a daily schedule, or choose weekly.',
      field: 'weekdays',
    });
  if (!daily && (asked.weekdays?.length ?? 0) === 0)
    throw refuse('INVALID_WEEKDAYS', 'A weekly schedule needs at least one weekday.', {
      hint: 'Give the days that were said, from 1 (Monday) to 7 (Sunday).',
      field: 'weekdays',
    });
  const startTimes = [...new Set(asked.startTimes)].sort();
  if (startTimes.length < 1 || startTimes.length > MAX_START_TIMES)
    throw refuse('INVALID_START_TIMES', `${startTimes.length} start times are given.`, {
      hint: `Give 1 to ${MAX_START_TIMES} local times as HH:MM.`,
      field: 'startTimes',
    });
  if (!isZone(asked.timezone) || isUniversalZone(asked.timezone))
    throw refuse('INVALID_TIMEZONE', `timezone ${JSON.stringify(asked.timezone)} is not a local time zone.`, {
      hint: 'Give an IANA zone such as Europe/Paris, not UTC under any name; get_company tells the company’s.',
      field: 'timezone',
    });
  if (asked.endsOn !== null && asked.endsOn < asked.startsOn)
    throw refuse('INVALID_ENDS_ON', `endsOn ${asked.endsOn} lies before startsOn ${asked.startsOn}.`, {
      hint: 'Give a last date on or after the first.',
      field: 'endsOn',
    });
  return {
    freq: asked.freq,
    intervalDays: daily ? (asked.intervalDays ?? 1) : null,
    weekdays: daily ? null : [...new Set(asked.weekdays)].sort((a, b) => a - b),
    startTimes,
    timezone: asked.timezone,
    startsOn: asked.startsOn,
    endsOn: asked.endsOn,
  };
}

function refuseAmounts(input: DoseInput): void {
  refuseMisfit(input);
  refuseMissing(input);
}

function refuseTarget({ targetModuleId, targetParcelId }: ScheduleEntry): void {
  if ((targetModuleId == null) !== (targetParcelId == null)) return;
  throw refuse('INVALID_TARGET', targetModuleId == null ? 'No target is given.' : 'Two targets are given.', {
    hint: 'Give a module or a parcel, one of the two.',
    field: 'module',
  });
}

async function ownTarget(call: Call, { targetModuleId, targetParcelId }: ScheduleEntry) {
  if (targetModuleId != null) await refuseUnowned(call, targetModuleId);
  else await ownParcel(call, targetParcelId!, 'PARCEL_NOT_FOUND');
  return { targetModuleId: targetModuleId ?? null, targetParcelId: targetParcelId ?? null };
}

type Creation = ScheduleEntry &
  Required<Pick<ScheduleEntry, 'freq' | 'startTimes' | 'timezone' | 'startsOn' | 'inputMode'>>;

/** What an entry asks for, in its proper form; refuses what is wrong with it in itself. */
export function soundSchedule(entry: Creation): { input: DoseInput; recurrence: Recurrence } {
  const input: DoseInput = {
    inputMode: entry.inputMode,
    durationMin: entry.durationMin ?? null,
    inputDepthMm: entry.inputDepthMm ?? null,
    inputVolumeM3: entry.inputVolumeM3 ?? null,
  };
  refuseAmounts(input);
  refuseTarget(entry);
  const recurrence = recurrenceOf({
    ...entry,
    intervalDays: entry.intervalDays ?? null,
    weekdays: entry.weekdays ?? null,
    endsOn: entry.endsOn ?? null,
  });
  return { input, recurrence };
}

export async function createSchedule(call: Call, entry: Creation): Promise<ScheduleBody> {
  const { input, recurrence } = soundSchedule(entry);
  const target = await ownTarget(call, entry);
  const confirmationPolicy = entry.confirmationPolicy ?? 'auto';
  const isActive = entry.isActive ?? true;
  const created = await insertSchedule(call.db, {
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
  const begun = isActive ? await begin(call, created) : created;
  await remarkTwins(call, begun);
  await remarkBegun(call, begun);
  await remarkAreas(call, begun);
  return scheduleBodyOf(begun);
}

/** Says when another running schedule waters the same target at the same hour. */
async function remarkTwins(call: Call, schedule: Schedule): Promise<void> {
  const twin = (await activeSchedules(call.db)).find(
    (each) =>
      each.id !== schedule.id &&
      each.targetModuleId === schedule.targetModuleId &&
      each.targetParcelId === schedule.targetParcelId &&
      each.startTimes.some((time) => schedule.startTimes.includes(time)),
  );
  if (twin) call.remark(scheduleWords(call).twin(twin.id));
}

/** A volume gives each probe a dose by its own area: said where these differ. */
async function remarkAreas(call: Call, schedule: Schedule): Promise<void> {
  if (schedule.inputMode !== 'volume_m3' || schedule.targetParcelId === null) return;
  const areas = new Set<number | null>();
  for (const id of await probesOf(call, schedule)) {
    areas.add(effectiveVersion(await applicableVersions(call.db, id), call.now)?.irrigatedAreaM2 ?? null);
  }
  if (areas.size > 1) call.remark(scheduleWords(call).differentAreas);
}

/** The company's schedule of that id. */
export async function ownSchedule(call: Call, id: number): Promise<Schedule> {
  const found = await scheduleById(call.db, id);
  if (found) return found;
  throw await notOurs(call, 'schedules', id, 'schedule', 'See ids in list_schedules.');
}

/** A schedule with what was sent laid over it; a change of frequency or mode empties what goes with the other. */
function changed(schedule: Schedule, sent: ScheduleEntry): Asked {
  const kept = <T>(value: T | undefined, standing: T): T => (value === undefined ? standing : value);
  const freq = sent.freq ?? schedule.freq;
  const inputMode = sent.inputMode ?? schedule.inputMode;
  const sameFreq = freq === schedule.freq;
  const sameMode = inputMode === schedule.inputMode;
  return {
    label: kept(sent.label, schedule.label),
    freq,
    intervalDays: kept(sent.intervalDays, sameFreq ? schedule.intervalDays : null),
    weekdays: kept(sent.weekdays, sameFreq ? schedule.weekdays : null),
    startTimes: sent.startTimes ?? schedule.startTimes,
    timezone: sent.timezone ?? schedule.timezone,
    startsOn: sent.startsOn ?? schedule.startsOn,
    endsOn: kept(sent.endsOn, schedule.endsOn),
    inputMode,
    durationMin: kept(sent.durationMin, schedule.durationMin),
    inputDepthMm: kept(sent.inputDepthMm, sameMode ? schedule.inputDepthMm : null),
    inputVolumeM3: kept(sent.inputVolumeM3, sameMode ? schedule.inputVolumeM3 : null),
    confirmationPolicy: sent.confirmationPolicy ?? schedule.confirmationPolicy,
    isActive: sent.isActive ?? schedule.isActive,
  };
}

export async function updateSchedule(call: Call, scheduleId: number, sent: ScheduleEntry): Promise<ScheduleBody> {
  const before = await ownSchedule(call, scheduleId);
  const asked = changed(before, sent);
  refuseAmounts(asked);
  const recurrence = recurrenceOf(asked);
  const settled = await settle(call, before);
  const { label, inputMode, durationMin, inputDepthMm, inputVolumeM3, confirmationPolicy, isActive } = asked;
  const next: Schedule = {
    ...settled,
    ...recurrence,
    ...{ label, inputMode, durationMin, inputDepthMm, inputVolumeM3, confirmationPolicy, isActive },
    // What waited to be confirmed goes on waiting.
    autoFrom: confirmationPolicy === 'manual' ? null : (settled.autoFrom ?? call.now + 1),
    materializedUntil: isActive ? settled.materializedUntil : null,
  };
  await storeSchedule(call.db, next);
  const plan = await regenerate(call, next, pairedTimes(before.startTimes, next.startTimes));
  await flip(call, next);
  remarkPlan(call, before, next, plan);
  await remarkAreas(call, next);
  return scheduleBodyOf((await scheduleById(call.db, scheduleId))!);
}

/** A module as schedules reach it: one that is no probe, such as a station, is none of those that its parcel's water. */
async function watered({ db }: Call, { id, parcelId }: Module): Promise<{ id: number; parcelId: number | null }> {
  const isProbe = parcelId !== null && (await probesOfParcel(db, parcelId)).includes(id);
  return { id, parcelId: isProbe ? parcelId : null };
}

export async function listSchedules(
  call: Call,
  asked: { moduleId?: number; parcelId?: number; isActive?: boolean; limit: number; cursor?: string },
) {
  const list = ['schedules', call.company.id] as const;
  const afterId = placeOfCursor(list, asked.cursor, 1)?.[0] ?? 0;
  const probe = asked.moduleId === undefined ? undefined : await watered(call, await ownModule(call, asked.moduleId));
  if (asked.parcelId !== undefined) await ownParcel(call, asked.parcelId);
  const filter = { probe, parcelId: asked.parcelId, isActive: asked.isActive };
  const rows = await schedulesAfter(call.db, filter, afterId, asked.limit + 1);
  const total = await scheduleCount(call.db, filter);
  if (total > 0) call.remark(sayInAll(total, call.lang));
  const { data, next_cursor } = pageOf(list, rows, asked.limit, ({ id }) => [id]);
  return { data: data.map(scheduleBodyOf), next_cursor };
}

export const scheduleBodyOf = (schedule: Schedule): ScheduleBody => ({
  id: schedule.id,
  targetModuleId: schedule.targetModuleId,
  targetParcelId: schedule.targetParcelId,
  label: schedule.label,
  freq: schedule.freq,
  intervalDays: schedule.intervalDays,
  weekdays: schedule.weekdays === null ? null : [...schedule.weekdays],
  startTimes: [...schedule.startTimes],
  timezone: schedule.timezone,
  inputMode: schedule.inputMode,
  durationMin: schedule.durationMin,
  inputDepthMm: schedule.inputDepthMm,
  inputVolumeM3: schedule.inputVolumeM3,
  startsOn: schedule.startsOn,
  endsOn: schedule.endsOn,
  confirmationPolicy: schedule.confirmationPolicy,
  isActive: schedule.isActive,
  materializedUntil: isoOrNull(schedule.materializedUntil),
});
