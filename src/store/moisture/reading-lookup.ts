import { chunksOf } from '../../domain/groups.ts';
import { entryOf, firstOf } from '../../domain/items.ts';
import { type CalibratedSensor, calibrated, lineAt } from '../../domain/moisture/calibration.ts';
import type { TimedValue } from '../../domain/moisture/series.ts';
import { HOUR_MS, type Period } from '../../domain/periods.ts';
import { preparedListQuery, preparedQuery } from '../queries/prepared-query.ts';
import type { CompanyDb } from '../tables.ts';
import { onlyHoursBefore } from './reading-retention.ts';

/** Instants of readings of a sensor; null without one. */
export interface SensorReadingBounds {
  readonly sensorId: number;
  /** Within the period. */
  readonly first: number | null;
  readonly last: number | null;
  /** The newest of all readings of the sensor. */
  readonly newest: number | null;
}

/**
 * Looks up each instant by the primary key, so the cost does not depend on the number of readings
 * in between.
 */
export async function sensorReadingBounds(
  db: CompanyDb,
  sensorIds: readonly number[],
  { start, end }: Period,
): Promise<SensorReadingBounds[]> {
  const before = await onlyHoursBefore(db);
  if (before === null) return queryReadingBounds(db, sensorIds, start, end);

  const bounds = await queryReadingBounds(db, sensorIds, Math.max(start, before), end);
  const isOfReadings = ({ newest }: SensorReadingBounds): boolean =>
    start >= before && newest !== null && newest >= before;
  if (bounds.every(isOfReadings)) return bounds;

  const hours = await queryHourBounds(db, sensorIds, start, Math.min(end, before), before);
  const ofHours = new Map(hours.map((row) => [row.sensorId, row]));
  return bounds.map(({ sensorId, first, last, newest }) => {
    const ofSensor = entryOf(ofHours, sensorId);
    return {
      sensorId,
      first: ofSensor.first ?? first,
      last: last ?? ofSensor.last,
      newest: newest !== null && newest >= before ? newest : ofSensor.newest,
    };
  });
}

const queryReadingBounds = preparedListQuery((db, sensorIds, start: number, end: number) =>
  db
    .selectFrom('sensors')
    .where('id', 'in', sensorIds)
    .select((sensor) => {
      const readings = sensor
        .selectFrom('readings')
        .whereRef('readings.sensor_id', '=', 'sensors.id');
      const within = readings.where('at', '>=', start).where('at', '<', end);

      return [
        'id as sensorId',
        within.select(({ fn }) => fn.min<number | null>('at').as('at')).as('first'),
        within.select(({ fn }) => fn.max<number | null>('at').as('at')).as('last'),
        readings.select(({ fn }) => fn.max<number | null>('at').as('at')).as('newest'),
      ];
    }),
);

const queryHourBounds = preparedListQuery(
  (db, sensorIds, start: number, end: number, before: number) =>
    db
      .selectFrom('sensors')
      .where('id', 'in', sensorIds)
      .select((sensor) => {
        const hours = sensor
          .selectFrom('reading_hours')
          .whereRef('reading_hours.sensor_id', '=', 'sensors.id');
        const within = hours.where('bucket_at', '>=', start).where('bucket_at', '<', end);
        const all = hours.where('bucket_at', '<', before);

        return [
          'id as sensorId',
          within.select(({ fn }) => fn.min<number | null>('bucket_at').as('at')).as('first'),
          within.select(({ fn }) => fn.max<number | null>('bucket_at').as('at')).as('last'),
          all.select(({ fn }) => fn.max<number | null>('bucket_at').as('at')).as('newest'),
        ];
      }),
);

/** The instant of the newest reading of each sensor, or the hour that stands in its place. */
export async function newestReadings(db: CompanyDb) {
  const newest = await queryNewestReadings(db);
  const before = await onlyHoursBefore(db);
  if (before === null) return newest;

  const withoutReading = newest.filter(({ at }) => at === null || at < before);
  const ids = withoutReading.map(({ id }) => id);
  const hours = await queryHourBounds(db, ids, before, before, before);
  const ofHours = new Map(hours.map(({ sensorId, newest }) => [sensorId, newest]));
  return newest.map((row) => ({
    ...row,
    at: ofHours.has(row.id) ? entryOf(ofHours, row.id) : row.at,
  }));
}

const queryNewestReadings = preparedQuery((db) =>
  db
    .selectFrom('sensors')
    .select((sensor) => [
      'id',
      'module_id as moduleId',
      sensor
        .selectFrom('readings')
        .whereRef('readings.sensor_id', '=', 'sensors.id')
        .select(({ fn }) => fn.max<number | null>('at').as('at'))
        .as('at'),
    ])
    .orderBy('id'),
);

/** True if a module has more than `count` readings since `from`. Reads no more than `count` + 1. */
export const hasMoreReadings = async (
  db: CompanyDb,
  moduleId: number,
  from: number,
  count: number,
): Promise<boolean> => (await readingAfterFirst(db, moduleId, from, count)).length > 0;

const readingAfterFirst = preparedQuery((db, moduleId: number, from: number, count: number) =>
  db
    .selectFrom('sensors')
    .innerJoin('readings', 'readings.sensor_id', 'sensors.id')
    .select('at')
    .where('module_id', '=', moduleId)
    .where('at', '>=', from)
    .limit(1)
    .offset(count),
);

/**
 * The last readings of each sensor before an instant, oldest first, in the order of `sensors`. Where
 * only hours are left, their means.
 */
export const lastReadings = (
  db: CompanyDb,
  sensors: readonly CalibratedSensor[],
  before: number,
  limit: number,
): Promise<TimedValue[][]> =>
  Promise.all(
    sensors.map(async (sensor) => {
      const newestFirst = await lastRowsOfSensor(db, sensor.id, before, limit);
      return newestFirst.reverse().map((row) => calibratedReading(sensor, row));
    }),
  );

/** The instants of the last readings before an instant, those of an hour at equal distances. */
export const lastInstants = (
  db: CompanyDb,
  sensorIds: readonly number[],
  before: number,
  limit: number,
): Promise<number[][]> =>
  Promise.all(
    sensorIds.map(async (id) => {
      const newestFirst = await lastRowsOfSensor(db, id, before, limit);
      const instants = newestFirst
        .reverse()
        .flatMap(({ at, count }) =>
          Array.from({ length: count }, (_, index) => at + (index * HOUR_MS) / count),
        );
      return instants.slice(-limit);
    }),
  );

/** A reading, or the total and count of an hour. */
interface ReadingOrHour extends TimedValue {
  readonly count: number;
}

async function lastRowsOfSensor(
  db: CompanyDb,
  sensorId: number,
  before: number,
  limit: number,
): Promise<ReadingOrHour[]> {
  const hoursBefore = await onlyHoursBefore(db);
  const from = hoursBefore ?? Number.MIN_SAFE_INTEGER;
  const readings = await lastReadingsOfSensor(db, sensorId, from, before, limit);
  const rows: ReadingOrHour[] = readings.map((reading) => ({ ...reading, count: 1 }));
  if (hoursBefore === null || rows.length === limit) return rows;

  const remaining = limit - rows.length;
  const hours = await lastHoursOfSensor(db, sensorId, Math.min(before, hoursBefore), remaining);
  return [...rows, ...hours];
}

const calibratedReading = (
  { calibration }: CalibratedSensor,
  { at, value, count }: ReadingOrHour,
): TimedValue => {
  const sum = calibration.length === 0 ? value : calibrated(lineAt(calibration, at), value, count);
  return { at, value: sum / count };
};

const lastReadingsOfSensor = preparedQuery(
  (db, sensorId: number, from: number, before: number, limit: number) =>
    db
      .selectFrom('readings')
      .select(['at', 'value'])
      .where('sensor_id', '=', sensorId)
      .where('at', '>=', from)
      .where('at', '<', before)
      .orderBy('at', 'desc')
      .limit(limit),
);

const lastHoursOfSensor = preparedQuery((db, sensorId: number, before: number, limit: number) =>
  db
    .selectFrom('reading_hours')
    .select(['bucket_at as at', 'sum as value', 'count'])
    .where('sensor_id', '=', sensorId)
    .where('bucket_at', '<', before)
    .orderBy('bucket_at', 'desc')
    .limit(limit),
);

/** The last reading of each sensor before an instant or null, in the order of `sensors`. */
export async function readingsBefore(
  db: CompanyDb,
  sensors: readonly CalibratedSensor[],
  before: number,
): Promise<(TimedValue | null)[]> {
  if (sensors.length === 0) return [];
  const hoursBefore = await onlyHoursBefore(db);
  const ids = sensors.map(({ id }) => id);
  const rows = await queryReadingsBefore(db, ids, before);
  const bySensor = new Map(rows.map((row) => [row.sensorId, row]));

  const readings: (TimedValue | null)[] = [];
  for (const sensor of sensors) {
    const { at = null, value = null } = bySensor.get(sensor.id) ?? {};
    const isKept = at !== null && value !== null && (hoursBefore === null || at >= hoursBefore);
    if (isKept) readings.push(calibratedReading(sensor, { at, value, count: 1 }));
    else {
      const [hours = []] = hoursBefore === null ? [] : await lastReadings(db, [sensor], before, 1);
      readings.push(hours[0] ?? null);
    }
  }
  return readings;
}

const queryReadingsBefore = preparedListQuery((db, sensorIds, before: number) =>
  db
    .selectFrom('sensors')
    .where('id', 'in', sensorIds)
    .select((sensor) => {
      const last = sensor
        .selectFrom('readings')
        .whereRef('readings.sensor_id', '=', 'sensors.id')
        .where('at', '<', before)
        .orderBy('at', 'desc')
        .limit(1);
      return ['id as sensorId', last.select('at').as('at'), last.select('value').as('value')];
    }),
);

/** The instants of the first and the last reading of a sensor; null without readings. */
export async function readingPeriod(
  db: CompanyDb,
  sensorId: number,
): Promise<{ from: number; to: number } | null> {
  const readings = db
    .selectFrom('readings')
    .select('at')
    .where('sensor_id', '=', sensorId)
    .limit(1);
  const first = await readings.orderBy('at', 'asc').executeTakeFirst();
  const last = await readings.orderBy('at', 'desc').executeTakeFirst();
  return first && last ? { from: first.at, to: last.at } : null;
}

/** Bounds included; `first` and `last` are null without readings. */
export const countReadings = (db: CompanyDb, sensorId: number, from: number, to: number) =>
  db
    .selectFrom('readings')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.min<number | null>('at').as('first'),
      fn.max<number | null>('at').as('last'),
    ])
    .where('sensor_id', '=', sensorId)
    .where('at', '>=', from)
    .where('at', '<=', to)
    .executeTakeFirstOrThrow();

export const existingInstants = async (
  db: CompanyDb,
  sensorId: number,
  instants: readonly number[],
): Promise<number[]> => (await readingsAtInstants(db, [sensorId], instants)).map(({ at }) => at);

interface StoredReading extends TimedValue {
  readonly sensorId: number;
}

const MAX_INSTANTS_PER_QUERY = 500;
const MAX_SENSORS_PER_QUERY = 100;

/** The readings come in no order. */
export async function readingsAtInstants(
  db: CompanyDb,
  sensorIds: readonly number[],
  instants: readonly number[],
): Promise<StoredReading[]> {
  const readings: StoredReading[][] = [];
  for (const sensorChunk of chunksOf(sensorIds, MAX_SENSORS_PER_QUERY))
    for (const instantChunk of chunksOf(instants, MAX_INSTANTS_PER_QUERY))
      readings.push(
        instantChunk.length === 1
          ? await readingsAtInstant(db, sensorChunk, firstOf(instantChunk))
          : await readingsOf(db, sensorChunk).where('at', 'in', instantChunk).execute(),
      );

  return readings.flat();
}

const readingsOf = (db: CompanyDb, sensorIds: readonly number[]) =>
  db
    .selectFrom('readings')
    .select(['sensor_id as sensorId', 'at', 'value'])
    .where('sensor_id', 'in', sensorIds);

const readingsAtInstant = preparedListQuery((db, sensorIds, at: number) =>
  readingsOf(db, sensorIds).where('at', '=', at),
);
