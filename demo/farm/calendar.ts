import { addCivilDays, type CivilDate, weekdayOf } from '../../src/domain/calendar.ts';
import { MINUTE_MS } from '../../src/domain/periods.ts';
import { civilAt, resolveCivil } from '../../src/domain/time-zone.ts';
import { DEMO_ZONE } from './demo-farm.ts';

export const DAYS_OF_READINGS = 120;
export const READING_INTERVAL_MS = 15 * MINUTE_MS;

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const dayAgo = (now: number, ago: number): CivilDate => addCivilDays(civilAt(now, DEMO_ZONE), -ago);

export const atLocalTime = (now: number, ago: number, hour: number, minute = 0): number =>
  resolveCivil({ ...dayAgo(now, ago), hour, minute, second: 0, millisecond: 0 }, DEMO_ZONE).at;

export const weekdayAgo = (now: number, ago: number): string =>
  WEEKDAYS[weekdayOf(dayAgo(now, ago)) - 1]!;

const two = (value: number): string => String(value).padStart(2, '0');

export function dateAgo(now: number, ago: number): string {
  const { year, month, day } = dayAgo(now, ago);
  return `${year}-${two(month)}-${two(day)}`;
}

export function localTime(at: number): string {
  const { hour, minute } = civilAt(at, DEMO_ZONE);
  return `${dateAgo(at, 0)} ${two(hour)}:${two(minute)}`;
}
