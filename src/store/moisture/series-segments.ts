import { hasLocalDayPoints, pointEnd, pointStart } from '../../domain/moisture/series-points.ts';
import { bucketStart, DAY_MS, HOUR_MS, type Period } from '../../domain/periods.ts';
import { offsetSpans } from '../../domain/time-zone.ts';

type UtcSource = 'reading_hours' | 'reading_days';

export type SumSource = 'readings' | UtcSource | 'reading_local_days';

/** A period that is read from one table. */
export interface Segment extends Period {
  readonly source: SumSource;
}

/** A local day may be an hour longer or shorter. */
export const BUCKET_MS: Readonly<Record<SumSource, number>> = {
  readings: 1,
  reading_hours: HOUR_MS,
  reading_days: DAY_MS,
  reading_local_days: DAY_MS,
};

/** The stored sums of which an interval has a whole number, longest first. */
function bucketsDividing(intervalMs: number | null): UtcSource[] {
  if (intervalMs === null || intervalMs % HOUR_MS !== 0) return [];
  return intervalMs % DAY_MS === 0 ? ['reading_days', 'reading_hours'] : ['reading_hours'];
}

/**
 * Splits a period into what these stored sums cover, longest first, and readings at its ends.
 */
function periodSegments(period: Period, [coarsest, ...finer]: readonly UtcSource[]): Segment[] {
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

/** A period whose buckets have one length and one offset from UTC, or are stored local days. */
export interface BucketSpan extends Period {
  /** Null for single readings. */
  readonly bucketMs: number | null;
  readonly offsetMs: number;
  readonly isOfLocalDays: boolean;
}

/**
 * Divides a period into spans whose buckets SQL can compute. A local point with a clock change lies
 * in two of them. `hasLocalDays`: the local days of the zone are stored.
 */
export function bucketSpans(
  { start, end }: Period,
  intervalMs: number | null,
  zone: string | null,
  hasLocalDays: boolean,
): BucketSpan[] {
  if (intervalMs === null || zone === null)
    return [{ start, end, bucketMs: intervalMs, offsetMs: 0, isOfLocalDays: false }];

  // Longer intervals of days are added up from days, of which some have 23 or 25 hours.
  const isOfDays = hasLocalDayPoints(intervalMs, zone);
  const bucketMs = isOfDays ? DAY_MS : intervalMs;
  const spansOf = (period: Period): BucketSpan[] =>
    offsetSpans(period, zone).map((span) => ({ ...span, bucketMs, isOfLocalDays: false }));
  if (!isOfDays || !hasLocalDays) return spansOf({ start, end });

  const days = wholeDays({ start, end }, zone);
  if (days.start >= days.end) return spansOf({ start, end });
  return [
    ...spansOf({ start, end: days.start }),
    { ...days, bucketMs, offsetMs: 0, isOfLocalDays: true },
    ...spansOf({ start: days.end, end }),
  ];
}

const wholeDays = ({ start, end }: Period, zone: string): Period => ({
  // The end of the day that contains the instant before.
  start: pointEnd(start - 1, DAY_MS, zone),
  end: pointStart(end, DAY_MS, zone),
});

/** The stored sums whose buckets lie within those of the span, longest first. */
const sourcesFor = ({ bucketMs, offsetMs }: BucketSpan): UtcSource[] =>
  bucketsDividing(bucketMs).filter((source) => offsetMs % BUCKET_MS[source] === 0);

export const spanSegments = (span: BucketSpan): Segment[] => {
  const { start, end, isOfLocalDays } = span;
  return isOfLocalDays
    ? [{ source: 'reading_local_days', start, end }]
    : periodSegments({ start, end }, sourcesFor(span));
};

/** Hours in place of single readings before an instant; null: all are kept. */
export const withHoursBefore = (
  segments: readonly Segment[],
  before: number | null,
): readonly Segment[] =>
  before === null
    ? segments
    : segments.flatMap((segment) => {
        const { source, start, end } = segment;
        if (source !== 'readings' || start >= before) return segment;
        const hours: Segment = { source: 'reading_hours', start, end: Math.min(end, before) };
        return end <= before ? hours : [hours, { source, start: before, end }];
      });

/** The span with the whole buckets at its ends, from the longest stored sums. */
export function wholeBuckets(span: BucketSpan): Segment {
  if (span.isOfLocalDays) return { source: 'reading_local_days', start: span.start, end: span.end };
  const source = sourcesFor(span)[0] ?? 'readings';
  return { source, start: bucketStart(span.start, BUCKET_MS[source]), end: span.end };
}
