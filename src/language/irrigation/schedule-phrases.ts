import { itemAt } from '../../domain/items.ts';
import { englishCount, englishFormat, englishNoun } from '../en/grammar.ts';
import { nextCall } from '../next-calls.ts';

export interface ScheduleFacts {
  readonly target: string;
  readonly frequency: string;
  /** Local times: "05:00 and 18:00". */
  readonly times: string;
  readonly zone: string | null;
  readonly amount: string;
  readonly isActive: boolean;
}

/** Counts of planned waterings, and of the probes that they are on. */
interface PlannedFacts {
  readonly count: number;
  readonly probes: number;
  readonly withoutDose: number;
  readonly withoutEquipment: number;
}

const countPlanned = (count: number, isNamed: boolean): string =>
  isNamed ? englishCount(count, 'planned watering') : String(count);

function scheduleState(isActive: boolean, hasProbes: boolean): string {
  if (!isActive) return 'Stopped; it was planned';
  return hasProbes ? 'Planned' : 'To be planned, but not planned yet,';
}

export const schedulePhrases = {
  everyDays: (days: number) => {
    if (days === 1) return 'every day';
    return days === 2 ? 'every other day' : `every ${days} days`;
  },
  weekly: (weekdays: readonly number[]) =>
    `every ${englishFormat.list(weekdays.map((day) => itemAt(englishFormat.weekdays('long'), day - 1)))}`,
  schedule: (
    { target, frequency, times, zone, amount, isActive }: ScheduleFacts,
    from: string,
    until: string | null,
    {
      countsByItself,
      hasProbes,
    }: { readonly countsByItself: boolean; readonly hasProbes: boolean },
  ) =>
    `${scheduleState(isActive, hasProbes)} on ${target} ${frequency} at ${times} (${zone}), ${amount} each, from ${from}${until === null ? '' : ` until ${until}`}. Acequia opens no valve. Past ones ${countsByItself ? 'count as assumed until somebody confirms them' : 'count for nothing until somebody confirms them'}.`,
  reaches: (probes: string | null) =>
    probes === null
      ? 'The parcel has no probe yet, and waterings are planned on probes.'
      : `It is for ${probes}.`,
  row: ({ target, frequency, times, zone, amount, isActive }: ScheduleFacts) =>
    `${target} ${frequency} at ${times}${zone === null ? '' : ` (${zone})`}, ${amount}${isActive ? '' : ' (stopped)'}`,
  noMatch: 'No schedule matches.',
  page: (rows: readonly string[], zone: string | null) =>
    `Schedules${zone === null ? '' : ` (${zone})`}: ${rows.join('; ')}.`,
  runoff: (probes: string, runoff: string) => `On ${probes}: ${runoff}`,
  nothingPlanned: 'Nothing is planned in the next 90 days.',
  planned: (planned: number, probes: number, next: string) =>
    `${probes > 1 ? `${englishCount(planned / probes, 'start')} on ${probes} probes` : englishCount(planned, 'watering')} planned in the next 90 days, the next ${next}.`,
  withoutDose: ({ count, probes, withoutDose, withoutEquipment }: PlannedFacts) => {
    const hasNoEquipment = withoutEquipment === withoutDose;
    if (withoutDose < count)
      return `${withoutDose} of these waterings have no dose yet, because ${hasNoEquipment ? 'no equipment is declared for them' : 'the equipment lacks something'}.${nextCall('get_irrigation_setup')}`;

    return hasNoEquipment
      ? `None of them has a dose yet, because no equipment is declared.${nextCall(probes > 1 ? 'set_parcel_installation' : 'set_module_installation')}`
      : `None of them has a dose yet, because the equipment lacks something.${nextCall('get_irrigation_setup')}`;
  },
  moved: (count: number) => `${englishCount(count, 'future watering')} moved`,
  movedTimes: (from: string, to: string) => ` from ${from} to ${to}`,
  updated: (count: number) =>
    `${englishCount(count, 'future watering')} got the new amount or dose`,
  /** What is counted is named where no count stands before it. */
  added: (count: number, isFirst: boolean) => `${countPlanned(count, isFirst)} added`,
  removed: (count: number, isFirst: boolean) => `${countPlanned(count, isFirst)} removed`,
  noneChanged: 'No future watering changed',
  keptManual: (count: number) =>
    `${count} corrected by hand ${englishNoun(count, 'was', 'were')} left unchanged`,
  plansFollow: (probes: number) =>
    `Other planned waterings of ${englishCount(probes, 'probe')} are updated shortly.`,
  stillWatersToday: (times: string) =>
    `It is still planned for today at ${times}; that watering can be skipped.${nextCall('correct_watering', 'status: skipped')}`,
  removedToday: (times: string) => `Today’s watering at ${times} was removed by the change.`,
  duplicate: (id: number) =>
    `Another schedule plans the same target at the same time: if both are the same plan, stop one.${nextCall('update_schedule', `scheduleId: ${id}`, 'isActive: false')}`,
  overlaps: (id: number | null, at: string, otherAt: string) =>
    id === null
      ? `Its watering ${at} begins before that of ${otherAt} ends, and both will count: ask whether that is meant.${nextCall('update_schedule')}`
      : `Its watering ${at} overlaps that which another schedule plans on the same probes ${otherAt}, and both will count: ask whether that is meant.${nextCall('update_schedule', `scheduleId: ${id}`)}`,
  startFallsAway: (at: string, time: string, plannedTime: string) =>
    `Where clocks go forward, ${plannedTime} and ${time} are the same instant (${at}): one watering is planned then, and that of ${time} falls away.`,
  parcelVolume: (volume: string, area: string | null, mm: string | null) =>
    area === null || mm === null
      ? `The ${volume} m3 are for the whole parcel at each start, and its irrigated area is missing.`
      : `The ${volume} m3 are for the whole parcel at each start: ${mm} mm over its ${area} m2.`,
};
