import { DAY_MS, HOUR_MS } from '../periods.ts';
import { utcDayOf } from './retention.ts';

export interface BackupTimes {
  readonly copiedAt: number | null;
  readonly drilledAt: number | null;
  readonly failedAt: number | null;
}

const RETRY_AFTER_MS = HOUR_MS;
const DRILL_EVERY_MS = 30 * DAY_MS;

/** What is to be done now: at most one copy a UTC day, and a drill a month, the first at once. */
export function dueBackup(times: BackupTimes | null, now: number): 'copy' | 'drill' | null {
  if (times === null) return 'copy';
  const { copiedAt, drilledAt, failedAt } = times;
  const waitsForRetry = failedAt !== null && failedAt <= now && now < failedAt + RETRY_AFTER_MS;
  if (waitsForRetry) return null;

  if (copiedAt === null || utcDayOf(copiedAt) !== utcDayOf(now)) return 'copy';
  // A clock that was ahead is not waited for.
  const isDrilled = drilledAt !== null && drilledAt <= now && now < drilledAt + DRILL_EVERY_MS;
  return isDrilled ? null : 'drill';
}
