import { ageOf, missingShare, usualStep } from '../domain/coverage.ts';
import { rounded } from '../domain/decimal.ts';
import type { Period } from '../domain/intervals.ts';
import type { FreshnessBody } from '../schema/series.ts';
import { lastReadings, type SensorSpan } from '../store/series.ts';
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

/** Share of a period's expected readings that the sensors did not send, as far as the period has come by now. */
export async function shareMissing(
  db: CompanyDb,
  { start, end }: Period,
  now: number,
  sensors: readonly { readonly id: number; readonly count: number }[],
): Promise<number> {
  const ids = sensors.map(({ id }) => id);
  const readings = await lastReadings(db, ids, end, READINGS_OF_A_STEP);
  const sent = sensors.map(({ count }, place) => ({ count, stepMs: usualStep(readings[place]!.map(({ at }) => at)) }));
  return rounded(missingShare({ start, end: Math.min(end, now) }, sent), SHARE_DECIMALS);
}
