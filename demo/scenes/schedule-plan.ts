import { DAY_MS } from '../../src/domain/periods.ts';
import type { ScheduleBody } from '../../src/schema/irrigation/schedule.ts';
import type { WateringAnswer, WateringBody } from '../../src/schema/irrigation/watering.ts';
import { atLocalTime, dateAgo, weekdayAgo } from '../farm/calendar.ts';
import { DEMO_ZONE } from '../farm/demo-farm.ts';
import {
  calendarRows,
  DAYS_AHEAD,
  endOfMonth,
  monthName,
  nextClockChange,
  wallClockTime,
} from '../hand-calculations/wall-clock-calendar.ts';
import { type DemoConversation, expectThat } from '../output/conversation.ts';
import { transcript } from '../output/transcript.ts';

export interface DemoPlan {
  readonly scheduleId: number;
  readonly firstDay: number;
  readonly everyDays: number;
  readonly endsOn: string;
  readonly startTime: string;
  readonly byHand: number;
}

export const PLANNED_MIN = 30;
export const LONGER_MIN = 45;

const FIRST_DAY = 1;
const EVERY_DAYS = 2;
export const LONGER_DAY = FIRST_DAY + EVERY_DAYS;
export const SKIPPED_DAY = FIRST_DAY + 2 * EVERY_DAYS;
/** Far enough ahead that the schedule around the clock change is unchanged. */
const CHANGE_IN_DAYS = 12;

export const shownClockChange = (now: number) => nextClockChange(now + CHANGE_IN_DAYS * DAY_MS);

const endsOn = (now: number): string =>
  endOfMonth(
    [wallClockTime(shownClockChange(now).at + 10 * DAY_MS), dateAgo(now, -60)]
      .sort()
      .at(-1)!
      .slice(0, 10),
  );

/** The days counted from the day of `now`, after `from` (ms) and up to `to`. */
export function planDays(
  { firstDay, everyDays, endsOn: last, startTime }: Omit<DemoPlan, 'scheduleId' | 'byHand'>,
  now: number,
  [from, to]: readonly [number, number],
): number[] {
  const [hour = 0, minute = 0] = startTime.split(':').map(Number);
  const days: number[] = [];
  for (let day = firstDay; dateAgo(now, -day) <= last; day += everyDays) {
    const at = atLocalTime(now, -day, hour, minute);
    if (at > from && at <= to) days.push(day);
  }
  return days;
}

interface Waterings {
  readonly data: readonly WateringBody[];
}

export async function playSchedulePlan(
  conversation: DemoConversation,
  now: number,
): Promise<DemoPlan> {
  const planned = await planEveryOtherDay(conversation, now);
  await changeTwoByHand(conversation, planned, now);
  const moved = await startEarlier(conversation, planned, now);
  await showCalendar(conversation, moved, now);
  return moved;
}

const expectedTimes = (plan: Omit<DemoPlan, 'scheduleId' | 'byHand'>, now: number): string[] =>
  planDays(plan, now, [now, now + DAYS_AHEAD * DAY_MS]).map(
    (day) => `${dateAgo(now, -day)} ${plan.startTime}`,
  );

const wallClockTimes = (events: readonly WateringBody[]): string[] =>
  events.map(({ startedAt }) => wallClockTime(Date.parse(startedAt))).sort();

const isSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

async function planEveryOtherDay(conversation: DemoConversation, now: number): Promise<DemoPlan> {
  const last = endsOn(now);
  transcript.person(
    `From tomorrow on, water North 2 every other day at five, half an hour, until the end of ${monthName(last)}. The pump does it by itself, so take it as done.`,
  );
  const planned = { firstDay: FIRST_DAY, everyDays: EVERY_DAYS, endsOn: last, startTime: '05:00' };
  const { id } = await conversation.ask<ScheduleBody>('create_schedule', {
    module: 'North 2',
    freq: 'daily',
    intervalDays: EVERY_DAYS,
    startTimes: [planned.startTime],
    timezone: DEMO_ZONE,
    startsOn: dateAgo(now, -FIRST_DAY),
    endsOn: last,
    inputMode: 'duration',
    durationMin: PLANNED_MIN,
    confirmationPolicy: 'auto',
  });

  transcript.event('The assistant looks at the waterings planned for the week ahead.');
  const week = await conversation.ask<Waterings>('list_waterings', {
    scheduleId: id,
    to: dateAgo(now, -FIRST_DAY - 6),
    detail: 'full',
  });
  conversation.showTable(week.data);
  const all = await conversation.listAll(id);
  const days = expectedTimes(planned, now);
  expectThat(
    isSame(wallClockTimes(all), days),
    'there is one watering every other day at five, as far as the ninety days reach',
  );
  expectThat(
    all.every(({ status }) => status === 'planned'),
    'all of them are planned',
  );
  const isWhole =
    dateAgo(now, -planDays(planned, now, [now, Number.POSITIVE_INFINITY]).at(-1)!) ===
    days.at(-1)!.slice(0, 10);
  transcript.checked(
    `${days.length} in all, every second day from ${days[0]!.slice(0, 10)} to ${days.at(-1)!.slice(0, 10)}, ${isWhole ? 'the last of the plan' : 'the last that ninety days reach'}.`,
  );
  return { ...planned, scheduleId: id, byHand: 0 };
}

const wateringOnDay = (events: readonly WateringBody[], now: number, day: number): WateringBody =>
  events.find(({ startedAt }) =>
    wallClockTime(Date.parse(startedAt)).startsWith(dateAgo(now, -day)),
  )!;

async function changeTwoByHand(
  conversation: DemoConversation,
  { scheduleId }: DemoPlan,
  now: number,
): Promise<void> {
  const events = await conversation.listAll(scheduleId);
  const correction = ({ id, startedAt }: WateringBody) => ({
    eventId: id,
    startedAt,
    inputMode: 'duration',
  });

  transcript.person(`Give it three quarters of an hour on ${weekdayAgo(now, -LONGER_DAY)}.`);
  const longer = await conversation.askDose('correct_watering', {
    ...correction(wateringOnDay(events, now, LONGER_DAY)),
    durationMin: LONGER_MIN,
  });
  expectThat(
    longer.event.isDetached && longer.event.status === 'planned',
    'the watering is detached, and planned as before',
  );

  transcript.person(`And none on ${weekdayAgo(now, -SKIPPED_DAY)}, we are spraying.`);
  const skipped = await conversation.ask<WateringAnswer>('correct_watering', {
    ...correction(wateringOnDay(events, now, SKIPPED_DAY)),
    status: 'skipped',
  });
  expectThat(
    skipped.event.isDetached && skipped.event.status === 'skipped',
    'the watering is detached and skipped',
  );
  transcript.figures([
    `watering ${longer.event.id}: isDetached true; watering ${skipped.event.id}: isDetached true, status skipped`,
  ]);
}

async function startEarlier(
  conversation: DemoConversation,
  before: DemoPlan,
  now: number,
): Promise<DemoPlan> {
  transcript.person('Start at half past four from now on.');
  const listed = await conversation.listAll(before.scheduleId);
  const after = { ...before, startTime: '04:30', byHand: 2 };
  const { summary } = await conversation.ask<{ summary: string }>('update_schedule', {
    scheduleId: before.scheduleId,
    startTimes: [after.startTime],
  });
  const moved = listed.length - after.byHand;
  expectThat(
    summary.includes(
      `${moved} future waterings moved from ${before.startTime} to ${after.startTime}`,
    ) && summary.includes(`${after.byHand} corrected by hand were left`),
    'the answer says how many moved, and how many were left',
  );
  const events = await conversation.listAll(before.scheduleId);
  const isMoved = ({ id, startedAt }: WateringBody): boolean => {
    const current = events.find((event) => event.id === id)!;
    return current.isDetached
      ? current.startedAt === startedAt
      : wallClockTime(Date.parse(current.startedAt)) ===
          wallClockTime(Date.parse(startedAt)).replace(before.startTime, after.startTime);
  };
  expectThat(listed.every(isMoved), 'each of the others begins at half past four of the same day');
  expectThat(
    isSame(
      wallClockTimes(events.filter(({ isDetached }) => !isDetached)),
      expectedUnchangedTimes(after, now),
    ),
    'no day is missing',
  );
  transcript.checked(
    `${listed.length} were planned; ${after.byHand} of them were changed by hand and are as they were, the other ${moved} begin half an hour earlier on their day.`,
  );
  return after;
}

const expectedUnchangedTimes = (plan: DemoPlan, now: number): string[] => {
  const byHand = [LONGER_DAY, SKIPPED_DAY].map((day) => dateAgo(now, -day));
  return expectedTimes(plan, now).filter((time) => !byHand.includes(time.slice(0, 10)));
};

async function showCalendar(
  conversation: DemoConversation,
  { scheduleId }: DemoPlan,
  now: number,
): Promise<void> {
  transcript.person('Show me the next ninety days on a calendar.');
  const { data } = await conversation.ask<Waterings>('list_waterings', {
    scheduleId,
    from: 'today',
    detail: 'concise',
    limit: 200,
  });
  const all = await conversation.listAll(scheduleId);
  expectThat(data.length === all.length, 'the answer holds all of them');
  transcript.table(calendarRows(data, now));
  const longer = wateringOnDay(data, now, LONGER_DAY);
  const plain = data.filter(({ isDetached }) => !isDetached);
  const { durationMin, waterMm } = plain[0]!;
  const flowMmPerH = all[0]!.configSnapshot!.flowMmPerH;
  expectThat(
    plain.every((event) => event.waterMm === waterMm && event.status === 'planned'),
    'all that nobody changed are planned and have the same dose',
  );
  transcript.figures([
    `each planned: ${durationMin} min at ${flowMmPerH} mm/h = ${waterMm} mm;`,
    `* corrected by hand: ${longer.durationMin} min = ${longer.waterMm} mm; x skipped; local times`,
  ]);
  const change = shownClockChange(now);
  const changesOn = wallClockTime(change.at).slice(0, 10);
  const isShown = change.at < Math.max(...data.map(({ startedAt }) => Date.parse(startedAt)));
  transcript.checked(
    isShown
      ? `The clocks go ${change.direction} on ${changesOn}; the waterings begin at the same time before and after it.`
      : `The clocks go ${change.direction} on ${changesOn}, which is after these days.`,
  );
}
