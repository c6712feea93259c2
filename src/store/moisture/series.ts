import { type AliasableExpression, type Compilable, type RawBuilder, sql } from 'kysely';
import type { ColumnarSums } from '../../domain/moisture/bucket-means.ts';
import type { CurveSettings } from '../../domain/moisture/depth-weights.ts';
import { DAY_MS, HOUR_MS, type Period } from '../../domain/periods.ts';
import { preparedListQuery, preparedQuery } from '../prepared-query.ts';
import type { CompanyDb } from '../tables.ts';

/** A reading, or the sum of several: the total of their values and how many they are. `at` in ms. */
export interface SensorSum {
  readonly sensorId: number;
  readonly at: number;
  readonly sum: number;
  readonly count: number;
}

export function columnarSums(rows: readonly SensorSum[], sensorIds: readonly number[]): ColumnarSums {
  const { length } = rows;
  const indexOf = new Map(sensorIds.map((id, index) => [id, index]));
  const sensor = new Int32Array(length);
  const [at, sum, count] = [new Float64Array(length), new Float64Array(length), new Float64Array(length)];
  for (const [index, row] of rows.entries()) {
    sensor[index] = indexOf.get(row.sensorId)!;
    at[index] = row.at;
    sum[index] = row.sum;
    count[index] = row.count;
  }
  return { sensor, at, sum, count, length };
}

/** The start of the bucket that contains a column's instant, aligned to 1970 UTC. Before 1970 a remainder is negative. */
export function bucketStartSql(column: 'at' | 'bucket_at', bucketMs: number | RawBuilder<number>): RawBuilder<number> {
  const at = sql.ref<number>(column);
  return sql<number>`${at} - (${at} % ${bucketMs} + ${bucketMs}) % ${bucketMs}`;
}

type SumQuery = AliasableExpression<SensorSum> & Compilable<SensorSum>;

const curveSettingsRow = preparedQuery((db, moduleId: number) =>
  db.selectFrom('modules').select(['root_depth_cm', 'depth_weights']).where('id', '=', moduleId),
);

export async function curveSettings(db: CompanyDb, moduleId: number): Promise<CurveSettings> {
  const [row] = await curveSettingsRow(db, moduleId);
  return {
    rootDepthCm: row?.root_depth_cm ?? null,
    depthWeights: row?.depth_weights == null ? null : JSON.parse(row.depth_weights),
  };
}

type SumSource = 'readings' | 'reading_hours' | 'reading_days';

interface Segment extends Period {
  readonly source: SumSource;
}

const BUCKET_MS: Readonly<Record<SumSource, number | null>> = {
  readings: null,
  reading_hours: HOUR_MS,
  reading_days: DAY_MS,
};

const bucketsDividing = (intervalMs: number | null): ('reading_hours' | 'reading_days')[] =>
  intervalMs === null || intervalMs % HOUR_MS !== 0
    ? []
    : intervalMs % DAY_MS === 0
      ? ['reading_days', 'reading_hours']
      : ['reading_hours'];

/** Long periods are read in segments of at least 30 days, at most 32: a cancelled call reads no further segment. */
const SEGMENT_MS = 30 * DAY_MS;
const MAX_SEGMENTS = 32;

function readingSegments({ start, end }: Period): Segment[] {
  const lengthMs = Math.max(SEGMENT_MS, Math.ceil((end - start) / MAX_SEGMENTS / DAY_MS) * DAY_MS);
  const segments: Segment[] = [];
  for (let from = start; from < end; ) {
    const to = Math.min(end, Math.floor(from / DAY_MS) * DAY_MS + lengthMs);
    segments.push({ source: 'readings', start: from, end: to });
    from = to;
  }
  return segments;
}

/** A period cut into whole days and hours, as far as sums of these are allowed, and into readings at its ends. */
function periodSegments(
  period: Period,
  [coarsest, ...finer]: readonly ('reading_hours' | 'reading_days')[],
): Segment[] {
  if (period.start >= period.end) return [];
  if (coarsest === undefined) return readingSegments(period);
  const lengthMs = BUCKET_MS[coarsest]!;
  const start = Math.ceil(period.start / lengthMs) * lengthMs;
  const end = Math.floor(period.end / lengthMs) * lengthMs;
  if (start >= end) return periodSegments(period, finer);
  return [
    ...periodSegments({ start: period.start, end: start }, finer),
    { source: coarsest, start, end },
    ...periodSegments({ start: end, end: period.end }, finer),
  ];
}

const startSql = (column: 'at' | 'bucket_at', intervalMs: number | null) =>
  intervalMs === null ? sql.ref<number>(column) : bucketStartSql(column, intervalMs);

function sumsInSegment(
  db: CompanyDb,
  { source, start, end }: Segment,
  sensorIds: readonly number[],
  intervalMs: number | null,
): SumQuery {
  if (source === 'readings')
    return db
      .selectFrom('readings')
      .where('sensor_id', 'in', sensorIds)
      .where('at', '>=', start)
      .where('at', '<', end)
      .select(['sensor_id as sensorId', startSql('at', intervalMs).as('at'), 'value as sum', sql.lit(1).as('count')])
      .$castTo<SensorSum>();
  return db
    .selectFrom(source as 'reading_hours')
    .where('sensor_id', 'in', sensorIds)
    .where('bucket_at', '>=', start)
    .where('bucket_at', '<', end)
    .select(['sensor_id as sensorId', startSql('bucket_at', intervalMs).as('at'), 'sum', 'count'])
    .$castTo<SensorSum>();
}

const groupedByBucket = (db: CompanyDb, sums: SumQuery): SumQuery =>
  db
    .selectFrom(sums.as('sums'))
    .groupBy(['sensorId', 'at'])
    .select(({ fn }) => ['sensorId', 'at', fn.sum<number>('sum').as('sum'), fn.sum<number>('count').as('count')])
    .$castTo<SensorSum>();

const perSource = <T>(make: (source: SumSource) => T): Readonly<Record<SumSource, T>> => ({
  readings: make('readings'),
  reading_hours: make('reading_hours'),
  reading_days: make('reading_days'),
});

const querySums = perSource((source) =>
  preparedListQuery((db, sensorIds, start: number, end: number) =>
    sumsInSegment(db, { source, start, end }, sensorIds, null),
  ),
);

const queryBucketedSums = perSource((source) =>
  preparedListQuery((db, sensorIds, start: number, end: number, intervalMs: number) =>
    groupedByBucket(db, sumsInSegment(db, { source, start, end }, sensorIds, intervalMs)),
  ),
);

/**
 * The readings of a period as sums that fit into buckets of an interval (null: the readings themselves). Whole hours and
 * days come as their stored sums, so the cost depends on the size of the answer and not on the number of readings.
 */
export async function readingSums(
  db: CompanyDb,
  sensorIds: readonly number[],
  period: Period,
  intervalMs: number | null,
): Promise<ColumnarSums> {
  const segments = sensorIds.length === 0 ? [] : periodSegments(period, bucketsDividing(intervalMs));
  const sums: SensorSum[][] = [];
  for (const { source, start, end } of segments)
    sums.push(
      intervalMs === null || BUCKET_MS[source] === intervalMs
        ? await querySums[source](db, sensorIds, start, end)
        : await queryBucketedSums[source](db, sensorIds, start, end, intervalMs),
    );
  return columnarSums(sums.flat(), sensorIds);
}

/**
 * Starts of the buckets (null: the instants) in which any of the sensors has a reading, unordered, at most `limit`. `first`
 * and `last` are instants of readings; the whole hours and days that contain them are counted too.
 */
export async function bucketStartsWithReadings(
  db: CompanyDb,
  sensorIds: readonly number[],
  { first, last }: { readonly first: number; readonly last: number },
  intervalMs: number | null,
  limit: number,
): Promise<number[]> {
  const source = bucketsDividing(intervalMs)[0] ?? 'readings';
  const lengthMs = BUCKET_MS[source] ?? 1;
  const start = Math.floor(first / lengthMs) * lengthMs;
  const rows = await db
    .selectFrom(sumsInSegment(db, { source, start, end: last + 1 }, sensorIds, intervalMs).as('sums'))
    .select('at as start')
    .distinct()
    .limit(limit)
    .execute();
  return rows.map((row) => row.start);
}
