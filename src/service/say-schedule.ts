import type { Lang } from '../domain/lang.ts';
import { pairStartTimes, type RegenerationPlan } from '../domain/materialisation.ts';
import { formatIsoDate } from '../domain/recurrence.ts';
import { civilAt } from '../domain/zone.ts';
import type { Call, SummaryContext } from '../operation/call.ts';
import { moduleName, parcelName } from '../operation/directory.ts';
import { formatInstant } from '../operation/say-time.ts';
import type { ScheduleBody } from '../schema/schedule.ts';
import { plannedOccurrenceStats } from '../store/occurrences.ts';
import type { Schedule } from '../store/schedules.ts';
import { formatNumber, formatPrecise } from './say-figures.ts';
import { describeNextPage, joinList } from './say-lists.ts';
import type { CalendarDay, ScheduleFacts, SchedulePhrases } from './schedule-words.ts';
import { englishSchedule } from './schedule-words-en.ts';
import { frenchSchedule } from './schedule-words-fr.ts';

const SCHEDULE_PHRASES: Record<Lang, SchedulePhrases> = { en: englishSchedule, fr: frenchSchedule };

export const schedulePhrases = ({ lang }: Pick<SummaryContext, 'lang'>): SchedulePhrases => SCHEDULE_PHRASES[lang];

function describeFrequency({ freq, intervalDays, weekdays }: ScheduleBody, context: SummaryContext): string {
  const words = schedulePhrases(context);
  return freq === 'weekly' ? words.weekly(weekdays ?? []) : words.everyDays(intervalDays ?? 1);
}

function describeScheduleAmount(schedule: ScheduleBody, { lang }: SummaryContext): string {
  switch (schedule.inputMode) {
    case 'duration':
      return `${formatNumber(schedule.durationMin!, lang)} min`;
    case 'depth_mm':
      return `${formatPrecise(schedule.inputDepthMm!, lang)} mm`;
    case 'volume_m3':
      return `${formatPrecise(schedule.inputVolumeM3!, lang)} m3`;
  }
}

const scheduleTargetName = (schedule: ScheduleBody, { directory, lang }: SummaryContext): Promise<string> =>
  schedule.targetModuleId !== null
    ? moduleName(directory, schedule.targetModuleId)
    : parcelName(directory, schedule.targetParcelId!, lang);

const scheduleFacts = async (
  schedule: ScheduleBody,
  zone: string | null,
  context: SummaryContext,
): Promise<ScheduleFacts> => ({
  id: schedule.id,
  target: await scheduleTargetName(schedule, context),
  frequency: describeFrequency(schedule, context),
  times: joinList(schedule.startTimes, context.lang),
  zone,
  amount: describeScheduleAmount(schedule, context),
  isActive: schedule.isActive,
});

function parseCalendarDay(text: string): CalendarDay {
  const [year, month, day] = text.split('-').map(Number);
  return { text, year: year!, month: month!, day: day! };
}

/** A schedule in one sentence: who, how often, when, how much, from when until when, and what past ones become. */
export async function summarizeSchedule(schedule: ScheduleBody, context: SummaryContext): Promise<string> {
  const { timezone, startsOn, endsOn, confirmationPolicy } = schedule;
  const until = endsOn === null ? null : parseCalendarDay(endsOn);
  const countsByItself = confirmationPolicy === 'auto';
  const whole = schedulePhrases(context).schedule(
    await scheduleFacts(schedule, timezone, context),
    parseCalendarDay(startsOn),
    until,
    countsByItself,
  );
  return [whole, ...context.notes].join(' ');
}

export async function summarizeSchedules(
  page: { data: ScheduleBody[]; next_cursor: string | null },
  context: SummaryContext,
): Promise<string> {
  const words = schedulePhrases(context);
  const [first] = page.data;
  if (!first) return words.noMatch;
  const shared = page.data.every(({ timezone }) => timezone === first.timezone) ? first.timezone : null;
  const rows = [];
  for (const each of page.data)
    rows.push(words.row(await scheduleFacts(each, shared === null ? each.timezone : null, context)));
  return [words.page(rows, shared), ...context.notes, ...describeNextPage(page, context.lang)].join(' ');
}

/** Says how many waterings a new schedule has planned, and when the next one is. */
export async function notePlannedWaterings(call: Call, schedule: Schedule): Promise<void> {
  const words = schedulePhrases(call);
  const { count: planned, dosed, next } = await plannedOccurrenceStats(call.db, schedule.id, call.now);
  if (!schedule.isActive || planned === 0 || next === null) {
    call.note(words.nothingPlanned);
    return;
  }
  call.note(words.planned(planned, formatInstant(next, schedule.timezone, call.now, call.lang)));
  if (dosed < planned) call.note(words.withoutDose(planned - dosed));
}

/** Says what a change made of the waterings ahead: "28 future waterings moved from 06:00 to 05:30, 2 corrected by hand were left." */
export function noteScheduleChanges(call: Call, before: Schedule, after: Schedule, plan: RegenerationPlan): void {
  const words = schedulePhrases(call);
  const pairs = [...pairStartTimes(before.startTimes, after.startTimes)];
  const moved = plan.change.filter(({ movedFrom }) => movedFrom !== null).length;
  call.note(
    words.changes({
      moved,
      from: joinList(
        pairs.map(([from]) => from),
        call.lang,
      ),
      to: joinList(
        pairs.map(([, to]) => to),
        call.lang,
      ),
      updated: plan.change.length - moved,
      added: plan.add.length,
      removed: plan.remove.length,
      keptManual: plan.keptDetachedCount,
    }),
  );
  const today = formatIsoDate(civilAt(call.now, after.timezone));
  const timesToday = (rows: readonly { slot: string }[]): string =>
    joinList(
      [...new Set(rows.flatMap(({ slot }) => (slot.startsWith(today) ? [slot.slice(11)] : [])))].sort(),
      call.lang,
    );
  const [addedTimes, removedTimes] = [timesToday(plan.add), timesToday(plan.remove)];
  if (addedTimes !== '') call.note(words.stillWatersToday(addedTimes));
  if (removedTimes !== '') call.note(words.removedToday(removedTimes));
}
