// Takes the place of src/domain/zones.ts in the page: the same answers from the browser's own
// dates, except for the years before 1, which no curve reaches.
import { type CivilTime, civilDateOfUtcMs, civilToUtcMs } from '../domain/calendar.ts';
import { bucketStart, SECOND_MS } from '../domain/periods.ts';
import type { ZoneOffset } from '../domain/zones.ts';

export function findZoneOffset(name: string): ZoneOffset | null {
  try {
    return offsetBy(
      new Intl.DateTimeFormat('en-US', {
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
        hourCycle: 'h23',
        timeZone: name,
      }),
    );
  } catch {
    return null;
  }
}

const offsetBy =
  (format: Intl.DateTimeFormat): ZoneOffset =>
  (at) => {
    // Intl throws for an instant beyond the range of a Date.
    if (Number.isNaN(new Date(at).getTime())) return Number.NaN;

    const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
    for (const { type, value } of format.formatToParts(at)) parts[type] = value;
    const localMs = civilToUtcMs({
      year: Number(parts.year),
      month: Number(parts.month),
      day: Number(parts.day),
      hour: Number(parts.hour),
      minute: Number(parts.minute),
      second: Number(parts.second),
      millisecond: 0,
    });

    return localMs - bucketStart(at, SECOND_MS);
  };

export function civilOfUtcMs(ms: number): CivilTime & { weekday: number } {
  const date = new Date(ms);
  return {
    ...civilDateOfUtcMs(ms),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    millisecond: date.getUTCMilliseconds(),
    weekday: date.getUTCDay() || 7,
  };
}
