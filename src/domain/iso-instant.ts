import { isCivilDate, isClockTime } from './calendar.ts';

const ISO_INSTANT = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:Z|[+-](?:0\d|1[0-4]):?[0-5]\d)$/;

/** An instant in ISO 8601 with an offset, in ms since 1970 UTC; NaN for anything else, also for a day that does not exist. */
export function parseOffsetInstant(text: string): number {
  const parts = ISO_INSTANT.exec(text)
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  if (!parts) return Number.NaN;
  const [year, month, day, hour, minute, second] = parts as [number, number, number, number, number, number];
  return isCivilDate(year, month, day) && isClockTime(hour, minute, second) ? Date.parse(text) : Number.NaN;
}
