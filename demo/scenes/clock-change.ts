import { DAY_MS, HOUR_MS } from '../../src/domain/periods.ts';
import type { WateringBody } from '../../src/schema/irrigation/watering.ts';
import { atLocalTime, dateAgo, weekdayAgo } from '../farm/calendar.ts';
import { DAYS_AHEAD, utcMinute, wallClockTime } from '../hand-calculations/wall-clock-calendar.ts';
import { type DemoConversation, expectThat } from '../output/conversation.ts';
import { transcript } from '../output/transcript.ts';
import { type FarmCopy, withFarmCopy } from '../servers/farm-copy.ts';
import { type DemoPlan, planDays, shownClockChange } from './schedule-plan.ts';

const DAYS_AROUND = 5;
const DAYS_AFTER = 3;

/** On a copy of the farm, so that the farm itself keeps its date. */
export async function playClockChange(
  program: string,
  { file, plan, now }: { file: string; plan: DemoPlan; now: number },
): Promise<void> {
  const later = atLocalTime(shownClockChange(now).at, -DAYS_AFTER, 12);
  await withFarmCopy({ program, file }, async (copy) => {
    transcript.event(
      `Suppose it is noon on ${weekdayAgo(later, 0)}, ${dateAgo(later, 0)}, and nobody has opened the laptop since. Housekeeping catches up, on a copy of the farm:`,
    );
    await catchUp(copy, { plan, now, later });
    await copy.converse(later, (conversation) => showChange(conversation, { plan, now, later }));
  });
}

interface ClockChangeContext {
  readonly plan: DemoPlan;
  readonly now: number;
  readonly later: number;
}

async function catchUp(copy: FarmCopy, { plan, now, later }: ClockChangeContext): Promise<void> {
  const stdout = await copy.run(['tick'], later);
  const [produced, done] = [...stdout.matchAll(/\d+/g)].map(Number);
  const aheadMs = DAYS_AHEAD * DAY_MS;
  expectThat(
    produced === planDays(plan, now, [now + aheadMs, later + aheadMs]).length,
    'what the days in between bring is planned',
  );
  const over = planDays(plan, now, [now, later]).length;
  expectThat(done === over - plan.byHand, 'what is over is done, but for what a person changed');
  transcript.checked(
    `${over} days of the plan are over; ${plan.byHand} of them were changed by hand, which housekeeping never touches.`,
  );
}

async function showChange(
  conversation: DemoConversation,
  { plan, now, later }: ClockChangeContext,
): Promise<void> {
  const change = shownClockChange(now);
  transcript.person('The clocks have changed. Did it still start at half past four?');
  const { data } = await conversation.ask<{ data: readonly WateringBody[] }>('list_waterings', {
    scheduleId: plan.scheduleId,
    from: dateAgo(change.at, DAYS_AROUND),
    to: dateAgo(change.at, -DAYS_AROUND),
    detail: 'full',
  });
  const events = data
    .map((event) => ({ ...event, at: Date.parse(event.startedAt) }))
    .sort((a, b) => a.at - b.at);
  const hours = events.map(({ at }, index) =>
    index === 0 ? null : (at - events[index - 1]!.at) / HOUR_MS,
  );
  transcript.table([
    ['day', 'local time', 'UTC', 'hours since the last', 'status'],
    ...events.map(({ at, status }, index) => [
      weekdayAgo(at, 0).slice(0, 3),
      wallClockTime(at),
      `${utcMinute(at)}Z`,
      String(hours[index] ?? ''),
      status,
    ]),
  ]);
  expectThat(
    events.every(({ at }) => wallClockTime(at).endsWith(plan.startTime)),
    'the local time is the same before and after',
  );
  expectThat(
    events.every(
      ({ at, status, verifiedAt }) =>
        status === (at <= later ? 'done' : 'planned') && verifiedAt === null,
    ),
    'past waterings are done, unconfirmed, and the rest is planned',
  );
  const usualHours = plan.everyDays * 24;
  const hoursAcross = usualHours + (change.direction === 'back' ? 1 : -1);
  const isAcross = (index: number): boolean =>
    events[index - 1]!.at < change.at && events[index]!.at >= change.at;
  expectThat(
    events.length > 3 &&
      hours.every(
        (each, index) => each === null || each === (isAcross(index) ? hoursAcross : usualHours),
      ),
    'only the step across the change is an hour longer or shorter',
  );
  transcript.checked(
    `always ${plan.startTime} local time; on ${dateAgo(change.at, 0)} the clocks go ${change.direction} at 01:00 UTC, so that one step is ${hoursAcross} hours and not ${usualHours}.`,
  );
}
