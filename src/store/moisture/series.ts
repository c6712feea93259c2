import { entryOf } from '../../domain/items.ts';
import type { ColumnarSums } from '../../domain/moisture/bucket-means.ts';
import {
  type CalibratedSensor,
  calibrated,
  calibrationStarts,
  type Line,
  lineAt,
} from '../../domain/moisture/calibration.ts';
import { hasLocalDayPoints, pointEnd, pointStart } from '../../domain/moisture/series-points.ts';
import { DAY_MS, type Period } from '../../domain/periods.ts';
import { hasLocalDays } from '../company/local-day-zone.ts';
import { adapterOf } from '../store-adapter.ts';
import type { CompanyDb } from '../tables.ts';
import { onlyHoursBefore } from './reading-retention.ts';
import {
  BUCKET_MS,
  type BucketSpan,
  bucketSpans,
  type Segment,
  spanSegments,
  wholeBuckets,
  withHoursBefore,
} from './series-segments.ts';
import { MAX_ROWS_READ, shortSegments } from './short-segments.ts';
import {
  queryBucketedSums,
  queryBucketStarts,
  queryFewReadings,
  querySums,
  type SensorSum,
} from './sum-queries.ts';

/**
 * The readings of a period as sums that fit into points of an interval (null for single readings)
 * in the local time of a zone (null for UTC). Stored sums are read for whole hours and days, so the
 * cost depends on the size of the answer and not on the number of readings. They are stored as they
 * were read, and calibrated here. Where only hours are left, they stand for the readings that they
 * sum, at the instant at which they begin.
 */
export async function readingSums(
  db: CompanyDb,
  sensors: readonly CalibratedSensor[],
  period: Period,
  intervalMs: number | null,
  zone: string | null = null,
): Promise<ColumnarSums> {
  const sensorIds = sensors.map(({ id }) => id);
  const sums: Record<'sensor' | 'at' | 'sum' | 'count', number[]> = {
    sensor: [],
    at: [],
    sum: [],
    count: [],
  };

  const indexById = new Map(sensorIds.map((id, index) => [id, index]));
  const spans: BucketSpan[] = [];
  for (const part of partsBetween(period, calibrationStarts(sensors, period)))
    spans.push(...(await storedSpans(db, part, intervalMs, zone)));
  // Stored local days need no look-up of the start of their point.
  const areOfBuckets = intervalMs === DAY_MS && spans.some(({ isOfLocalDays }) => isOfLocalDays);
  for (const span of spans) {
    const isPartOfDay = areOfBuckets && !span.isOfLocalDays;
    const lines = calibrationLines(sensors, span.start);
    for await (const rows of sumsOfSpan(db, sensorIds, span)) {
      for (const row of rows) {
        // If the clocks change within a local point, its start at the offset of this span may lie
        // before the span.
        const at = Math.max(row.at, span.start);
        sums.sensor.push(entryOf(indexById, row.sensorId));
        sums.at.push(isPartOfDay ? pointStart(at, DAY_MS, zone) : at);
        const line = lines?.get(row.sensorId);
        sums.sum.push(line === undefined ? row.sum : calibrated(line, row.sum, row.count));
        sums.count.push(row.count);
      }
    }
  }

  return { ...sums, length: sums.at.length, areOfBuckets };
}

/** The parts of a period between these instants, which lie in it and ascend. */
const partsBetween = ({ start, end }: Period, instants: readonly number[]): Period[] =>
  [start, ...instants].map((from, index) => ({ start: from, end: instants[index] ?? end }));

/** The lines of calibrated sensors by their ids; null if there are none. */
function calibrationLines(
  sensors: readonly CalibratedSensor[],
  at: number,
): ReadonlyMap<number, Line> | null {
  const withLine = sensors.filter(({ calibration }) => calibration.length > 0);
  if (withLine.length === 0) return null;
  return new Map(withLine.map(({ id, calibration }) => [id, lineAt(calibration, at)]));
}

async function storedSpans(
  db: CompanyDb,
  period: Period,
  intervalMs: number | null,
  zone: string | null,
): Promise<BucketSpan[]> {
  const isOfDays = intervalMs !== null && hasLocalDayPoints(intervalMs, zone);
  return bucketSpans(period, intervalMs, zone, isOfDays && (await hasLocalDays(db, zone)));
}

async function* sumsOfSpan(
  db: CompanyDb,
  sensorIds: readonly number[],
  span: BucketSpan,
): AsyncGenerator<readonly SensorSum[]> {
  const few = await fewReadings(db, sensorIds, span);
  if (few !== null) {
    yield few;
    return;
  }

  const segments = withHoursBefore(spanSegments(span), await onlyHoursBefore(db));
  for await (const segment of shortSegments(db, sensorIds, segments))
    yield await segmentSums(db, sensorIds, segment, span);
}

const SHORT_PERIOD_MS = 2 * DAY_MS;

/**
 * Single readings of a short period are mostly few enough for one statement. Null if they are not,
 * and for other sums.
 */
async function fewReadings(
  db: CompanyDb,
  sensorIds: readonly number[],
  { start, end, bucketMs }: BucketSpan,
): Promise<SensorSum[] | null> {
  if (bucketMs !== null || end - start > SHORT_PERIOD_MS || sensorIds.length === 0) return null;
  if (start < ((await onlyHoursBefore(db)) ?? start)) return null;
  const limit = MAX_ROWS_READ[adapterOf(db).dialect];
  const readings = await queryFewReadings(db, sensorIds, start, end, limit + 1);
  return readings.length > limit ? null : readings;
}

function segmentSums(
  db: CompanyDb,
  sensorIds: readonly number[],
  { source, start, end }: Segment,
  { bucketMs, offsetMs }: Pick<BucketSpan, 'bucketMs' | 'offsetMs'>,
): Promise<SensorSum[]> {
  return bucketMs === null || (source !== 'readings' && BUCKET_MS[source] === bucketMs)
    ? querySums[source](db, sensorIds, start, end)
    : queryBucketedSums[source](db, sensorIds, start, end, bucketMs, offsetMs);
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

  const period =
    intervalMs !== null && hasLocalDayPoints(intervalMs, zone)
      ? { start: pointStart(first, DAY_MS, zone), end: pointEnd(last, DAY_MS, zone) }
      : { start: first, end: last + 1 };

  for (const span of await storedSpans(db, period, intervalMs, zone)) {
    const firstRows = Math.max(MIN_FIRST_ROWS, limit);
    const whole = withHoursBefore([wholeBuckets(span)], await onlyHoursBefore(db));
    const segments = shortSegments(db, sensorIds, whole, firstRows);

    for await (const { source, start, end } of segments) {
      const queryStarts = queryBucketStarts[source];
      const bucketMs = span.isOfLocalDays ? 1 : (span.bucketMs ?? 1);
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
