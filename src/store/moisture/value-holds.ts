import { sql } from 'kysely';
import { DAY_MS } from '../../domain/periods.ts';
import { preparedListQuery, preparedQuery } from '../prepared-query.ts';

/** A gap this long ends a hold: nobody knows what the sensor showed meanwhile. */
const MAX_GAP_MS = DAY_MS;

/**
 * For each sensor with readings in a period: since when it shows its newest value, the longest that it showed another one,
 * and the smallest step between two readings (null without any), with the lowest and highest value.
 */
export const valueHolds = preparedListQuery((db, sensorIds, start: number, end: number) => {
  const readings = db
    .selectFrom('readings')
    .where('sensor_id', 'in', sensorIds)
    .where('at', '>=', start)
    .where('at', '<', end)
    .select(({ fn }) => [
      'sensor_id as sensorId',
      'at',
      'value',
      fn
        .agg<number | null>('lag', ['at'])
        .over((each) => each.partitionBy('sensor_id').orderBy('at'))
        .as('atBefore'),
      fn
        .agg<number | null>('lag', ['value'])
        .over((each) => each.partitionBy('sensor_id').orderBy('at'))
        .as('valueBefore'),
    ]);
  const holds = db
    .selectFrom(readings.as('each'))
    .where(({ eb, ref }) =>
      eb.or([
        eb('atBefore', 'is', null),
        eb('value', '<>', ref('valueBefore')),
        eb(sql`${ref('at')} - ${ref('atBefore')}`, '>', MAX_GAP_MS),
      ]),
    )
    .select(({ fn, ref }) => [
      'sensorId',
      'at',
      'value',
      sql<number | null>`nullif(abs(${ref('value')} - ${ref('valueBefore')}), 0)`.as('step'),
      sql<number | null>`${ref('atBefore')} - ${fn
        .agg<number>('lag', ['at'])
        .over((each) => each.partitionBy('sensorId').orderBy('at'))}`.as('holdBeforeMs'),
    ]);
  return db
    .selectFrom(holds.as('holds'))
    .groupBy('sensorId')
    .select(({ fn }) => [
      'sensorId',
      fn.min<number>('at').as('firstAt'),
      fn.max<number>('at').as('heldSince'),
      fn.max<number | null>('holdBeforeMs').as('longestEarlierMs'),
      fn.min<number | null>('step').as('smallestStep'),
      fn.min<number>('value').as('lowest'),
      fn.max<number>('value').as('highest'),
    ]);
});

const otherValues = preparedQuery((db, sensorId: number, value: number, start: number, end: number) =>
  db
    .selectFrom('readings')
    .where('sensor_id', '=', sensorId)
    .where('value', '<>', value)
    .where('at', '>=', start)
    .where('at', '<', end)
    .select('at')
    .orderBy('at', 'desc')
    .limit(1),
);

/** When a sensor last showed another value, within a period; null where it did not. */
export const lastOtherValueAt = async (...args: Parameters<typeof otherValues>): Promise<number | null> =>
  (await otherValues(...args))[0]?.at ?? null;
