import { chunksOf } from '../../domain/groups.ts';
import { firstOf, itemAt } from '../../domain/items.ts';
import { type CalibratedSensor, calibrated, lineAt } from '../../domain/moisture/calibration.ts';
import type { TimedValue } from '../../domain/moisture/series.ts';
import type { Period } from '../../domain/periods.ts';
import { preparedListQuery, preparedQuery } from '../queries/prepared-query.ts';
import type { CompanyDb } from '../tables.ts';

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
export const sensorReadingBounds = (
  db: CompanyDb,
  sensorIds: readonly number[],
  { start, end }: Period,
): Promise<SensorReadingBounds[]> => queryReadingBounds(db, sensorIds, start, end);

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

/** The instant of the newest reading of each sensor. */
export const newestReadings = preparedQuery((db) =>
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

/** The last readings of each sensor before an instant, oldest first, in the order of `sensors`. */
export async function lastReadings(
  db: CompanyDb,
  sensors: readonly CalibratedSensor[],
  before: number,
  limit: number,
): Promise<TimedValue[][]> {
  const newestFirst = await Promise.all(
    sensors.map(({ id }) => lastReadingsOfSensor(db, id, before, limit)),
  );
  return newestFirst.map((readings, index) =>
    readings.reverse().map((reading) => calibratedReading(itemAt(sensors, index), reading)),
  );
}

const calibratedReading = (
  { calibration }: CalibratedSensor,
  { at, value }: TimedValue,
): TimedValue => ({
  at,
  value: calibration.length === 0 ? value : calibrated(lineAt(calibration, at), value),
});

const lastReadingsOfSensor = preparedQuery((db, sensorId: number, before: number, limit: number) =>
  db
    .selectFrom('readings')
    .select(['at', 'value'])
    .where('sensor_id', '=', sensorId)
    .where('at', '<', before)
    .orderBy('at', 'desc')
    .limit(limit),
);

/** The last reading of each sensor before an instant or null, in the order of `sensors`. */
export async function readingsBefore(
  db: CompanyDb,
  sensors: readonly CalibratedSensor[],
  before: number,
): Promise<(TimedValue | null)[]> {
  if (sensors.length === 0) return [];
  const ids = sensors.map(({ id }) => id);
  const rows = await queryReadingsBefore(db, ids, before);
  const bySensor = new Map(rows.map((row) => [row.sensorId, row]));
  return sensors.map((sensor) => {
    const { at = null, value = null } = bySensor.get(sensor.id) ?? {};
    return at === null || value === null ? null : calibratedReading(sensor, { at, value });
  });
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
