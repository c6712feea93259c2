import { firstOf, itemAt } from '../items.ts';
import { HOUR_MS, type Period } from '../periods.ts';

/** Statistics of the readings of a span of time that begins at `at`. */
export interface ReadingSpan {
  readonly at: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
}

export interface DayOfReadings {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
}

/** A longer gap may hide the lowest temperature of dawn or the highest of the afternoon. */
const MAX_GAP_MS = 4 * HOUR_MS;

/** The spans in each period. Both lists are oldest first, so that each span is read once. */
export function spansInPeriods<Span extends ReadingSpan>(
  spans: readonly Span[],
  periods: readonly Period[],
): Span[][] {
  let next = 0;
  const spansBefore = (end: number): Span[] => {
    const first = next;
    while (next < spans.length && itemAt(spans, next).at < end) next++;
    return spans.slice(first, next);
  };
  return periods.map(({ start, end }) => {
    spansBefore(start);
    return spansBefore(end);
  });
}

/**
 * Null unless the spans, oldest first, cover the whole day. The mean weights each by the time until
 * the next one.
 */
export function dayOfReadings(spans: readonly ReadingSpan[], day: Period): DayOfReadings | null {
  const within = spans.filter(({ at }) => at >= day.start && at < day.end);
  const starts = [...within.map(({ at }) => at), day.end];
  const first = firstOf(starts);
  const lengths = within.map((_, index) => itemAt(starts, index + 1) - itemAt(starts, index));
  if (within.length === 0 || [first - day.start, ...lengths].some((gap) => gap > MAX_GAP_MS))
    return null;

  const totalMs = day.end - first;
  return {
    min: Math.min(...within.map(({ min }) => min)),
    max: Math.max(...within.map(({ max }) => max)),
    mean: within.reduce(
      (sum, { mean }, index) => sum + (mean * itemAt(lengths, index)) / totalMs,
      0,
    ),
  };
}
