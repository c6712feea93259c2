import type { Lang } from '../domain/lang.ts';
import { type Plan, pairedTimes } from '../domain/materialisation.ts';
import { dateText } from '../domain/recurrence.ts';
import { civilAt } from '../domain/zone.ts';
import type { Call, Saying } from '../operation/call.ts';
import { moduleName, parcelName } from '../operation/directory.ts';
import { sayInstant } from '../operation/say-time.ts';
import type { ScheduleBody } from '../schema/schedule.ts';
import { plannedAhead } from '../store/occurrences.ts';
import type { Schedule } from '../store/schedules.ts';
import { sayFigure, sayNumber } from './say-figures.ts';
import { joined, sayMore } from './say-lists.ts';
import type { SaidDay, SaidSchedule, ScheduleWords } from './schedule-words.ts';
import { englishSchedules } from './schedule-words-en.ts';
import { frenchSchedules } from './schedule-words-fr.ts';

const WORDS: Record<Lang, ScheduleWords> = { en: englishSchedules, fr: frenchSchedules };

export const scheduleWords = ({ lang }: Pick<Saying, 'lang'>): ScheduleWords => WORDS[lang];

function sayRhythm({ freq, intervalDays, weekdays }: ScheduleBody, call: Saying): string {
  const words = scheduleWords(call);
  return freq === 'weekly' ? words.weekly(weekdays ?? []) : words.everyDays(intervalDays ?? 1);
}

function sayGiven(schedule: ScheduleBody, { lang }: Saying): string {
  switch (schedule.inputMode) {
    case 'duration':
      return `${sayNumber(schedule.durationMin!, lang)} min`;
    case 'depth_mm':
      return `${sayFigure(schedule.inputDepthMm!, lang)} mm`;
    case 'volume_m3':
      return `${sayFigure(schedule.inputVolumeM3!, lang)} m3`;
  }
}

const targetName = (schedule: ScheduleBody, { directory, lang }: Saying): Promise<string> =>
  schedule.targetModuleId !== null
    ? moduleName(directory, schedule.targetModuleId)
    : parcelName(directory, schedule.targetParcelId!, lang);

const said = async (schedule: ScheduleBody, zone: string | null, call: Saying): Promise<SaidSchedule> => ({
  id: schedule.id,
  target: await targetName(schedule, call),
  rhythm: sayRhythm(schedule, call),
  times: joined(schedule.startTimes, call.lang),
  zone,
  given: sayGiven(schedule, call),
  isActive: schedule.isActive,
});

function dayOf(text: string): SaidDay {
  const [year, month, day] = text.split('-').map(Number);
  return { text, year: year!, month: month!, day: day! };
}

/** A schedule in one sentence: who, how often, when, how much, from when until when, and what past ones become. */
export async function saySchedule(schedule: ScheduleBody, call: Saying): Promise<string> {
  const { timezone, startsOn, endsOn, confirmationPolicy } = schedule;
  const until = endsOn === null ? null : dayOf(endsOn);
  const countsByItself = confirmationPolicy === 'auto';
  const whole = scheduleWords(call).whole(await said(schedule, timezone, call), dayOf(startsOn), until, countsByItself);
  return [whole, ...call.remarks].join(' ');
}

export async function saySchedules(
  page: { data: ScheduleBody[]; next_cursor: string | null },
  call: Saying,
): Promise<string> {
  const words = scheduleWords(call);
  const [first] = page.data;
  if (!first) return words.noneMatches;
  const shared = page.data.every(({ timezone }) => timezone === first.timezone) ? first.timezone : null;
  const rows = [];
  for (const each of page.data) rows.push(words.row(await said(each, shared === null ? each.timezone : null, call)));
  return [words.page(rows, shared), ...call.remarks, ...sayMore(page, call.lang)].join(' ');
}

/** Says how many waterings a new schedule has planned, and when the next one is. */
export async function remarkBegun(call: Call, schedule: Schedule): Promise<void> {
  const words = scheduleWords(call);
  const { count: planned, dosed, next } = await plannedAhead(call.db, schedule.id, call.now);
  if (!schedule.isActive || planned === 0 || next === null) {
    call.remark(words.nothingPlanned);
    return;
  }
  call.remark(words.planned(planned, sayInstant(next, schedule.timezone, call.now, call.lang)));
  if (dosed < planned) call.remark(words.withoutDose(planned - dosed));
}

/** Says what a change made of the waterings ahead: "28 future waterings moved from 06:00 to 05:30, 2 corrected by hand were left." */
export function remarkPlan(call: Call, before: Schedule, after: Schedule, plan: Plan): void {
  const words = scheduleWords(call);
  const pairs = [...pairedTimes(before.startTimes, after.startTimes)];
  const moved = plan.change.filter(({ movedFrom }) => movedFrom !== null).length;
  call.remark(
    words.changed({
      moved,
      from: joined(
        pairs.map(([from]) => from),
        call.lang,
      ),
      to: joined(
        pairs.map(([, to]) => to),
        call.lang,
      ),
      renewed: plan.change.length - moved,
      added: plan.add.length,
      removed: plan.remove.length,
      left: plan.left,
    }),
  );
  const today = dateText(civilAt(call.now, after.timezone));
  const timesToday = (rows: readonly { slot: string }[]): string =>
    joined(
      [...new Set(rows.flatMap(({ slot }) => (slot.startsWith(today) ? [slot.slice(11)] : [])))].sort(),
      call.lang,
    );
  const [again, gone] = [timesToday(plan.add), timesToday(plan.remove)];
  if (again !== '') call.remark(words.stillToday(again));
  if (gone !== '') call.remark(words.goneToday(gone));
}
