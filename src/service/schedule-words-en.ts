import { englishCount } from '../domain/english.ts';
import { joinList } from './say-lists.ts';
import type { SchedulePhrases } from './schedule-words.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

export const englishSchedule: SchedulePhrases = {
  everyDays: (days) => (days === 1 ? 'every day' : days === 2 ? 'every other day' : `every ${days} days`),
  weekly: (weekdays) =>
    `every ${joinList(
      weekdays.map((day) => WEEKDAYS[day - 1]!),
      'en',
    )}`,
  schedule: ({ id, target, frequency, times, zone, amount, isActive }, from, until, countsByItself) =>
    `Schedule ${id} ${isActive ? 'waters' : 'is stopped; it would water'} ${target} ${frequency} at ${times} (${zone}), ${amount} each, from ${from.text}${until === null ? '' : ` until ${until.text}`}; past ones ${countsByItself ? 'count as done by themselves' : 'wait to be confirmed'}.`,
  row: ({ id, target, frequency, times, zone, amount, isActive }) =>
    `#${id} ${target} ${frequency} at ${times}${zone === null ? '' : ` (${zone})`}, ${amount}${isActive ? '' : ' (stopped)'}`,
  noMatch: 'No schedule matches.',
  page: (rows, zone) => `Schedules${zone === null ? '' : ` (${zone})`}: ${rows.join('; ')}.`,
  nothingPlanned: 'Nothing is planned in the next 90 days.',
  planned: (planned, next) => `${englishCount(planned, 'watering')} planned in the next 90 days, the next ${next}.`,
  withoutDose: (missing) =>
    `${missing} of them have no dose yet: see get_irrigation_setup of the probe for what its equipment lacks.`,
  changes: ({ moved, from, to, updated, added, removed, keptManual }) => {
    const how = from === '' ? '' : ` from ${from} to ${to}`;
    const done = [
      ...(moved > 0 ? [`${englishCount(moved, 'future watering')} moved${how}`] : []),
      ...(updated > 0 ? [`${englishCount(updated, 'future watering')} got the new amount or dose`] : []),
      ...(added > 0 ? [`${added} added`] : []),
      ...(removed > 0 ? [`${removed} removed`] : []),
    ];
    const alone = keptManual > 0 ? [`${keptManual} corrected by hand ${keptManual === 1 ? 'was' : 'were'} left`] : [];
    return `${[...(done.length === 0 ? ['No future watering changed'] : done), ...alone].join(', ')}.`;
  },
  stillWatersToday: (times) => `It still waters today at ${times}; skip that with correct_watering if it should not.`,
  removedToday: (times) => `Today’s watering at ${times} is gone with the change.`,
  duplicate: (id) =>
    `Schedule ${id} waters there at the same hour: if both are the same plan, stop one with update_schedule and isActive false.`,
  differentAreas:
    'The probes of the parcel have different irrigated areas, so the same volume gives each its own dose; the volume counts once for the parcel.',
};
