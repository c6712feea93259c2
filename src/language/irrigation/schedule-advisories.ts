import { amount, estimate } from '../../domain/text/figures.ts';
import { action, call, counted, say, sentences } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { clock, inZone, timeOf } from '../../domain/text/times.ts';
import type { AdvisoryOf, AdvisorySentences } from '../advisory-sentences.ts';
import { describeZoneChange } from '../company/zone-summary.ts';
import { describeScheduleChanges, listClocks } from './schedule-summary.ts';

export const scheduleSentences = {
  schedules_keep_zone: (advisory) =>
    say`${describeZoneChange(advisory)}${action('update_schedule(scheduleId, timezone) for one that is to follow')}`,
  duplicate_schedule: ({ id }) =>
    say`Another schedule plans the same target at the same time: if both are the same plan, stop one.${call('update_schedule', `scheduleId: ${id}`, 'isActive: false')}`,
  schedules_overlap: ({ id, at, otherAt }) =>
    id === null
      ? say`Its watering ${timeOf(at)} begins before that of ${timeOf(otherAt)} ends, and both will count: ask whether that is meant.${call('update_schedule')}`
      : say`Its watering ${timeOf(at)} overlaps that which another schedule plans on the same probes ${timeOf(otherAt)}, and both will count: ask whether that is meant.${call('update_schedule', `scheduleId: ${id}`)}`,
  start_falls_away: ({ at, time, plannedTime }) =>
    say`Where clocks go forward, ${clock(plannedTime)} and ${clock(time)} are the same instant (${timeOf(at)}): one watering is planned then, and that of ${clock(time)} falls away.`,
  parcel_volume: describeParcelVolume,
  nothing_planned: (_) => say`Nothing is planned in the next 90 days.`,
  waterings_planned: describePlanned,
  planned_waterings_changed: describeScheduleChanges,
  planned_waterings_follow: ({ modules }) =>
    say`Other planned waterings of ${counted(modules, 'probe')} are updated shortly.`,
  still_waters_today: ({ times }) =>
    say`It is still planned for today at ${listClocks(times)}; that watering can be skipped.${call('correct_watering', 'status: skipped')}`,
  removed_today: ({ times }) =>
    say`Today’s watering at ${listClocks(times)} was removed by the change.`,
} satisfies Partial<AdvisorySentences>;

function describeParcelVolume({ volumeM3, areaM2, waterMm }: AdvisoryOf<'parcel_volume'>): Text {
  const volume = say`The ${amount(volumeM3, 'm3')} are for the whole parcel at each start`;
  return areaM2 === null || waterMm === null
    ? say`${volume}, and its irrigated area is missing.`
    : say`${volume}: ${amount(waterMm, 'mm')} over its ${estimate(areaM2, 'm2')}.`;
}

function describePlanned(planned: AdvisoryOf<'waterings_planned'>): Text {
  const { count, probes, nextAt, timezone } = planned;
  const waterings =
    probes > 1
      ? say`${counted(count / probes, 'start')} on ${probes} probes`
      : counted(count, 'watering');
  return sentences([
    say`${waterings} planned in the next 90 days, the next ${inZone(timeOf(nextAt), timezone)}.`,
    describeWithoutDose(planned),
  ]);
}

function describeWithoutDose({
  count,
  probes,
  withoutDose,
  withoutEquipment,
}: AdvisoryOf<'waterings_planned'>): Text | null {
  if (withoutDose === 0) return null;
  const hasNoEquipment = withoutEquipment === withoutDose;
  if (withoutDose < count) {
    const reason = hasNoEquipment
      ? say`no equipment is declared for them`
      : say`the equipment lacks something`;
    return say`${withoutDose} of these waterings have no dose yet, because ${reason}.${call('get_irrigation_setup')}`;
  }
  return hasNoEquipment
    ? say`None of them has a dose yet, because no equipment is declared.${call(probes === 1 ? 'set_module_installation' : 'set_parcel_installation')}`
    : say`None of them has a dose yet, because the equipment lacks something.${call('get_irrigation_setup')}`;
}
