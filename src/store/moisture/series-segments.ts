import { hasLocalDayPoints, pointStart } from '../../domain/moisture/series-points.ts';
import { DAY_MS, HOUR_MS, type Period } from '../../domain/periods.ts';
import { offsetSpans } from '../../domain/time-zone.ts';

type BucketSource = 'reading_hours' | 'reading_days';

export type SumSource = 'readings' | BucketSource;

/** A period that is read from one table. */
export interface Segment extends Period {
  readonly source: SumSource;
  /**
   * For daily sums: the time of the UTC day, in ms, at which a local day ends and the next one
   * begins.
   */
  readonly splitMs?: number;
}

export const BUCKET_MS: Readonly<Record<BucketSource, number>> = {
  reading_hours: HOUR_MS,
  reading_days: DAY_MS,
};

/** The stored sums of which an interval has a whole number, longest first. */
function bucketsDividing(intervalMs: number | null): BucketSource[] {
  if (intervalMs === null || intervalMs % HOUR_MS !== 0) return [];
  return intervalMs % DAY_MS === 0 ? ['reading_days', 'reading_hours'] : ['reading_hours'];
}

/**
 * Splits a period into what the given stored sums cover, longest first, and readings at its ends.
 */
function periodSegments(period: Period, [coarsest, ...finer]: readonly BucketSource[]): Segment[] {
  if (period.start >= period.end) return [];
  if (coarsest === undefined) return [{ source: 'readings', ...period }];

  const lengthMs = BUCKET_MS[coarsest];
  const start = Math.ceil(period.start / lengthMs) * lengthMs;
  const end = Math.floor(period.end / lengthMs) * lengthMs;
  if (start >= end) return periodSegments(period, finer);

  return [
    ...periodSegments({ start: period.start, end: start }, finer),
    { source: coarsest, start, end },
    ...periodSegments({ start: end, end: period.end }, finer),
  ];
}

/** A period whose buckets have one length and one offset from UTC. */
interface BucketSpan extends Period {
  /** Null for single readings. */
  readonly bucketMs: number | null;
  readonly offsetMs: number;
  /** For whole UTC days: the time of day, in ms, at which a local day ends in each of them. */
  readonly splitMs?: number;
}

/**
 * Divides a period into spans whose buckets SQL can compute. A local point with a clock change lies
 * in two of them.
 */
export function bucketSpans(
  period: Period,
  intervalMs: number | null,
  zone: string | null,
): BucketSpan[] {
  if (intervalMs === null || zone === null)
    return [{ ...period, bucketMs: intervalMs, offsetMs: 0 }];
  return hasLocalDayPoints(intervalMs, zone)
    ? localDaySpans(period, zone)
    : offsetSpans(period, zone).map((span) => ({ ...span, bucketMs: intervalMs }));
}

/**
 * UTC days in which a local day ends at the same time of day are one span, for which daily sums can
 * be split. What is between such spans has spans without daily sums.
 */
function localDaySpans(period: Period, zone: string): BucketSpan[] {
  const spans: BucketSpan[] = [];
  let from = period.start;

  const addUpTo = (end: number): void => {
    for (const span of offsetSpans({ start: from, end }, zone))
      spans.push({ ...span, bucketMs: DAY_MS });
    from = end;
  };

  for (const { start, end, offsetMs } of offsetSpans(period, zone)) {
    const splitMs = positiveModulo(-offsetMs, DAY_MS);
    const changeDay = Math.floor(start / DAY_MS) * DAY_MS;
    // The day of the clock change can be split too, unless a local day ends in it at another time.
    const includesChangeDay =
      changeDay >= from && endsLocalDayOnlyAt(splitMs, changeDay, start, zone);
    const firstDay = includesChangeDay ? changeDay : Math.ceil(start / DAY_MS) * DAY_MS;
    const endDay = Math.floor(end / DAY_MS) * DAY_MS;
    if (firstDay >= endDay) continue;

    addUpTo(firstDay);
    spans.push({ start: firstDay, end: endDay, bucketMs: DAY_MS, offsetMs, splitMs });
    from = endDay;
  }

  addUpTo(period.end);
  return spans;
}

/**
 * The only local day that ends within the UTC day `day` ends at `splitMs`, so that the sum of the
 * day can be split there. The clocks change at `changeAt` within it, and before the change a local
 * day may end at another time.
 */
function endsLocalDayOnlyAt(splitMs: number, day: number, changeAt: number, zone: string): boolean {
  const lastStart = pointStart(day + DAY_MS - 1, DAY_MS, zone);
  return (
    pointStart(changeAt - 1, DAY_MS, zone) <= day &&
    (splitMs === 0 ? lastStart <= day : lastStart === day + splitMs)
  );
}

/** The stored sums whose buckets lie within those of the span, longest first. */
export const sourcesFor = ({
  bucketMs,
  offsetMs,
}: Pick<BucketSpan, 'bucketMs' | 'offsetMs'>): BucketSource[] =>
  bucketsDividing(bucketMs).filter((source) => offsetMs % BUCKET_MS[source] === 0);

const positiveModulo = (value: number, divisor: number): number =>
  ((value % divisor) + divisor) % divisor;

/** Where local days end at midnight UTC (`splitMs` is 0), daily sums need no split. */
export const spanSegments = ({ start, end, splitMs, ...span }: BucketSpan): Segment[] =>
  splitMs
    ? [{ source: 'reading_days', start, end, splitMs }]
    : periodSegments({ start, end }, sourcesFor(span));

export interface SplitDayPart {
  readonly source: 'readings' | 'reading_hours';
  readonly from: number;
  readonly to: number;
}

/**
 * What to read for the part of a UTC day from `from` to `to`, in ms of the day: hourly sums, and
 * single readings of an hour in which a local day ends.
 */
export function dayParts(from: number, to: number): SplitDayPart[] {
  const firstHour = Math.ceil(from / HOUR_MS) * HOUR_MS;
  const lastHour = Math.floor(to / HOUR_MS) * HOUR_MS;
  const parts: SplitDayPart[] = [
    { source: 'readings', from, to: firstHour },
    { source: 'reading_hours', from: firstHour, to: lastHour },
    { source: 'readings', from: lastHour, to },
  ];
  return parts.filter((part) => part.from < part.to);
}

/**
 * The rows that are read for a split day: the daily sum, the hourly sums of the shorter part, and
 * about four readings if a local day ends within an hour.
 */
export const rowsPerSplitDay = (splitMs: number): number =>
  1 + Math.ceil(Math.min(splitMs, DAY_MS - splitMs) / HOUR_MS) + (splitMs % HOUR_MS === 0 ? 0 : 4);
