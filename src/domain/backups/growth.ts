import { DAY_MS } from '../periods.ts';

export interface CopySize {
  /** In ms since 1970 UTC. */
  readonly at: number;
  readonly bytes: number;
}

const MIN_COPIES = 3;
const MIN_SPAN_MS = 7 * DAY_MS;

/**
 * How fast a store grows, in bytes a day, by the sizes of its copies; null where they do not say it,
 * or it does not grow. The median of the slopes between all pairs (Theil and Sen), so that one large
 * import does not count as the pace of every day.
 */
export function growthPerDay(copies: readonly CopySize[]): number | null {
  const sorted = [...copies].sort((a, b) => a.at - b.at);
  const spanMs = (sorted.at(-1)?.at ?? 0) - (sorted[0]?.at ?? 0);
  if (sorted.length < MIN_COPIES || spanMs < MIN_SPAN_MS) return null;

  const slopes = sorted
    .flatMap((earlier, index) => sorted.slice(index + 1).map((later) => slope(earlier, later)))
    .sort((a, b) => a - b);
  const median = slopes[Math.floor(slopes.length / 2)] ?? 0;
  return median > 0 ? median : null;
}

const slope = (earlier: CopySize, later: CopySize): number =>
  (later.bytes - earlier.bytes) / (Math.max(1, later.at - earlier.at) / DAY_MS);

/** A forecast beyond ten years says nothing. */
const MAX_DAYS = 3_650;

/** `copiesBesides` grow with the store on the same disk. */
export function daysUntilFull(
  freeBytes: number,
  bytesPerDay: number | null,
  copiesBesides: number,
): number | null {
  if (bytesPerDay === null) return null;
  const days = Math.floor(freeBytes / (bytesPerDay * (1 + copiesBesides)));
  return days <= MAX_DAYS ? days : null;
}
