import { entryOf } from '../../domain/items.ts';
import type { ColumnarSums } from '../../domain/moisture/bucket-means.ts';
import { pointStart } from '../../domain/moisture/series-points.ts';
import type { Period } from '../../domain/periods.ts';
import type { CompanyDb } from '../tables.ts';
import {
  BUCKET_MS,
  bucketSpans,
  type Segment,
  sourcesFor,
  spanSegments,
} from './series-segments.ts';
import { shortSegments } from './short-segments.ts';
import { splitDaySums } from './split-days.ts';
import { queryBucketedSums, queryBucketStarts, querySums, type SensorSum } from './sum-queries.ts';

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
        // If the clocks change within a local point, its start at the offset of this span may lie
        // before the span.
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

/** The rows of a sensor that the first statement reads at least. */
const MIN_FIRST_ROWS = 16;

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
    const firstRows = Math.max(MIN_FIRST_ROWS, limit);
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
