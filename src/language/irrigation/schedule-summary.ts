import { amountOfFields } from '../../domain/irrigation/watering-amount.ts';
import { itemAt } from '../../domain/items.ts';
import {
  commaSeparated,
  counted,
  join,
  list,
  name,
  noun,
  quotedName,
  say,
  sentences,
} from '../../domain/text/say.ts';
import type { List, Text } from '../../domain/text/text.ts';
import { clock, inZone, localDay } from '../../domain/text/times.ts';
import type { Advisory } from '../../schema/advisory.ts';
import type { ScheduleBody } from '../../schema/irrigation/schedule.ts';
import type { SummaryContext } from '../summary-context.ts';
import { namedProbesOf, shortList, targetText } from '../text/names-of-farm.ts';
import { enteredAmount } from './watering-summary.ts';

const WEEKDAYS = [
  say`Monday`,
  say`Tuesday`,
  say`Wednesday`,
  say`Thursday`,
  say`Friday`,
  say`Saturday`,
  say`Sunday`,
];

function describeFrequency({ freq, intervalDays, weekdays }: ScheduleBody): Text {
  if (freq === 'weekly')
    return say`every ${list((weekdays ?? []).map((day) => itemAt(WEEKDAYS, day - 1)))}`;
  const days = intervalDays ?? 1;
  if (days === 1) return say`every day`;
  return days === 2 ? say`every other day` : say`every ${days} days`;
}

const targetOf = (schedule: ScheduleBody, { directory }: SummaryContext): Promise<Text> =>
  targetText(directory, { moduleId: schedule.targetModuleId, parcelId: schedule.targetParcelId });

const amountOf = (schedule: ScheduleBody) => enteredAmount(amountOfFields(schedule));

export const listClocks = (times: readonly string[]): List => list(times.map(clock));

export async function summarizeSchedule(
  schedule: ScheduleBody,
  context: SummaryContext,
): Promise<Text> {
  const { targetParcelId, timezone, startsOn, endsOn, confirmationPolicy } = schedule;
  const probes =
    targetParcelId === null ? null : await namedProbesOf(context.directory, targetParcelId);

  const state = describeState(schedule, probes);
  const target = await targetOf(schedule, context);
  const times = say`${listClocks(schedule.startTimes)} (${name(timezone)})`;
  const until = endsOn === null ? null : say` until ${inZone(localDay(endsOn), timezone)}`;
  const count = confirmationPolicy === 'auto' ? say`count as assumed` : say`count for nothing`;

  return sentences([
    say`${state} on ${target} ${describeFrequency(schedule)} at ${times}, ${amountOf(schedule)} each, from ${inZone(localDay(startsOn), timezone)}${until}. Acequia opens no valve. Past ones ${count} until somebody confirms them.`,
    probes === null ? null : describeReach(probes),
  ]);
}

function describeState({ isActive }: ScheduleBody, probes: readonly Text[] | null): Text {
  if (!isActive) return say`Stopped; it was planned`;
  return probes?.length === 0 ? say`To be planned, but not planned yet,` : say`Planned`;
}

const describeReach = (probes: readonly Text[]): Text =>
  probes.length === 0
    ? say`The parcel has no probe yet, and waterings are planned on probes.`
    : say`It is for ${shortList(probes)}.`;

/** Tells the schedules of one probe or parcel apart. */
export async function describeSchedule(
  schedule: ScheduleBody,
  context: SummaryContext,
): Promise<Text> {
  const label = schedule.label === null ? null : say`${quotedName(schedule.label)}, `;
  return say`${label}${await describeRow(schedule, null, context)}`;
}

async function describeRow(
  schedule: ScheduleBody,
  timezone: string | null,
  context: SummaryContext,
): Promise<Text> {
  const target = await targetOf(schedule, context);
  const times = listClocks(schedule.startTimes);
  const zone = timezone === null ? null : say` (${name(timezone)})`;
  const stopped = schedule.isActive ? null : say` (stopped)`;
  return say`${target} ${describeFrequency(schedule)} at ${times}${zone}, ${amountOf(schedule)}${stopped}`;
}

export async function summarizeSchedules(
  page: { data: ScheduleBody[]; next_cursor: string | null },
  context: SummaryContext,
): Promise<Text> {
  const [first] = page.data;
  if (!first) return say`No schedule matches.`;

  const haveOneZone = page.data.every(({ timezone }) => timezone === first.timezone);
  const rows: Text[] = [];
  for (const schedule of page.data)
    rows.push(await describeRow(schedule, haveOneZone ? null : schedule.timezone, context));

  const sharedZone = haveOneZone ? say` (${name(first.timezone)})` : null;
  return say`Schedules${sharedZone}: ${join(rows, say`; `)}.`;
}

/** "2 future waterings moved from 05:00 to 06:00, 1 added." */
export function describeScheduleChanges({
  from,
  to,
  ...counts
}: Extract<Advisory, { kind: 'planned_waterings_changed' }>): Text {
  const changes: Text[] = [];
  /** Names the things that are counted, where no count stands before this one. */
  const planned = (count: number): Text =>
    changes.length === 0 ? counted(count, 'planned watering') : say`${count}`;

  if (counts.moved > 0) {
    const times = from.length === 0 ? null : say` from ${listClocks(from)} to ${listClocks(to)}`;
    changes.push(say`${counted(counts.moved, 'future watering')} moved${times}`);
  }
  if (counts.updated > 0)
    changes.push(say`${counted(counts.updated, 'future watering')} got the new amount or dose`);
  if (counts.added > 0) changes.push(say`${planned(counts.added)} added`);
  if (counts.removed > 0) changes.push(say`${planned(counts.removed)} removed`);

  if (changes.length === 0) changes.push(say`No future watering changed`);
  if (counts.keptManual > 0)
    changes.push(
      say`${counts.keptManual} corrected by hand ${noun(counts.keptManual, 'was', 'were')} left unchanged`,
    );

  return say`${commaSeparated(changes)}.`;
}
