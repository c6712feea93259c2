import { HOUR_MS } from '../../src/domain/periods.ts';
import type { WateringBody } from '../../src/schema/irrigation/watering.ts';
import { dateAgo, weekdayAgo } from '../farm/calendar.ts';
import { DEMO_ZONE } from '../farm/demo-farm.ts';

export const DAYS_AHEAD = 90;

const WEEK = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];

export const monthName = (date: string): string => MONTHS[Number(date.slice(5, 7)) - 1]!;

/**
 * "2026-11-17 06:00", computed with the calendar of Node, not with the code under demonstration.
 */
export const wallClockTime = (at: number): string =>
  new Intl.DateTimeFormat('sv-SE', {
    timeZone: DEMO_ZONE,
    dateStyle: 'short',
    timeStyle: 'short',
  }).format(at);

export const utcMinute = (at: number): string =>
  new Date(at).toISOString().slice(0, 16).replace('T', ' ');

export interface ClockChange {
  readonly at: number;
  readonly direction: 'forward' | 'back';
}

/**
 * In the European Union the clocks change at 01:00 UTC on the last Sundays of March and October
 * (Directive 2000/84/EC).
 */
function clockChangesIn(year: number): ClockChange[] {
  const lastSunday = (month: number): number => {
    const last = new Date(Date.UTC(year, month + 1, 0));
    return last.setUTCDate(last.getUTCDate() - last.getUTCDay());
  };
  return [
    { at: lastSunday(2) + HOUR_MS, direction: 'forward' },
    { at: lastSunday(9) + HOUR_MS, direction: 'back' },
  ];
}

export function nextClockChange(from: number): ClockChange {
  const year = new Date(from).getUTCFullYear();
  return [...clockChangesIn(year), ...clockChangesIn(year + 1)].find(({ at }) => at >= from)!;
}

export function endOfMonth(date: string): string {
  const [year, month] = date.split('-').map(Number);
  return new Date(Date.UTC(year!, month!, 0)).toISOString().slice(0, 10);
}

/** A star if a person corrected it, a cross if it is skipped. */
function mark({ status, isDetached }: WateringBody): string {
  if (status === 'skipped') return 'x';
  return isDetached ? '*' : '';
}

export function calendarRows(events: readonly WateringBody[], now: number): string[][] {
  const times = new Map<string, string>();
  for (const event of events) {
    const [date = '', time = ''] = wallClockTime(Date.parse(event.startedAt)).split(' ');
    times.set(date, [time + mark(event), ...(times.has(date) ? [times.get(date)] : [])].join(' '));
  }
  const last = [...times.keys()].sort().at(-1)!;
  const rows = [['', ...WEEK.map((day) => day.slice(0, 3))]];
  const monday = -WEEK.indexOf(weekdayAgo(now, -1));
  for (let first = 1 + monday; dateAgo(now, -first) <= last; first += 7) {
    const days = WEEK.map((_, index) => first + index).map((day) => ({
      day,
      date: dateAgo(now, -day),
    }));
    const isShown = days.map(({ day, date }) => day >= 1 && date <= last);
    const cells = days.map(({ date }, index) =>
      isShown[index]
        ? `${String(Number(date.slice(8))).padStart(2)} ${times.get(date) ?? ''}`.trimEnd()
        : '',
    );
    const dates = days.filter((_, index) => isShown[index]).map(({ date }) => date);
    const isNew = rows.length === 1 || dates.some((date) => date.endsWith('-01'));
    const months = new Set([dates[0]!, dates.at(-1)!].map((date) => monthName(date).slice(0, 3)));
    rows.push([isNew ? [...months].join('/') : '', ...cells]);
  }
  return rows;
}
