import { LocalDay } from '../../src/domain/local-day.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/periods.ts';
import { civilAt } from '../../src/domain/time-zone.ts';
import { DEMO_ZONE } from './demo-farm.ts';

export const DAYS_OF_READINGS = 120;
export const READING_INTERVAL_MS = 15 * MINUTE_MS;

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const dayAgo = (now: number, ago: number): LocalDay => LocalDay.at(now, DEMO_ZONE).plus(-ago);

export const atLocalTime = (now: number, ago: number, hour: number, minute = 0): number =>
  dayAgo(now, ago).resolve(hour * HOUR_MS + minute * MINUTE_MS, DEMO_ZONE).at;

export const weekdayAgo = (now: number, ago: number): string =>
  WEEKDAYS[dayAgo(now, ago).weekday - 1]!;

const two = (value: number): string => String(value).padStart(2, '0');

export const dateAgo = (now: number, ago: number): string => dayAgo(now, ago).iso;

export function localTime(at: number): string {
  const { hour, minute } = civilAt(at, DEMO_ZONE);
  return `${dateAgo(at, 0)} ${two(hour)}:${two(minute)}`;
}
