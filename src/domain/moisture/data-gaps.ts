import { HOUR_MS, type Period } from '../periods.ts';

/** Shorter ones are single readings that were lost. */
const SHORTEST_GAP_MS = HOUR_MS;

/** Times without data, of an hour or more, oldest first. A point stands for the interval that follows it. */
export function dataGaps(pointsAt: readonly number[], { start, end }: Period, intervalMs: number): Period[] {
  const gaps: Period[] = [];
  let coveredUntil = start;
  for (const at of pointsAt) {
    if (at < start || at >= end) continue;
    if (at - coveredUntil >= SHORTEST_GAP_MS) gaps.push({ start: coveredUntil, end: at });
    coveredUntil = Math.max(coveredUntil, at + intervalMs);
  }
  if (end - coveredUntil >= SHORTEST_GAP_MS) gaps.push({ start: coveredUntil, end });
  return gaps;
}
