import { amountOfFields } from '../../domain/irrigation/watering-amount.ts';
import { quote } from '../../domain/text.ts';
import type { Advisory } from '../../schema/advisory.ts';
import type { ScheduleBody } from '../../schema/irrigation/schedule.ts';
import { englishFormat } from '../en/grammar.ts';
import {
  listNamesOrNull,
  namesOfParcelProbes,
  type SummaryContext,
  targetName,
} from '../summary-context.ts';
import { formatLocalDay } from '../time.ts';
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
  targetName(directory, {
    moduleId: schedule.targetModuleId,
    parcelId: schedule.targetParcelId,
  });

const scheduleFacts = async (
  schedule: ScheduleBody,
  zone: string | null,
  context: SummaryContext,
): Promise<ScheduleFacts> => ({
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
  const inZone = { ...context, zone: timezone };
  const countsByItself = confirmationPolicy === 'auto';
  const probes =
    schedule.targetParcelId === null
      ? null
      : await namesOfParcelProbes(context.directory, schedule.targetParcelId);

  const sentence = schedulePhrases.schedule(
    await scheduleFacts(schedule, timezone, context),
    formatLocalDay(startsOn, inZone),
    endsOn === null ? null : formatLocalDay(endsOn, inZone),
    { countsByItself, hasProbes: probes === null || probes.length > 0 },
  );
  if (probes === null) return sentence;

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

  const haveOneZone = page.data.every(({ timezone }) => timezone === first.timezone);
  const sharedZone = haveOneZone ? first.timezone : null;

  const rows: string[] = [];
  for (const schedule of page.data) {
    const ownZone = sharedZone === null ? schedule.timezone : null;
    const facts = await scheduleFacts(schedule, ownZone, context);
    rows.push(schedulePhrases.row(facts));
  }

  return schedulePhrases.page(rows, sharedZone);
}

/** "2 future waterings moved from 05:00 to 06:00, 1 added." */
export function describeScheduleChanges({
  from,
  to,
  ...counts
}: Extract<Advisory, { kind: 'planned_waterings_changed' }>): string {
  const changes: string[] = [];

  if (counts.moved > 0) {
    const times =
      from.length === 0
        ? ''
        : schedulePhrases.movedTimes(englishFormat.list(from), englishFormat.list(to));
    changes.push(`${schedulePhrases.moved(counts.moved)}${times}`);
  }
  if (counts.updated > 0) changes.push(schedulePhrases.updated(counts.updated));
  if (counts.added > 0) changes.push(schedulePhrases.added(counts.added, changes.length === 0));
  if (counts.removed > 0)
    changes.push(schedulePhrases.removed(counts.removed, changes.length === 0));

  if (changes.length === 0) changes.push(schedulePhrases.noneChanged);
  if (counts.keptManual > 0) changes.push(schedulePhrases.keptManual(counts.keptManual));

  return `${changes.join(', ')}.`;
}
