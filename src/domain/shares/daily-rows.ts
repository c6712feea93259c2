import { DAY_MS } from '../periods.ts';
import { DAILY_ROWS_PER_MODULE, MIN_DAILY_ROWS } from './bounded-things.ts';

// What a company may write in a day (from 00:00 to 24:00 UTC), so that it cannot fill the disk. A
// schedule of twelve times a day plans 1,080 waterings of a probe.

export const maxDailyRows = (modules: number): number =>
  Math.max(MIN_DAILY_ROWS, modules * DAILY_ROWS_PER_MODULE);

/**
 * Schedules go on planning by themselves, so they may plan only a part of a day's rows each day.
 */
export const maxPlannedRowsPerDay = (modules: number): number => maxDailyRows(modules) / 4;

/** Days since 1970. */
export const dayOf = (at: number): number => Math.floor(at / DAY_MS);

export const endOfDay = (at: number): number => (dayOf(at) + 1) * DAY_MS;

/** A text that fills more than a page of the database counts as further rows. */
const LENGTH_OF_ROW = 4_096;

export const rowsOfText = (length: number): number => 1 + Math.floor(length / LENGTH_OF_ROW);
