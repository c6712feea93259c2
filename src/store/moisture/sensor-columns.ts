import { type RawBuilder, sql } from 'kysely';
import {
  type CalibratedSensor,
  calibratedValues,
  calibrationStarts,
} from '../../domain/moisture/calibration.ts';
import { pointEnd } from '../../domain/moisture/series-points.ts';
import { DAY_MS, HOUR_MS, type Period } from '../../domain/periods.ts';
import { hasLocalDays } from '../company/local-day-zone.ts';
import { adapterOf } from '../store-adapter.ts';
import type { CompanyDb } from '../tables.ts';

// One row a sensor, with its readings as a JSON text: of thousands of sensors that is several times
// as fast as a row a reading, whose objects cost more than the look-up.

/** Rows of one sensor, oldest first. */
export interface SensorColumns {
  readonly at: readonly number[];
  readonly values: readonly number[];
}

/** `values` are the sums of hours or days. */
export interface BucketColumns extends SensorColumns {
  readonly counts: readonly number[];
}

/** For each sensor, its last readings before an instant, and the instant of its newest reading of all. */
export interface LastReadings extends SensorColumns {
  readonly newestAt: number | null;
}

/** The columns of the rows of a subquery, each as a JSON array in the order of the rows. */
function jsonColumns(db: CompanyDb, ...columns: string[]): RawBuilder<string> {
  const [array, list] =
    adapterOf(db).dialect === 'sqlite'
      ? ['json_array', 'json_group_array']
      : ['json_build_array', 'json_agg'];
  const lists = columns.map((column) => sql`${sql.raw(list)}(${sql.ref(column)})`);
  return sql<string>`cast(${sql.raw(array)}(${sql.join(lists)}) as text)`;
}

/** PostgreSQL writes null for the column of no rows. */
const parseColumns = (text: string | null, count: number): number[][] => {
  const columns: (number[] | null)[] = text === null ? [] : JSON.parse(text);
  return Array.from({ length: count }, (_, index) => columns[index] ?? []);
};

export async function lastReadingsOfSensors(
  db: CompanyDb,
  sensors: readonly CalibratedSensor[],
  before: number,
  limit: number,
): Promise<Map<number, LastReadings>> {
  if (sensors.length === 0) return new Map();
  const sensorIds = sensors.map(({ id }) => id);
  const rows = await db
    .selectFrom('sensors')
    .where('id', 'in', sensorIds)
    .select((sensor) => {
      const readings = sensor
        .selectFrom('readings')
        .whereRef('readings.sensor_id', '=', 'sensors.id');
      const last = readings
        .where('at', '<', before)
        .select(['at', 'value'])
        .orderBy('at', 'desc')
        .limit(limit);

      return [
        'id',
        readings.select(({ fn }) => fn.max<number | null>('at').as('at')).as('newestAt'),
        sensor
          .selectFrom(last.as('last'))
          .select(jsonColumns(db, 'at', 'value').as('columns'))
          .as('columns'),
      ];
    })
    .execute();

  const calibrate = calibrationOf(sensors);
  return new Map(
    rows.map(({ id, newestAt, columns }) => {
      const [at = [], values = []] = parseColumns(columns, 2);
      const oldestFirst = calibrate(id, { at: at.reverse(), values: values.reverse() });
      return [id, { newestAt, ...oldestFirst }];
    }),
  );
}

/** Readings and sums are stored as they were read; what leaves this file is calibrated. */
function calibrationOf(sensors: readonly CalibratedSensor[]) {
  const byId = new Map(sensors.map(({ id, calibration }) => [id, calibration]));
  return <Columns extends SensorColumns & { readonly counts?: readonly number[] }>(
    id: number,
    columns: Columns,
  ): Columns => {
    const calibration = byId.get(id) ?? [];
    if (calibration.length === 0) return columns;
    const values = calibratedValues(calibration, columns.at, columns.values, columns.counts);
    return { ...columns, values };
  };
}

/** The readings in a period; sensors without one are left out. */
export async function readingsOfSensors(
  db: CompanyDb,
  sensors: readonly CalibratedSensor[],
  { start, end }: Period,
): Promise<Map<number, SensorColumns>> {
  if (sensors.length === 0 || start >= end) return new Map();
  const sensorIds = sensors.map(({ id }) => id);
  const rows = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('readings')
        .where('sensor_id', 'in', sensorIds)
        .where('at', '>=', start)
        .where('at', '<', end)
        .select(['sensor_id', 'at', 'value'])
        .orderBy('sensor_id')
        .orderBy('at')
        .as('rows'),
    )
    .groupBy('sensor_id')
    .select(['sensor_id', jsonColumns(db, 'at', 'value').as('columns')])
    .execute();

  const calibrate = calibrationOf(sensors);
  return new Map(
    rows.map(({ sensor_id: id, columns }) => {
      const [at = [], values = []] = parseColumns(columns, 2);
      return [id, calibrate(id, { at, values })];
    }),
  );
}

/** Hourly sums in a period of whole hours; sensors without one are left out. */
export const hoursOfSensors = (
  db: CompanyDb,
  sensors: readonly CalibratedSensor[],
  period: Period,
): Promise<Map<number, BucketColumns>> =>
  bucketsOfSensors(db, sensors, period, {
    table: 'reading_hours',
    endOf: (start) => start + HOUR_MS,
  });

/**
 * Sums of whole local days, or of days in UTC while those of the zone are still being computed;
 * sensors without one are left out.
 */
export const daysOfSensors = async (
  db: CompanyDb,
  sensors: readonly CalibratedSensor[],
  period: Period,
  zone: string,
): Promise<Map<number, BucketColumns>> =>
  bucketsOfSensors(
    db,
    sensors,
    period,
    (await hasLocalDays(db, zone))
      ? { table: 'reading_local_days', endOf: (start) => pointEnd(start, DAY_MS, zone) }
      : { table: 'reading_days', endOf: (start) => start + DAY_MS },
  );

interface Buckets {
  readonly table: 'reading_hours' | 'reading_days' | 'reading_local_days';
  endOf(start: number): number;
}

async function bucketsOfSensors(
  db: CompanyDb,
  sensors: readonly CalibratedSensor[],
  { start, end }: Period,
  { table, endOf }: Buckets,
): Promise<Map<number, BucketColumns>> {
  if (sensors.length === 0 || start >= end) return new Map();
  const sensorIds = sensors.map(({ id }) => id);
  const rows = await db
    .selectFrom((eb) =>
      eb
        // All tables of sums have these columns.
        .selectFrom(table as 'reading_hours')
        .where('sensor_id', 'in', sensorIds)
        .where('bucket_at', '>=', start)
        .where('bucket_at', '<', end)
        .select(['sensor_id', 'bucket_at', 'sum', 'count'])
        .orderBy('sensor_id')
        .orderBy('bucket_at')
        .as('rows'),
    )
    .groupBy('sensor_id')
    .select(['sensor_id', jsonColumns(db, 'bucket_at', 'sum', 'count').as('columns')])
    .execute();

  const calibrate = calibrationOf(sensors);
  const buckets = new Map<number, BucketColumns>(
    rows.map(({ sensor_id: id, columns }) => {
      const [at = [], sums = [], counts = []] = parseColumns(columns, 3);
      return [id, calibrate(id, { at, counts, values: sums })];
    }),
  );
  for (const sensor of sensors) {
    const columns = buckets.get(sensor.id);
    if (columns === undefined || sensor.calibration.length === 0) continue;
    const starts = calibrationStarts([sensor], { start, end });
    buckets.set(sensor.id, await replaceDivided(db, sensor, columns, { starts, endOf }));
  }
  return buckets;
}

/** An hour or day in which a calibration begins is the sum of its calibrated readings. */
async function replaceDivided(
  db: CompanyDb,
  sensor: CalibratedSensor,
  columns: BucketColumns,
  { starts, endOf }: { readonly starts: readonly number[]; endOf(start: number): number },
): Promise<BucketColumns> {
  const values = [...columns.values];
  for (const [row, start] of columns.at.entries()) {
    const end = endOf(start);
    if (!starts.some((at) => at > start && at < end)) continue;
    const readings = await readingsOfSensors(db, [sensor], { start, end });
    values[row] = readings.get(sensor.id)?.values.reduce((sum, value) => sum + value, 0) ?? 0;
  }
  return { ...columns, values };
}
