import { type Plan, pairedTimes } from '../domain/materialisation.ts';
import { dateText } from '../domain/recurrence.ts';
import { civilAt } from '../domain/zone.ts';
import type { Call, Saying } from '../operation/call.ts';
import { moduleName, parcelName } from '../operation/directory.ts';
import { sayInstant } from '../operation/say-time.ts';
import type { ScheduleBody } from '../schema/schedule.ts';
import { plannedAhead } from '../store/occurrences.ts';
import type { Schedule } from '../store/schedules.ts';
import { joined } from './say-lists.ts';
import { sayFigure } from './say-watering.ts';

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const count = (amount: number, one: string, several = `${one}s`): string => `${amount} ${amount === 1 ? one : several}`;

function sayRhythm({ freq, intervalDays, weekdays }: Pick<ScheduleBody, 'freq' | 'intervalDays' | 'weekdays'>): string {
  if (freq === 'weekly') return `every ${joined((weekdays ?? []).map((day) => DAYS[day - 1]!))}`;
  return intervalDays === 1 ? 'every day' : intervalDays === 2 ? 'every other day' : `every ${intervalDays} days`;
}

function sayGiven(
  schedule: Pick<ScheduleBody, 'inputMode' | 'durationMin' | 'inputDepthMm' | 'inputVolumeM3'>,
): string {
  switch (schedule.inputMode) {
    case 'duration':
      return `${schedule.durationMin} min`;
    case 'depth_mm':
      return `${sayFigure(schedule.inputDepthMm!)} mm`;
    case 'volume_m3':
      return `${sayFigure(schedule.inputVolumeM3!)} m3`;
  }
}

const targetName = (schedule: ScheduleBody, { directory }: Saying): Promise<string> =>
  schedule.targetModuleId !== null
    ? moduleName(directory, schedule.targetModuleId)
    : parcelName(directory, schedule.targetParcelId!);

/** A schedule in one sentence: who, how often, when, how much, from when until when, and what past ones become. */
export async function saySchedule(schedule: ScheduleBody, call: Saying): Promise<string> {
  const until = schedule.endsOn === null ? '' : ` until ${schedule.endsOn}`;
  const state = schedule.isActive ? 'waters' : 'is stopped; it would water';
  const policy = schedule.confirmationPolicy === 'auto' ? 'count as done by themselves' : 'wait to be confirmed';
  return [
    `Schedule ${schedule.id} ${state} ${await targetName(schedule, call)} ${sayRhythm(schedule)} at ${joined(schedule.startTimes)} (${schedule.timezone}), ${sayGiven(schedule)} each, from ${schedule.startsOn}${until}; past ones ${policy}.`,
    ...call.remarks,
  ].join(' ');
}

export async function saySchedules(
  { data, next_cursor }: { data: ScheduleBody[]; next_cursor: string | null },
  call: Saying,
): Promise<string> {
  if (data.length === 0) return 'No schedule matches.';
  const zones = new Set(data.map(({ timezone }) => timezone));
  const shared = zones.size === 1 ? ` (${data[0]!.timezone})` : '';
  const words = [];
  for (const each of data) {
    const zone = shared === '' ? ` (${each.timezone})` : '';
    words.push(
      `#${each.id} ${await targetName(each, call)} ${sayRhythm(each)} at ${joined(each.startTimes)}${zone}, ${sayGiven(each)}${each.isActive ? '' : ' (stopped)'}`,
    );
  }
  const more = next_cursor === null ? [] : ['More follow: pass next_cursor as cursor.'];
  return [`Schedules${shared}: ${words.join('; ')}.`, ...call.remarks, ...more].join(' ');
}

/** Says how many waterings a new schedule has planned, and when the next one is. */
export async function remarkBegun(call: Call, schedule: Schedule): Promise<void> {
  const { count: planned, dosed, next } = await plannedAhead(call.db, schedule.id, call.now);
  if (!schedule.isActive || planned === 0 || next === null) {
    call.remark('Nothing is planned in the next 90 days.');
    return;
  }
  call.remark(
    `${count(planned, 'watering')} planned in the next 90 days, the next ${sayInstant(next, schedule.timezone, call.now)}.`,
  );
  if (dosed < planned)
    call.remark(
      `${planned - dosed} of them have no dose yet: see get_irrigation_setup of the probe for what its equipment lacks.`,
    );
}

/** Says what a change made of the waterings ahead: "28 future waterings moved from 06:00 to 05:30, 2 corrected by hand were left." */
export function remarkPlan(call: Call, before: Schedule, after: Schedule, plan: Plan): void {
  const pairs = [...pairedTimes(before.startTimes, after.startTimes)];
  const moved = plan.change.filter(({ movedFrom }) => movedFrom !== null).length;
  const renewed = plan.change.length - moved;
  const how =
    pairs.length > 0 ? ` from ${joined(pairs.map(([from]) => from))} to ${joined(pairs.map(([, to]) => to))}` : '';
  const done = [
    ...(moved > 0 ? [`${count(moved, 'future watering')} moved${how}`] : []),
    ...(renewed > 0 ? [`${count(renewed, 'future watering')} got the new amount or dose`] : []),
    ...(plan.add.length > 0 ? [`${plan.add.length} added`] : []),
    ...(plan.remove.length > 0 ? [`${plan.remove.length} removed`] : []),
  ];
  const today = dateText(civilAt(call.now, after.timezone));
  const timesToday = (rows: readonly { slot: string }[]): string[] =>
    [...new Set(rows.flatMap(({ slot }) => (slot.startsWith(today) ? [slot.slice(11)] : [])))].sort();
  const left = plan.left > 0 ? [`${plan.left} corrected by hand ${plan.left === 1 ? 'was' : 'were'} left`] : [];
  call.remark(`${[...(done.length === 0 ? ['No future watering changed'] : done), ...left].join(', ')}.`);
  const [again, gone] = [timesToday(plan.add), timesToday(plan.remove)];
  if (again.length > 0)
    call.remark(`It still waters today at ${joined(again)}; skip that with correct_watering if it should not.`);
  if (gone.length > 0) call.remark(`Today’s watering at ${joined(gone)} is gone with the change.`);
}
