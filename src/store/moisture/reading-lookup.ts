import type { Period } from '../../domain/periods.ts';
import { bulkReadingsOf } from '../bulk-readings.ts';
import { preparedListQuery, preparedQuery } from '../prepared-query.ts';
import type { CompanyDb } from '../tables.ts';
import { packedDoubles, unpackDoubles } from './columnar-sums.ts';

/** What one sensor has: its first and last instant (ms) in a period, and its last one at all. */
export interface SensorReadingBounds {
  readonly sensorId: number;
  readonly first: number | null;
  readonly last: number | null;
  readonly newest: number | null;
}

/** The spans of some sensors; each end is looked up, so that it does not matter how many readings lie between. */
export async function sensorReadingBounds(
  db: CompanyDb,
  sensorIds: readonly number[],
  { start, end }: Period,
): Promise<SensorReadingBounds[]> {
  return sensorIds.length === 0 ? [] : queryReadingBounds(db, sensorIds, start, end);
}

const queryReadingBounds = preparedListQuery((db, sensorIds, start: number, end: number) =>
  db
    .selectFrom('sensors')
    .where('id', 'in', sensorIds)
    .select((sensor) => {
      const own = sensor.selectFrom('readings').whereRef('readings.sensor_id', '=', 'sensors.id');
      const within = own.where('at', '>=', start).where('at', '<', end);
      return [
        'id as sensorId',
        within.select(({ fn }) => fn.min<number | null>('at').as('at')).as('first'),
        within.select(({ fn }) => fn.max<number | null>('at').as('at')).as('last'),
        own.select(({ fn }) => fn.max<number | null>('at').as('at')).as('newest'),
      ];
    }),
);

export interface TimedValue {
  readonly at: number;
  readonly value: number;
}

/** The last readings of each sensor before an instant (ms), oldest first; at most `count` of each. */
export async function lastReadings(
  db: CompanyDb,
  sensorIds: readonly number[],
  before: number,
  count: number,
): Promise<TimedValue[][]> {
  const found = await Promise.all(sensorIds.map((sensorId) => lastReadingsOfSensor(db, sensorId, before, count)));
  return found.map((rows) => rows.reverse());
}

const lastReadingsOfSensor = preparedQuery((db, sensorId: number, before: number, count: number) =>
  db
    .selectFrom('readings')
    .select(['at', 'value'])
    .where('sensor_id', '=', sensorId)
    .where('at', '<', before)
    .orderBy('at', 'desc')
    .limit(count),
);

/** The last instants (ms) of each sensor before one, in order; at most `count` of each. */
export async function lastInstants(
  db: CompanyDb,
  sensorIds: readonly number[],
  before: number,
  count: number,
): Promise<ArrayLike<number>[]> {
  if (sensorIds.length === 0) return [];
  if (!bulkReadingsOf(db))
    return (await lastReadings(db, sensorIds, before, count)).map((last) => last.map(({ at }) => at));
  const found = new Map(
    (await packedLastInstants(db, sensorIds, before, count)).map(({ sensorId, at }) => [sensorId, at]),
  );
  return sensorIds.map((sensorId) => {
    const list = found.get(sensorId);
    return list ? unpackDoubles(list).sort() : [];
  });
}

const packedLastInstants = preparedListQuery((db, sensorIds, before: number, count: number) =>
  db
    .selectFrom('sensors')
    .where('id', 'in', sensorIds)
    .select((sensor) => [
      'id as sensorId',
      sensor
        .selectFrom((within) =>
          within
            .selectFrom('readings')
            .select('at')
            .whereRef('readings.sensor_id', '=', 'sensors.id')
            .where('at', '<', before)
            .orderBy('at', 'desc')
            .limit(count)
            .as('last'),
        )
        .select(packedDoubles('at').as('list'))
        .as('at'),
    ]),
);

/** How many instants one query is asked about; well below the bound on parameters of either database. */
const MAX_INSTANTS_PER_QUERY = 500;

/** First and last instant (ms) that a sensor has a reading at, or null without any. */
export async function readingPeriod(db: CompanyDb, sensorId: number): Promise<{ from: number; to: number } | null> {
  const of = db.selectFrom('readings').select('at').where('sensor_id', '=', sensorId).limit(1);
  const first = await of.orderBy('at', 'asc').executeTakeFirst();
  const last = await of.orderBy('at', 'desc').executeTakeFirst();
  return first && last ? { from: first.at, to: last.at } : null;
}

/** Those of the instants (ms) that a sensor has a reading at. */
export async function existingInstants(
  db: CompanyDb,
  sensorId: number,
  instants: readonly number[],
): Promise<number[]> {
  const taken: number[] = [];
  for (let start = 0; start < instants.length; start += MAX_INSTANTS_PER_QUERY) {
    const rows = await db
      .selectFrom('readings')
      .select('at')
      .where('sensor_id', '=', sensorId)
      .where('at', 'in', instants.slice(start, start + MAX_INSTANTS_PER_QUERY))
      .execute();
    for (const row of rows) taken.push(row.at);
  }
  return taken;
}

/** How many sensors and instants one query is asked about: together below the bound on parameters of either database. */
const MAX_SENSORS = 100;
const MAX_INSTANTS = 400;

/** A reading that stands: instant in ms, value in the sensor's unit. */
export interface StoredReading {
  readonly sensorId: number;
  readonly at: number;
  readonly value: number;
}

/** The readings that some sensors have at some instants (ms). */
export async function readingsAtInstants(
  db: CompanyDb,
  sensorIds: readonly number[],
  instants: readonly number[],
): Promise<StoredReading[]> {
  const found: StoredReading[] = [];
  for (const sensors of chunks(sensorIds, MAX_SENSORS))
    for (const ats of chunks(instants, MAX_INSTANTS))
      found.push(
        ...(await db
          .selectFrom('readings')
          .select(['sensor_id as sensorId', 'at', 'value'])
          .where('sensor_id', 'in', sensors)
          .where('at', 'in', ats)
          .execute()),
      );
  return found;
}

const chunks = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, part) => all.slice(part * size, (part + 1) * size));
