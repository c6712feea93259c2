import { type AliasableExpression, type Compilable, type RawBuilder, sql } from 'kysely';
import { preparedListQuery } from '../queries/prepared-query.ts';
import type { CompanyDb } from '../tables.ts';
import type { Segment, SumSource } from './series-segments.ts';

/** A reading, or the total and count of several. */
export interface SensorSum {
  readonly sensorId: number;
  readonly at: number;
  readonly sum: number;
  readonly count: number;
}

/**
 * The start of the bucket that contains a column's instant. Buckets are aligned to 1970 at an
 * offset from UTC (in ms, east positive). Instants before 1970 have a negative remainder, which the
 * second one makes positive.
 */
export function bucketStartSql(
  column: 'at' | 'bucket_at',
  bucketMs: number | RawBuilder<number>,
  offsetMs?: number,
): RawBuilder<number> {
  const at = sql.ref<number>(column);
  const local = offsetMs === undefined ? at : sql<number>`(${at} + ${offsetMs})`;
  return sql<number>`${at} - (${local} % ${bucketMs} + ${bucketMs}) % ${bucketMs}`;
}

type SumQuery = AliasableExpression<SensorSum> & Compilable<SensorSum>;

/** The start of the bucket of a row; without buckets (null), its own instant. */
const startSql = (
  column: 'at' | 'bucket_at',
  bucketMs: number | null,
  offsetMs: number | undefined,
) => (bucketMs === null ? sql.ref<number>(column) : bucketStartSql(column, bucketMs, offsetMs));

// Kysely cannot infer columns from a union of tables: a table's name in the casts represents any of
// them.

function sumsInSegment(
  db: CompanyDb,
  { source, start, end }: Segment,
  sensorIds: readonly number[],
  bucketMs: number | null,
  offsetMs?: number,
): SumQuery {
  if (source === 'readings')
    return db
      .selectFrom('readings')
      .where('sensor_id', 'in', sensorIds)
      .where('at', '>=', start)
      .where('at', '<', end)
      .select([
        'sensor_id as sensorId',
        startSql('at', bucketMs, offsetMs).as('at'),
        'value as sum',
        sql.lit(1).as('count'),
      ])
      .$castTo<SensorSum>();

  return db
    .selectFrom(source)
    .where('sensor_id', 'in', sensorIds)
    .where('bucket_at', '>=', start)
    .where('bucket_at', '<', end)
    .select([
      'sensor_id as sensorId',
      startSql('bucket_at', bucketMs, offsetMs).as('at'),
      'sum',
      'count',
    ])
    .$castTo<SensorSum>();
}

const groupedByBucket = (db: CompanyDb, sums: SumQuery): SumQuery =>
  db
    .selectFrom(sums.as('sums'))
    .groupBy(['sensorId', 'at'])
    .select(({ fn }) => [
      'sensorId',
      'at',
      fn.sum<number>('sum').as('sum'),
      fn.sum<number>('count').as('count'),
    ])
    .$castTo<SensorSum>();

/** One query for each source, because their tables differ. */
export const perSource = <T>(make: (source: SumSource) => T): Readonly<Record<SumSource, T>> => ({
  readings: make('readings'),
  reading_hours: make('reading_hours'),
  reading_days: make('reading_days'),
  reading_local_days: make('reading_local_days'),
});

/** Sums as they are stored. */
export const querySums = perSource((source) =>
  preparedListQuery((db, sensorIds, start: number, end: number) =>
    sumsInSegment(db, { source, start, end }, sensorIds, null),
  ),
);

/** The readings of a period, at most `limit` of them. */
export const queryFewReadings = preparedListQuery(
  (db, sensorIds, start: number, end: number, limit: number) =>
    db
      .selectFrom('readings')
      .where('sensor_id', 'in', sensorIds)
      .where('at', '>=', start)
      .where('at', '<', end)
      .select(['sensor_id as sensorId', 'at', 'value as sum', sql.lit(1).as('count')])
      .limit(limit)
      .$castTo<SensorSum>(),
);

/** The starts of the buckets in which a source has rows. */
export const queryBucketStarts = perSource((source) =>
  preparedListQuery(
    (db, sensorIds, start: number, end: number, bucketMs: number, offsetMs: number) =>
      db
        .selectFrom(
          sumsInSegment(db, { source, start, end }, sensorIds, bucketMs, offsetMs).as('sums'),
        )
        .select('at as start')
        .distinct(),
  ),
);

/** Sums added up by bucket. */
export const queryBucketedSums = perSource((source) =>
  preparedListQuery(
    (db, sensorIds, start: number, end: number, bucketMs: number, offsetMs: number) =>
      groupedByBucket(db, sumsInSegment(db, { source, start, end }, sensorIds, bucketMs, offsetMs)),
  ),
);
