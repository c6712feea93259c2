import { counted } from '../domain/english.ts';
import { joined } from './say-lists.ts';
import type { ScheduleWords } from './schedule-words.ts';

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

export const englishSchedules: ScheduleWords = {
  everyDays: (days) => (days === 1 ? 'every day' : days === 2 ? 'every other day' : `every ${days} days`),
  weekly: (weekdays) =>
    `every ${joined(
      weekdays.map((day) => DAYS[day - 1]!),
      'en',
    )}`,
  whole: ({ id, target, rhythm, times, zone, given, isActive }, from, until, countsByItself) =>
    `Schedule ${id} ${isActive ? 'waters' : 'is stopped; it would water'} ${target} ${rhythm} at ${times} (${zone}), ${given} each, from ${from.text}${until === null ? '' : ` until ${until.text}`}; past ones ${countsByItself ? 'count as done by themselves' : 'wait to be confirmed'}.`,
  row: ({ id, target, rhythm, times, zone, given, isActive }) =>
    `#${id} ${target} ${rhythm} at ${times}${zone === null ? '' : ` (${zone})`}, ${given}${isActive ? '' : ' (stopped)'}`,
  noneMatches: 'No schedule matches.',
  page: (rows, zone) => `Schedules${zone === null ? '' : ` (${zone})`}: ${rows.join('; ')}.`,
  nothingPlanned: 'Nothing is planned in the next 90 days.',
  planned: (planned, next) => `${counted(planned, 'watering')} planned in the next 90 days, the next ${next}.`,
  withoutDose: (missing) =>
    `${missing} of them have no dose yet: see get_irrigation_setup of the probe for what its equipment lacks.`,
  changed: ({ moved, from, to, renewed, added, removed, left }) => {
    const how = from === '' ? '' : ` from ${from} to ${to}`;
    const done = [
      ...(moved > 0 ? [`${counted(moved, 'future watering')} moved${how}`] : []),
      ...(renewed > 0 ? [`${counted(renewed, 'future watering')} got the new amount or dose`] : []),
      ...(added > 0 ? [`${added} added`] : []),
      ...(removed > 0 ? [`${removed} removed`] : []),
    ];
    const alone = left > 0 ? [`${left} corrected by hand ${left === 1 ? 'was' : 'were'} left`] : [];
    return `${[...(done.length === 0 ? ['No future watering changed'] : done), ...alone].join(', ')}.`;
  },
  stillToday: (times) => `It still waters today at ${times}; skip that with correct_watering if it should not.`,
  goneToday: (times) => `Today’s watering at ${times} is gone with the change.`,
  twin: (id) =>
    `Schedule ${id} waters there at the same hour: if both are the same plan, stop one with update_schedule and isActive false.`,
  differentAreas:
    'The probes of the parcel have different irrigated areas, so the same volume gives each its own dose; the volume counts once for the parcel.',
};
