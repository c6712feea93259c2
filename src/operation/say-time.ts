/** Instants and spans as a summary says them: local time, in English; the caller names the zone. */
import { civilAt, daysBetween, resolveCivil } from '../domain/zone.ts';

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const NEAR_DAYS = new Map([
  [-1, 'yesterday'],
  [0, 'today'],
  [1, 'tomorrow'],
]);

/** "today 06:00", "12 Jul 06:00", "12 Jul 2025 06:00"; in a repeated hour "today 02:30 (UTC+02:00)". Instants in ms. */
export function sayInstant(at: number, zone: string, now: number): string {
  return `${sayDay(at, zone, now)} ${sayClock(at, zone)}`;
}

/** "today 06:00 to 06:45"; over midnight both days are named; without an end, the start alone. */
export function saySpan(from: number, to: number | null, zone: string, now: number): string {
  const start = sayInstant(from, zone, now);
  if (to === null) return start;
  const isOneDay = daysBetween(civilAt(from, zone), civilAt(to, zone)) === 0;
  return `${start} to ${isOneDay ? sayClock(to, zone) : sayInstant(to, zone, now)}`;
}

function sayDay(at: number, zone: string, now: number): string {
  const local = civilAt(at, zone);
  const today = civilAt(now, zone);
  const near = NEAR_DAYS.get(daysBetween(today, local));
  if (near !== undefined) return near;
  const day = `${local.day} ${MONTHS[local.month - 1]}`;
  return local.year === today.year ? day : `${day} ${local.year}`;
}

function sayClock(at: number, zone: string): string {
  const local = civilAt(at, zone);
  const clock = `${two(local.hour)}:${two(local.minute)}`;
  return resolveCivil(local, zone).resolution === 'fold' ? `${clock} (${sayOffset(local.offsetMinutes)})` : clock;
}

/** "UTC+02:00". */
export function sayOffset(offsetMinutes: number): string {
  const minutes = Math.floor(Math.abs(offsetMinutes));
  return `UTC${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

const two = (value: number): string => String(value).padStart(2, '0');
