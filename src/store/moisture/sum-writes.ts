import { type Compilable, type CompiledQuery, sql } from 'kysely';
import { groupBy } from '../../domain/groups.ts';
import { firstOf } from '../../domain/items.ts';
import { parameterPlaceholders, runWithValues } from '../queries/prepared-query.ts';
import type { ChangedSums, SumBuckets } from '../store-adapter.ts';
import type { CompanyDb } from '../tables.ts';

/** The numbers of sensors of one statement, which share their buckets; largest first. */
const SENSORS_PER_SUM = [32, 1] as const;

/** Computes the sums of the buckets; those without readings stay as they are. */
export async function refreshSums(db: CompanyDb, changed: readonly ChangedSums[]): Promise<void> {
  for (const { table, source, buckets } of changed)
    await forBuckets(db, buckets, (sensorIds, from, to, bucketMs) =>
      insertSums(db, { table, source }, sensorIds, [from, to, bucketMs]),
    );
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

// Kysely cannot infer columns from a union of tables: a table's name in the casts represents any of
// them.

function insertSums(
  db: CompanyDb,
  { table, source }: Pick<ChangedSums, 'table' | 'source'>,
  sensorIds: readonly number[],
  [from, to, bucketMs]: readonly [number, number, number],
): Compilable<unknown> {
  const isOfReadings = source === 'readings';
  const at = sql.ref<number>(isOfReadings ? 'at' : 'bucket_at');
  const sums = db
    .selectFrom(source as 'reading_hours')
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
      conflict
        .columns(['sensor_id', 'bucket_at'])
        .doUpdateSet((set) => ({ count: set.ref('excluded.count'), sum: set.ref('excluded.sum') })),
    );
}

type BuildSums = (
  sensorIds: readonly number[],
  from: number,
  to: number,
  bucketMs: number,
) => Compilable<unknown>;

/** Runs `build` for the same buckets of as many sensors at a time as a statement may have. */
async function forBuckets(
  db: CompanyDb,
  buckets: readonly SumBuckets[],
  build: BuildSums,
): Promise<void> {
  // Splicing below empties these groups.
  const groups = groupBy(buckets, ({ from, to, bucketMs }) => `${from} ${to} ${bucketMs}`);
  for (const size of SENSORS_PER_SUM) {
    let statement: CompiledQuery | undefined;
    for (const remaining of groups.values())
      while (remaining.length >= size) {
        statement ??= sumStatement(size, build);
        const sensors = remaining.splice(0, size);
        const { from, to, bucketMs } = firstOf(sensors);
        const sensorIds = sensors.map(({ sensorId }) => sensorId);
        await runWithValues(db, statement, [from, to, bucketMs, ...sensorIds]);
      }
  }
}

function sumStatement(sensorCount: number, build: BuildSums): CompiledQuery {
  const [from, to, bucketMs] = parameterPlaceholders<[number, number, number]>(3);
  return build(parameterPlaceholders<number[]>(sensorCount, 3), from, to, bucketMs).compile();
}
