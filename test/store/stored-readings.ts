import { type CalibratedSensor, UNCALIBRATED } from '../../src/domain/moisture/calibration.ts';
import { recordReadings } from '../../src/store/ingest/reading-writes.ts';
import type { Store } from '../../src/store/store.ts';
import type { CompanyDb } from '../../src/store/tables.ts';
import { DAY, HOUR } from '../time.ts';

export type Reading = readonly [sensorId: number, at: number, value: number];

export const uncalibrated = (ids: readonly number[]): CalibratedSensor[] =>
  ids.map((id) => ({ id, calibration: UNCALIBRATED }));

export const recordRows = (db: CompanyDb, readings: readonly Reading[]): Promise<void> =>
  recordReadings(db, {
    sensorIds: readings.map(([sensorId]) => sensorId),
    at: readings.map(([, at]) => at),
    values: readings.map(([, , value]) => value),
    length: readings.length,
  });

export const record = (store: Store, readings: readonly Reading[], companyId = 1): Promise<void> =>
  store.write(companyId, (db) => recordRows(db, readings));

export const storedReadings = (db: CompanyDb) =>
  db
    .selectFrom('readings')
    .select(['sensor_id', 'at', 'value'])
    .orderBy('sensor_id')
    .orderBy('at')
    .execute();

export const storedSums = (db: CompanyDb) =>
  Promise.all([
    storedReadings(db),
    db.selectFrom('reading_hours').selectAll().orderBy('sensor_id').orderBy('bucket_at').execute(),
    db.selectFrom('reading_days').selectAll().orderBy('sensor_id').orderBy('bucket_at').execute(),
  ]);

export function expectedTables(readings: readonly Reading[]) {
  const last = new Map(readings.map((reading) => [`${reading[0]} ${reading[1]}`, reading]));
  const rows = [...last.values()].sort(([s, a], [t, b]) => s - t || a - b);
  const sums = (period: number) => {
    const buckets = new Map<
      string,
      { sensor_id: number; bucket_at: number; count: number; sum: number }
    >();
    for (const [sensor_id, at, value] of rows) {
      const bucket_at = Math.floor(at / period) * period;
      const key = `${sensor_id} ${bucket_at}`;
      const bucket = buckets.get(key) ?? { sensor_id, bucket_at, count: 0, sum: 0 };
      buckets.set(key, { ...bucket, count: bucket.count + 1, sum: bucket.sum + value });
    }
    return [...buckets.values()];
  };
  return [rows.map(([sensor_id, at, value]) => ({ sensor_id, at, value })), sums(HOUR), sums(DAY)];
}
