import { missingShare, readingAge, type SensorActivity, usualIntervalMs } from '../domain/coverage.ts';
import { roundTo } from '../domain/decimal.ts';
import type { Period } from '../domain/intervals.ts';
import type { FreshnessBody } from '../schema/series.ts';
import { lastInstants, type SensorReadingBounds } from '../store/reading-ends.ts';
import type { CompanyDb } from '../store/tables.ts';
import { toIso } from './wire.ts';

/** How many of a sensor's readings tell the step that it sends at. */
export const STEP_SAMPLE_SIZE = 50;

const SHARE_DECIMALS = 4;

/** How old the newest reading of some sensors is, whatever the period. */
export function freshnessOf(spans: readonly SensorReadingBounds[], now: number): FreshnessBody {
  const newest = spans.flatMap((span) => span.newest ?? []);
  if (newest.length === 0) return { time: null, ageMin: null, isFresh: false };
  const time = Math.max(...newest);
  const { ageMs, isFresh } = readingAge(time, now);
  return { time: toIso(time), ageMin: Math.floor(ageMs / 60_000), isFresh };
}

/** The step in ms that each sensor sent at before an instant (ms); null below two readings. */
export async function sensorStepsBefore(
  db: CompanyDb,
  sensorIds: readonly number[],
  before: number,
): Promise<SensorActivity['intervalMs'][]> {
  return (await lastInstants(db, sensorIds, before, STEP_SAMPLE_SIZE)).map(usualIntervalMs);
}

/** Share of a period's expected readings that sensors did not send, as far as the period has come by now. */
export const missingReadingsShare = (
  { start, end }: Period,
  now: number,
  coverage: readonly SensorActivity[],
): number => roundTo(missingShare({ start, end: Math.min(end, now) }, coverage), SHARE_DECIMALS);
