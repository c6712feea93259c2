// Zones and civil dates by luxon, which alone would take half of the live page's size limit. The
// build of the page puts src/page/browser-zones.ts in the place of this file.
import { DateTime, IANAZone } from 'luxon';
import type { CivilTime } from './calendar.ts';
import { MINUTE_MS } from './periods.ts';

/** The offset in ms at an instant: east positive, NaN beyond the range of a Date. */
export type ZoneOffset = (at: number) => number;

const FIXED_OFFSET = /^UTC([+-])(\d{2}):(\d{2})$/;

/** Null if no zone has the name, nor is it an offset such as UTC+05:30. */
export function findZoneOffset(name: string): ZoneOffset | null {
  const [, sign, hours, minutes] = FIXED_OFFSET.exec(name) ?? [];
  if (sign !== undefined) {
    const ms = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
    return () => (sign === '-' ? -ms : ms);
  }

  // IANAZone.create would keep every invalid name in its cache, and names come from outside.
  if (!IANAZone.isValidZone(name)) return null;

  const zone = IANAZone.create(name);
  return (at) => Math.round(zone.offset(at) * MINUTE_MS);
}

/** The calendar and clock of an instant in UTC. `weekday` is 1 on Mondays, 7 on Sundays. */
export function civilOfUtcMs(ms: number): CivilTime & { weekday: number } {
  const utc = DateTime.fromMillis(ms, { zone: 'utc' });
  const { year, month, day, hour, minute, second, millisecond, weekday } = utc;
  return { year, month, day, hour, minute, second, millisecond, weekday };
}
