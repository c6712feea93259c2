import { amountOfFields } from '../../domain/irrigation/watering-amount.ts';
import { quote } from '../../domain/text.ts';
import type { ScheduleBody } from '../../schema/irrigation/schedule.ts';
import { englishFormat } from '../en/grammar.ts';
import {
  listNamesOrNull,
  moduleName,
  namesOfParcelProbes,
  parcelName,
  type SummaryContext,
} from '../summary-context.ts';
import type { ScheduleFacts } from './schedule-phrases.ts';
import { schedulePhrases } from './schedule-phrases.ts';
import { formatEnteredAmount } from './watering-summary.ts';

function describeFrequency({ freq, intervalDays, weekdays }: ScheduleBody): string {
  return freq === 'weekly'
    ? schedulePhrases.weekly(weekdays ?? [])
    : schedulePhrases.everyDays(intervalDays ?? 1);
}

const scheduleTargetName = (
  schedule: ScheduleBody,
  { directory }: SummaryContext,
): Promise<string> =>
  schedule.targetModuleId !== null
    ? moduleName(directory, schedule.targetModuleId)
    : parcelName(directory, schedule.targetParcelId!);

const scheduleFacts = async (
  schedule: ScheduleBody,
  zone: string | null,
  context: SummaryContext,
): Promise<ScheduleFacts> => ({
  id: schedule.id,
  target: await scheduleTargetName(schedule, context),
  frequency: describeFrequency(schedule),
  times: englishFormat.list(schedule.startTimes),
  zone,
  amount: formatEnteredAmount(amountOfFields(schedule)),
  isActive: schedule.isActive,
});

export async function summarizeSchedule(
  schedule: ScheduleBody,
  context: SummaryContext,
): Promise<string> {
  const { timezone, startsOn, endsOn, confirmationPolicy } = schedule;
  const countsByItself = confirmationPolicy === 'auto';
  const sentence = schedulePhrases.schedule(
    await scheduleFacts(schedule, timezone, context),
    startsOn,
    endsOn,
    countsByItself,
  );
  if (schedule.targetParcelId === null) return sentence;

  const probes = await namesOfParcelProbes(context.directory, schedule.targetParcelId);
  return `${sentence} ${schedulePhrases.reaches(listNamesOrNull(probes))}`;
}

/** Tells the schedules of one probe or parcel apart. */
export async function describeSchedule(
  schedule: ScheduleBody,
  context: SummaryContext,
): Promise<string> {
  const { row } = schedulePhrases;
  const label = schedule.label === null ? [] : [quote(schedule.label)];
  return [...label, row(await scheduleFacts(schedule, null, context))].join(', ');
}

export async function summarizeSchedules(
  page: { data: ScheduleBody[]; next_cursor: string | null },
  context: SummaryContext,
): Promise<string> {
  const [first] = page.data;
  if (!first) return schedulePhrases.noMatch;

  const shared = page.data.every(({ timezone }) => timezone === first.timezone)
    ? first.timezone
    : null;
  const rows = [];

  for (const each of page.data)
    rows.push(
      `#${each.id} ${schedulePhrases.row(await scheduleFacts(each, shared === null ? each.timezone : null, context))}`,
    );

  return schedulePhrases.page(rows, shared);
}
