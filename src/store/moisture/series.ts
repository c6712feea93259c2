import { type AliasableExpression, type Compilable, type RawBuilder, sql } from 'kysely';
import { entryOf } from '../../domain/items.ts';
import type { ColumnarSums } from '../../domain/moisture/bucket-means.ts';
import { pointStart } from '../../domain/moisture/series-points.ts';
import { DAY_MS, type Period } from '../../domain/periods.ts';
import { preparedListQuery } from '../queries/prepared-query.ts';
import { adapterOf } from '../store-adapter.ts';
import type { CompanyDb } from '../tables.ts';
import {
  BUCKET_MS,
  bucketSpans,
  dayParts,
  rowsPerSplitDay,
  type Segment,
  type SplitDayPart,
  type SumSource,
  sourcesFor,
  spanSegments,
} from './series-segments.ts';

/** A reading, or the total and count of several. */
interface SensorSum {
  readonly sensorId: number;
  readonly at: number;
  readonly sum: number;
  readonly count: number;
}

/**
 * The start of the bucket that contains a column's instant, aligned to 1970 at an offset from UTC
 * (in ms, east positive). The second remainder is for instants before 1970, whose first remainder
 * is negative.
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

const startSql = (
  column: 'at' | 'bucket_at',
  intervalMs: number | null,
  offsetMs: number | undefined,
) => (intervalMs === null ? sql.ref<number>(column) : bucketStartSql(column, intervalMs, offsetMs));

// Kysely cannot infer columns from a union of tables: a table's name in the casts represents any of
// them.

function sumsInSegment(
  db: CompanyDb,
  { source, start, end }: Segment,
  sensorIds: readonly number[],
  intervalMs: number | null,
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
        startSql('at', intervalMs, offsetMs).as('at'),
        'value as sum',
        sql.lit(1).as('count'),
      ])
      .$castTo<SensorSum>();

  return db
    .selectFrom(source as 'reading_hours')
    .where('sensor_id', 'in', sensorIds)
    .where('bucket_at', '>=', start)
    .where('bucket_at', '<', end)
    .select([
      'sensor_id as sensorId',
      startSql('bucket_at', intervalMs, offsetMs).as('at'),
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

const queryBucketStarts = perSource((source) =>
  preparedListQuery(
    (db, sensorIds, start: number, end: number, intervalMs: number, offsetMs: number) =>
      db
        .selectFrom(
          sumsInSegment(db, { source, start, end }, sensorIds, intervalMs, offsetMs).as('sums'),
        )
        .select('at as start')
        .distinct(),
  ),
);

const queryBucketedSums = perSource((source) =>
  preparedListQuery(
    (db, sensorIds, start: number, end: number, intervalMs: number, offsetMs: number) =>
      groupedByBucket(
        db,
        sumsInSegment(db, { source, start, end }, sensorIds, intervalMs, offsetMs),
      ),
  ),
);

/**
 * One subquery per day, because PostgreSQL may plan a join that compares each hour with each day of
 * a sensor.
 */
function dayPartSums(source: SplitDayPart['source']) {
  const day = sql.ref<number>('reading_days.bucket_at');
  return preparedListQuery((db, sensorIds, start: number, end: number, from: number, to: number) =>
    db
      .selectFrom('reading_days')
      .where('sensor_id', 'in', sensorIds)
      .where(day, '>=', start)
      .where(day, '<', end)
      .select((each) => {
        const part = each
          .selectFrom(source as 'reading_hours')
          .whereRef(`${source as 'reading_hours'}.sensor_id`, '=', 'reading_days.sensor_id');
        const [at, sum, count] =
          source === 'readings'
            ? [sql.ref<number>('readings.at'), sql.ref<number>('readings.value'), sql.lit(1)]
            : [
                sql.ref<number>('reading_hours.bucket_at'),
                sql.ref<number>('reading_hours.sum'),
                sql.ref<number>('reading_hours.count'),
              ];

        const within = part
          .where(at, '>=', sql<number>`${day} + ${from}`)
          .where(at, '<', sql<number>`${day} + ${to}`);

        return [
          'reading_days.sensor_id as sensorId',
          'reading_days.bucket_at as at',
          within.select(({ fn }) => fn.sum<number | null>(sum).as('sum')).as('sum'),
          within.select(({ fn }) => fn.sum<number | null>(count).as('count')).as('count'),
        ];
      }),
  );
}

const queryDayPartSums = {
  readings: dayPartSums('readings'),
  reading_hours: dayPartSums('reading_hours'),
};

/**
 * Reads the shorter of the two parts of each day; the other one is what remains of the daily sum.
 */
async function splitDaySums(
  db: CompanyDb,
  sensorIds: readonly number[],
  { start, end }: Period,
  splitMs: number,
): Promise<SensorSum[]> {
  const isEarlyPartShorter = splitMs <= DAY_MS / 2;
  const [from, to] = isEarlyPartShorter ? [0, splitMs] : [splitMs, DAY_MS];
  const keyOf = ({ sensorId, at }: Pick<SensorSum, 'sensorId' | 'at'>): string =>
    `${sensorId} ${at}`;

  const days = await querySums.reading_days(db, sensorIds, start, end);
  const remaining = new Map(days.map((day) => [keyOf(day), { ...day }]));

  const sums: SensorSum[] = [];
  for (const part of dayParts(from, to)) {
    const queryPart = queryDayPartSums[part.source];
    const rows = await queryPart(db, sensorIds, start, end, part.from, part.to);

    for (const row of rows) {
      const { sensorId, at, sum, count } = row;
      if (sum === null || count === null) continue;
      const remainder = entryOf(remaining, keyOf(row));
      remainder.sum -= sum;
      remainder.count -= count;
      sums.push({ sensorId, at: at + part.from, sum, count });
    }
  }

  for (const remainder of remaining.values())
    if (remainder.count > 0)
      sums.push({ ...remainder, at: remainder.at + (isEarlyPartShorter ? splitMs : 0) });

  return sums;
}

/** For each sensor, where its rows after the next `count` begin; null if it has no more. */
const queryNextAfter = perSource((source) => {
  const at = (source === 'readings' ? 'at' : 'bucket_at') as 'at';
  return preparedListQuery((db, sensorIds, start: number, end: number, count: number) =>
    db
      .selectFrom('sensors')
      .where('id', 'in', sensorIds)
      .select((sensor) =>
        sensor
          .selectFrom(source as 'readings')
          .whereRef(`${source as 'readings'}.sensor_id`, '=', 'sensors.id')
          .where(at, '>=', start)
          .where(at, '<', end)
          .select(at)
          .orderBy(at)
          .limit(1)
          .offset(count)
          .as('next'),
      ),
  );
});

/**
 * Per statement. SQLite blocks the event loop while it runs, PostgreSQL only while its result is
 * parsed.
 */
const MAX_ROWS_READ = { sqlite: 5_000, postgres: 10_000 } as const;

const MIN_ROWS_COUNTED = 16;

/**
 * Segments in the order of time, each short enough for one statement. A caller that may stop early
 * sets `firstRows`.
 */
async function* shortSegments(
  db: CompanyDb,
  sensorIds: readonly number[],
  segments: readonly Segment[],
  firstRows = Number.POSITIVE_INFINITY,
): AsyncGenerator<Segment> {
  if (sensorIds.length === 0) return;

  const maxRows = Math.max(1, Math.floor(MAX_ROWS_READ[adapterOf(db).dialect] / sensorIds.length));
  let rows = Math.min(maxRows, firstRows);

  for (const { source, start, end, splitMs } of segments)
    for (let from = start; from < end; ) {
      const count = splitMs === undefined ? rows : Math.ceil(rows / rowsPerSplitDay(splitMs));
      const isShort = source !== 'readings' && (end - from) / BUCKET_MS[source] <= count;
      const after = isShort ? [] : await queryNextAfter[source](db, sensorIds, from, end, count);
      const to = Math.min(end, ...after.flatMap(({ next }) => next ?? []));
      const segment = { source, start: from, end: to };
      yield splitMs === undefined ? segment : { ...segment, splitMs };

      from = to;
      rows = Math.min(maxRows, rows * 4);
    }
}

/**
 * The readings of a period as sums that fit into points of an interval (null for single readings)
 * in the local time of a zone (null for UTC). Stored sums are read for whole hours and days, so the
 * cost depends on the size of the answer and not on the number of readings.
 */
export async function readingSums(
  db: CompanyDb,
  sensorIds: readonly number[],
  period: Period,
  intervalMs: number | null,
  zone: string | null = null,
): Promise<ColumnarSums> {
  const sums: Record<'sensor' | 'at' | 'sum' | 'count', number[]> = {
    sensor: [],
    at: [],
    sum: [],
    count: [],
  };

  const indexById = new Map(sensorIds.map((id, index) => [id, index]));
  for (const span of bucketSpans(period, intervalMs, zone)) {
    for await (const segment of shortSegments(db, sensorIds, spanSegments(span))) {
      const rows = await segmentSums(db, sensorIds, segment, span);
      for (const row of rows) {
        sums.sensor.push(entryOf(indexById, row.sensorId));
        // If the clocks change within a local point, its start by the offset of this span may lie
        // in another span.
        sums.at.push(Math.max(row.at, span.start));
        sums.sum.push(row.sum);
        sums.count.push(row.count);
      }
    }
  }

  return { ...sums, length: sums.at.length };
}

function segmentSums(
  db: CompanyDb,
  sensorIds: readonly number[],
  { source, start, end, splitMs }: Segment,
  { bucketMs, offsetMs }: { readonly bucketMs: number | null; readonly offsetMs: number },
): Promise<SensorSum[]> {
  if (splitMs !== undefined) return splitDaySums(db, sensorIds, { start, end }, splitMs);
  if (bucketMs === null || (source !== 'readings' && BUCKET_MS[source] === bucketMs))
    return querySums[source](db, sensorIds, start, end);
  return queryBucketedSums[source](db, sensorIds, start, end, bucketMs, offsetMs);
}

/**
 * The earliest starts of points in which any of the sensors has a reading, at most `limit`;
 * interval and zone are those of `readingSums`. `first` and `last` are instants of readings; the
 * whole hours and days that contain them are included.
 */
export async function bucketStartsWithReadings(
  db: CompanyDb,
  sensorIds: readonly number[],
  { first, last }: { readonly first: number; readonly last: number },
  intervalMs: number | null,
  limit: number,
  zone: string | null = null,
): Promise<number[]> {
  const starts = new Set<number>();
  const earliestStarts = () => [...starts].sort((a, b) => a - b).slice(0, limit);

  for (const span of bucketSpans({ start: first, end: last + 1 }, intervalMs, zone)) {
    const source = sourcesFor(span)[0] ?? 'readings';
    const lengthMs = source === 'readings' ? 1 : BUCKET_MS[source];
    const wholeBuckets: Segment = {
      source,
      start: Math.floor(span.start / lengthMs) * lengthMs,
      end: span.end,
    };
    const firstRows = Math.max(MIN_ROWS_COUNTED, limit);
    const segments = shortSegments(db, sensorIds, [wholeBuckets], firstRows);

    for await (const { start, end } of segments) {
      const queryStarts = queryBucketStarts[source];
      const bucketMs = span.bucketMs ?? 1;
      const rows = await queryStarts(db, sensorIds, start, end, bucketMs, span.offsetMs);
      for (const row of rows)
        starts.add(
          intervalMs === null
            ? row.start
            : pointStart(Math.max(row.start, span.start), intervalMs, zone),
        );

      if (starts.size >= limit) return earliestStarts();
    }
  }

  return earliestStarts();
}
