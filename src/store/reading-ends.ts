import type { Period } from '../domain/intervals.ts';
import { listOf, numbersOf } from './lists.ts';
import { standing, standingForList } from './prepared.ts';
import { readingsWayOf } from './reading-batch.ts';
import type { CompanyDb } from './tables.ts';

/** What one sensor has: its first and last instant (ms) in a period, and its last one at all. */
export interface SensorSpan {
  readonly sensorId: number;
  readonly first: number | null;
  readonly last: number | null;
  readonly newest: number | null;
}

/** The spans of some sensors; each end is looked up, so that it does not matter how many readings lie between. */
export async function sensorSpans(
  db: CompanyDb,
  sensorIds: readonly number[],
  { start, end }: Period,
): Promise<SensorSpan[]> {
  return sensorIds.length === 0 ? [] : spansWithin(db, sensorIds, start, end);
}

const spansWithin = standingForList((db, sensorIds, start: number, end: number) =>
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

export interface Reading {
  readonly at: number;
  readonly value: number;
}

/** The last readings of each sensor before an instant (ms), oldest first; at most `count` of each. */
export async function lastReadings(
  db: CompanyDb,
  sensorIds: readonly number[],
  before: number,
  count: number,
): Promise<Reading[][]> {
  const found = await Promise.all(sensorIds.map((sensorId) => lastOfOne(db, sensorId, before, count)));
  return found.map((rows) => rows.reverse());
}

const lastOfOne = standing((db, sensorId: number, before: number, count: number) =>
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
  if (!readingsWayOf(db))
    return (await lastReadings(db, sensorIds, before, count)).map((last) => last.map(({ at }) => at));
  const found = new Map((await lastListed(db, sensorIds, before, count)).map(({ sensorId, at }) => [sensorId, at]));
  return sensorIds.map((sensorId) => {
    const list = found.get(sensorId);
    return list ? numbersOf(list).sort() : [];
  });
}

const lastListed = standingForList((db, sensorIds, before: number, count: number) =>
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
        .select(listOf('at').as('list'))
        .as('at'),
    ]),
);
