import { lastOf } from '../../domain/items.ts';
import { bucketStart, DAY_MS, HOUR_MS } from '../../domain/periods.ts';
import { localDayZone } from '../company/local-day-zone.ts';
import type { CompanyDb } from '../tables.ts';
import { daysAround, localDaySums } from './changed-sums.ts';
import { onlyHoursBefore } from './reading-retention.ts';
import { refreshSums } from './sum-writes.ts';

/** Recomputes the days of one sensor; true when those of all are in the zone. */
export async function advanceLocalDays(db: CompanyDb, zone: string): Promise<boolean> {
  const [stored] = await localDayZone(db);
  if (stored?.zone !== zone) {
    await db.deleteFrom('local_day_zones').execute();
    await db.insertInto('local_day_zones').values({ zone, next_sensor_id: 0 }).execute();
  }

  const nextId = stored?.zone === zone ? stored.nextSensorId : 0;
  if (nextId === null) return true;

  const sensorId = await nextSensorWithReadings(db, nextId);
  if (sensorId !== null) await recomputeDays(db, sensorId, zone);
  const next_sensor_id = sensorId === null ? null : sensorId + 1;
  await db.updateTable('local_day_zones').set({ next_sensor_id }).execute();

  return sensorId === null;
}

async function nextSensorWithReadings(db: CompanyDb, fromId: number): Promise<number | null> {
  const hour = await db
    .selectFrom('reading_hours')
    .select('sensor_id')
    .where('sensor_id', '>=', fromId)
    .orderBy('sensor_id')
    .limit(1)
    .executeTakeFirst();
  return hour?.sensor_id ?? null;
}

/** Long gaps between readings are left out. */
const RECOMPUTED_MS = 366 * DAY_MS;

async function recomputeDays(db: CompanyDb, sensorId: number, zone: string): Promise<void> {
  await db.deleteFrom('reading_local_days').where('sensor_id', '=', sensorId).execute();
  const before = await onlyHoursBefore(db);

  for (let from = await nextHour(db, sensorId, Number.MIN_SAFE_INTEGER); from !== null; ) {
    const days = daysAround([{ sensorId, from, to: from + RECOMPUTED_MS }], zone);
    await refreshSums(db, localDaySums(days, before));
    // In half-hour zones the next day begins within an hour.
    from = await nextHour(db, sensorId, bucketStart(lastOf(days).to, HOUR_MS));
  }
}

async function nextHour(db: CompanyDb, sensorId: number, from: number): Promise<number | null> {
  const hour = await db
    .selectFrom('reading_hours')
    .select('bucket_at')
    .where('sensor_id', '=', sensorId)
    .where('bucket_at', '>=', from)
    .orderBy('bucket_at')
    .limit(1)
    .executeTakeFirst();
  return hour?.bucket_at ?? null;
}
