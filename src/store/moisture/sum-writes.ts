import { sql } from 'kysely';
import { chunksOf, groupBy } from '../../domain/groups.ts';
import { firstOf } from '../../domain/items.ts';
import { preparedListQuery } from '../queries/prepared-query.ts';
import type { ChangedSums, SumBuckets } from '../store-adapter.ts';
import type { CompanyDb } from '../tables.ts';

/** The sensors of one statement, which share their buckets. */
const SENSORS_PER_SUM = 32;

/** Computes the sums of the buckets; those without readings stay as they are. */
export async function refreshSums(db: CompanyDb, changed: readonly ChangedSums[]): Promise<void> {
  for (const { table, source, buckets } of changed)
    for (const { sensorIds, from, to, bucketMs } of sharedBuckets(buckets))
      await insertSums[table][source](db, sensorIds, from, to, bucketMs);
}

export async function deleteSums(db: CompanyDb, changed: readonly ChangedSums[]): Promise<void> {
  for (const { table, buckets } of changed)
    for (const { sensorId, from, to } of buckets)
      await db
        .deleteFrom(table)
        .where('sensor_id', '=', sensorId)
        .where('bucket_at', '>=', from)
        .where('bucket_at', '<', to)
        .execute();
}

const insertSumsOf = (table: ChangedSums['table'], source: ChangedSums['source']) => {
  const isOfReadings = source === 'readings';
  const at = sql.ref<number>(isOfReadings ? 'at' : 'bucket_at');

  return preparedListQuery((db, sensorIds, from: number, to: number, bucketMs: number) => {
    const sums = db
      .selectFrom(source)
      .where('sensor_id', 'in', sensorIds)
      .where(at, '>=', from)
      .where(at, '<', to)
      .select(({ fn }) => [
        'sensor_id',
        sql<number>`${at} - (${at} - ${from}) % ${bucketMs}`.as('bucket_at'),
        isOfReadings ? fn.countAll<number>().as('count') : fn.sum<number>('count').as('count'),
        (isOfReadings ? fn.sum<number>(sql.ref('value')) : fn.sum<number>('sum')).as('sum'),
      ])
      // By position, because a name would be that of the column.
      .groupBy(['sensor_id', sql.lit(2)]);

    return db
      .insertInto(table)
      .columns(['sensor_id', 'bucket_at', 'count', 'sum'])
      .expression(sums)
      .onConflict((conflict) =>
        conflict.columns(['sensor_id', 'bucket_at']).doUpdateSet((set) => ({
          count: set.ref('excluded.count'),
          sum: set.ref('excluded.sum'),
        })),
      );
  }, SENSORS_PER_SUM);
};

const insertSumsInto = (table: ChangedSums['table']) => ({
  readings: insertSumsOf(table, 'readings'),
  reading_hours: insertSumsOf(table, 'reading_hours'),
});

const insertSums = {
  reading_hours: insertSumsInto('reading_hours'),
  reading_days: insertSumsInto('reading_days'),
  reading_local_days: insertSumsInto('reading_local_days'),
};

type SharedBuckets = Omit<SumBuckets, 'sensorId'> & { readonly sensorIds: readonly number[] };

/** The same buckets of as many sensors at a time as a statement may have. */
function sharedBuckets(buckets: readonly SumBuckets[]): SharedBuckets[] {
  const groups = groupBy(buckets, ({ from, to, bucketMs }) => `${from} ${to} ${bucketMs}`);
  return [...groups.values()].flatMap((group) =>
    chunksOf(group, SENSORS_PER_SUM).map((sensors) => ({
      ...firstOf(sensors),
      sensorIds: sensors.map(({ sensorId }) => sensorId),
    })),
  );
}
