import { ageOf, missingShare, type Sent, usualStep } from '../domain/coverage.ts';
import { rounded } from '../domain/decimal.ts';
import type { Period } from '../domain/intervals.ts';
import type { FreshnessBody } from '../schema/series.ts';
import { lastInstants, type SensorSpan } from '../store/reading-ends.ts';
import type { CompanyDb } from '../store/tables.ts';
import { isoOf } from './wire.ts';

/** How many of a sensor's readings tell the step that it sends at. */
export const READINGS_OF_A_STEP = 50;

const SHARE_DECIMALS = 4;

/** How old the newest reading of some sensors is, whatever the period. */
export function freshnessOf(spans: readonly SensorSpan[], now: number): FreshnessBody {
  const newest = spans.flatMap((span) => span.newest ?? []);
  if (newest.length === 0) return { time: null, ageMin: null, isFresh: false };
  const time = Math.max(...newest);
  const { ageMs, isFresh } = ageOf(time, now);
  return { time: isoOf(time), ageMin: Math.floor(ageMs / 60_000), isFresh };
}

/** The step in ms that each sensor sent at before an instant (ms); null below two readings. */
export async function stepsBefore(
  db: CompanyDb,
  sensorIds: readonly number[],
  before: number,
): Promise<Sent['stepMs'][]> {
  return (await lastInstants(db, sensorIds, before, READINGS_OF_A_STEP)).map(usualStep);
}

/** Share of a period's expected readings that sensors did not send, as far as the period has come by now. */
export const shareMissing = ({ start, end }: Period, now: number, sent: readonly Sent[]): number =>
  rounded(missingShare({ start, end: Math.min(end, now) }, sent), SHARE_DECIMALS);
