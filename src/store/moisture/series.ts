import { sql } from 'kysely';
import type { ColumnarSums } from '../../domain/moisture/bucket-means.ts';
import type { CurveSettings } from '../../domain/moisture/summary-curve.ts';
import type { Period } from '../../domain/periods.ts';
import { preparedListQuery, preparedQuery } from '../prepared-query.ts';
import type { CompanyDb } from '../tables.ts';
import { columnarSums, type SensorSum, type SumQuery, type SumRow, sumRowsQuery } from './columnar-sums.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const curveSettingsRow = preparedQuery((db, moduleId: number) =>
  db.selectFrom('modules').select(['root_depth_cm', 'depth_weights']).where('id', '=', moduleId),
);

/** What the summary curve of a module follows beyond its sensors. */
export async function curveSettings(db: CompanyDb, moduleId: number): Promise<CurveSettings> {
  const [row] = await curveSettingsRow(db, moduleId);
  return {
    rootDepthCm: row?.root_depth_cm ?? null,
    depthWeights: row?.depth_weights == null ? null : JSON.parse(row.depth_weights),
  };
}

/** Where a stretch of time is read from: readings, or the sums of whole hours or days of them. */
type SumSource = 'readings' | 'reading_hours' | 'reading_days';

interface Segment extends Period {
  readonly source: SumSource;
}

const BUCKET_MS: Readonly<Record<SumSource, number | null>> = {
  readings: null,
  reading_hours: HOUR_MS,
  reading_days: DAY_MS,
};

/** Sums that an interval may take, the coarsest first: those whose length it is a multiple of. */
const bucketsDividing = (intervalMs: number | null): ('reading_hours' | 'reading_days')[] =>
  intervalMs === null || intervalMs % HOUR_MS !== 0
    ? []
    : intervalMs % DAY_MS === 0
      ? ['reading_days', 'reading_hours']
      : ['reading_hours'];

/** Readings of a month and more are read piece by piece, in so many at most: a call that is cancelled reads no further. */
const SEGMENT_MS = 30 * DAY_MS;
const MAX_SEGMENTS = 32;

/** A period of readings in pieces, cut between days. */
function readingSegments({ start, end }: Period): Segment[] {
  const lengthMs = Math.max(SEGMENT_MS, Math.ceil((end - start) / MAX_SEGMENTS / DAY_MS) * DAY_MS);
  const pieces: Segment[] = [];
  for (let from = start; from < end; ) {
    const to = Math.min(end, Math.floor(from / DAY_MS) * DAY_MS + lengthMs);
    pieces.push({ source: 'readings', start: from, end: to });
    from = to;
  }
  return pieces;
}

/** A period cut into whole days and hours, as far as these sums are given, and the readings left at its ends. */
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

/** The start of the bucket that a column's instant lies in, also before 1970, where a remainder is negative. */
function bucketStartSql(column: 'at' | 'bucket_at', intervalMs: number | null) {
  const at = sql.ref<number>(column);
  return intervalMs === null ? at : sql<number>`${at} - (${at} % ${intervalMs} + ${intervalMs}) % ${intervalMs}`;
}

/** What stands in a piece of time, alike for every source: a reading is a sum of one. `at` is the start of its bucket. */
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
      .select([
        'sensor_id as sensorId',
        bucketStartSql('at', intervalMs).as('at'),
        'value as sum',
        sql.lit(1).as('count'),
      ])
      .$castTo<SensorSum>();
  return db
    .selectFrom(source as 'reading_hours')
    .where('sensor_id', 'in', sensorIds)
    .where('bucket_at', '>=', start)
    .where('bucket_at', '<', end)
    .select(['sensor_id as sensorId', bucketStartSql('bucket_at', intervalMs).as('at'), 'sum', 'count'])
    .$castTo<SensorSum>();
}

/** Sums added up where their buckets are the same. */
const groupedByBucket = (db: CompanyDb, sums: SumQuery): SumQuery =>
  db
    .selectFrom(sums.as('standing'))
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
    sumRowsQuery(db, sumsInSegment(db, { source, start, end }, sensorIds, null)),
  ),
);

const queryBucketedSums = perSource((source) =>
  preparedListQuery((db, sensorIds, start: number, end: number, intervalMs: number) =>
    sumRowsQuery(db, groupedByBucket(db, sumsInSegment(db, { source, start, end }, sensorIds, intervalMs))),
  ),
);

/**
 * What the sensors sent in a period, fit for buckets of an interval (null: for raw instants): whole hours and days as
 * their sums, so that the cost follows the answer and not the readings behind it. `sensor` is the place in `sensorIds`.
 */
export async function readingSums(
  db: CompanyDb,
  sensorIds: readonly number[],
  period: Period,
  intervalMs: number | null,
): Promise<ColumnarSums> {
  const pieces = sensorIds.length === 0 ? [] : periodSegments(period, bucketsDividing(intervalMs));
  const found: SumRow[][] = [];
  for (const { source, start, end } of pieces)
    found.push(
      intervalMs === null || BUCKET_MS[source] === intervalMs
        ? await querySums[source](db, sensorIds, start, end)
        : await queryBucketedSums[source](db, sensorIds, start, end, intervalMs),
    );
  return columnarSums(db, found, sensorIds);
}

/**
 * Starts of the buckets (null: the instants) in which any of the sensors has a reading, in no order and at most `atMost`
 * of them. From `first` to `last`, both of which are instants of readings: the hours and days that they lie in count too.
 */
export async function bucketStartsWithReadings(
  db: CompanyDb,
  sensorIds: readonly number[],
  { first, last }: { readonly first: number; readonly last: number },
  intervalMs: number | null,
  atMost: number,
): Promise<number[]> {
  const source = bucketsDividing(intervalMs)[0] ?? 'readings';
  const lengthMs = BUCKET_MS[source] ?? 1;
  const start = Math.floor(first / lengthMs) * lengthMs;
  const rows = await db
    .selectFrom(sumsInSegment(db, { source, start, end: last + 1 }, sensorIds, intervalMs).as('standing'))
    .select('at as start')
    .distinct()
    .limit(atMost)
    .execute();
  return rows.map(({ start: each }) => each);
}
