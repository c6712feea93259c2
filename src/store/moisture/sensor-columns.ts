import { type RawBuilder, sql } from 'kysely';
import { entryOf, itemAt } from '../../domain/items.ts';
import {
  type CalibratedSensor,
  calibratedValues,
  calibrationStarts,
  UNCALIBRATED,
} from '../../domain/moisture/calibration.ts';
import { pointEnd } from '../../domain/moisture/series-points.ts';
import { bucketStart, DAY_MS, HOUR_MS, type Period } from '../../domain/periods.ts';
import { hasLocalDays } from '../company/local-day-zone.ts';
import { adapterOf } from '../store-adapter.ts';
import type { CompanyDb } from '../tables.ts';
import { lastReadings } from './reading-lookup.ts';
import { onlyHoursBefore } from './reading-retention.ts';

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
  const hoursBefore = await onlyHoursBefore(db);
  const from = hoursBefore ?? Number.MIN_SAFE_INTEGER;
  const rows = await db
    .selectFrom('sensors')
    .where('id', 'in', sensorIds)
    .select((sensor) => {
      const readings = sensor
        .selectFrom('readings')
        .whereRef('readings.sensor_id', '=', 'sensors.id')
        .where('at', '>=', from);
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
  const lastById = new Map<number, LastReadings>(
    rows.map(({ id, newestAt, columns }) => {
      const [at = [], values = []] = parseColumns(columns, 2);
      const oldestFirst = calibrate(id, { at: at.reverse(), values: values.reverse() });
      return [id, { newestAt, ...oldestFirst }];
    }),
  );
  if (hoursBefore !== null) await addLastHours(db, sensors, lastById, { before, limit });
  return lastById;
}

/** Where few single readings are kept, the means of the hours before them come first. */
async function addLastHours(
  db: CompanyDb,
  sensors: readonly CalibratedSensor[],
  lastById: Map<number, LastReadings>,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<void> {
  for (const sensor of sensors) {
    const kept = entryOf(lastById, sensor.id);
    if (kept.at.length === limit) continue;
    const [all = []] = await lastReadings(db, [sensor], before, limit);
    lastById.set(sensor.id, {
      newestAt: kept.newestAt ?? all.at(-1)?.at ?? null,
      at: all.map(({ at }) => at),
      values: all.map(({ value }) => value),
    });
  }
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

/**
 * The readings in a period, and the means of the hours that begin in it where only those are left;
 * sensors without any are left out.
 */
export async function readingsOfSensors(
  db: CompanyDb,
  sensors: readonly CalibratedSensor[],
  { start, end }: Period,
): Promise<Map<number, SensorColumns>> {
  const before = await onlyHoursBefore(db);
  if (before === null || start >= before) return keptReadings(db, sensors, { start, end });

  const kept = await keptReadings(db, sensors, { start: before, end });
  const hours = await hoursOfSensors(db, sensors, { start, end: Math.min(end, before) });
  for (const [id, { at, values, counts }] of hours) {
    const after = kept.get(id) ?? { at: [], values: [] };
    const means = values.map((sum, row) => sum / itemAt(counts, row));
    kept.set(id, { at: [...at, ...after.at], values: [...means, ...after.values] });
  }
  return kept;
}

async function keptReadings(
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
        .selectFrom(table)
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

/**
 * An hour or day in which a calibration begins is the sum of its calibrated hours; those in which it
 * begins, and parts of hours, are the sum of their calibrated readings. Where only hours are left, an
 * hour has the line that was in force when it began.
 */
async function replaceDivided(
  db: CompanyDb,
  sensor: CalibratedSensor,
  columns: BucketColumns,
  { starts, endOf }: { readonly starts: readonly number[]; endOf(start: number): number },
): Promise<BucketColumns> {
  const values = [...columns.values];
  const before = (await onlyHoursBefore(db)) ?? Number.MIN_SAFE_INTEGER;
  for (const [row, start] of columns.at.entries()) {
    const end = endOf(start);
    const divisions = starts.filter((at) => at > start && at < end);
    if (divisions.length === 0) continue;

    let sum = 0;
    for (const part of partsOfHours({ start, end }, divisions)) {
      const hours = {
        start: part.start,
        end: part.areHours ? part.end : Math.min(part.end, before),
      };
      for (const value of await calibratedHours(db, sensor, hours)) sum += value;
      if (part.areHours) continue;
      const kept = { start: Math.max(part.start, before), end: part.end };
      for (const value of (await keptReadings(db, [sensor], kept)).get(sensor.id)?.values ?? [])
        sum += value;
    }
    values[row] = sum;
  }
  return { ...columns, values };
}

interface PartOfBucket extends Period {
  readonly areHours: boolean;
}

/** Whole hours, and between them parts of hours and the hours in which one of the instants lies. */
function partsOfHours({ start, end }: Period, instants: readonly number[]): PartOfBucket[] {
  const single = [start, end, ...instants]
    .filter((at) => at % HOUR_MS !== 0)
    .map((at) => bucketStart(at, HOUR_MS));
  const parts: PartOfBucket[] = [];
  let from = start;
  for (const hour of [...new Set(single)].sort((a, b) => a - b)) {
    if (from < hour) parts.push({ start: from, end: hour, areHours: true });
    const to = Math.min(end, hour + HOUR_MS);
    parts.push({ start: Math.max(start, hour), end: to, areHours: false });
    from = to;
  }
  if (from < end) parts.push({ start: from, end, areHours: true });
  return parts;
}

async function calibratedHours(
  db: CompanyDb,
  { id, calibration }: CalibratedSensor,
  period: Period,
): Promise<readonly number[]> {
  const hours = (await hoursOfSensors(db, [{ id, calibration: UNCALIBRATED }], period)).get(id);
  return hours === undefined
    ? []
    : calibratedValues(calibration, hours.at, hours.values, hours.counts);
}
