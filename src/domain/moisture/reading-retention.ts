import { monthsBefore } from '../calendar.ts';
import { LocalDay } from '../local-day.ts';
import { bucketStart, HOUR_MS } from '../periods.ts';

/**
 * Single readings are kept from `keptFrom` (ms) on, which begins a local day and may lie within an
 * hour; the sums of earlier hours and days no longer change.
 */
export interface ReadingRetention {
  readonly keptFrom: number;
  /**
   * The zone of the company when the readings went: the local days of another one, whose offset is
   * not of whole hours, are made of whole hours too. Null once there were two.
   */
  readonly dayZone: string | null;
}

/** Before this instant hours stand in place of single readings. It begins an hour. */
export const hoursStandBefore = ({ keptFrom }: ReadingRetention): number =>
  bucketStart(keptFrom, HOUR_MS);

/** How long single readings are kept, such as five years. */
export interface ReadingAge {
  readonly count: number;
  readonly unit: 'd' | 'm' | 'y';
}

const UNIT_DAYS: Readonly<Record<ReadingAge['unit'], number>> = { d: 1, m: 30, y: 365 };

/**
 * Rules that judge sensors read single readings of the last months, and a season is compared with
 * the one before it.
 */
export const MIN_AGE_DAYS = 360;
const MAX_AGE_DAYS = 36_500;

/** Reads "5y", "18m" or "400d". Null for other text, and for an age out of range. */
export function parseReadingAge(text: string): ReadingAge | null {
  const [, digits, unit] = /^\s*(\d{1,5})\s*([dmy])\s*$/i.exec(text) ?? [];
  if (digits === undefined || unit === undefined) return null;

  const age = { count: Number(digits), unit: unit.toLowerCase() as ReadingAge['unit'] };
  const days = age.count * UNIT_DAYS[age.unit];
  return days >= MIN_AGE_DAYS && days <= MAX_AGE_DAYS ? age : null;
}

/** The local day of that age; the last of its month where the month has no such day. */
export function dayOfAge(now: number, { count, unit }: ReadingAge, zone: string): LocalDay {
  const today = LocalDay.at(now, zone);
  if (unit === 'd') return today.plus(-count);
  return LocalDay.of(monthsBefore(today.civil, unit === 'y' ? 12 * count : count));
}
