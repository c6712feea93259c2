import type { Period } from './intervals.ts';
import { leastRise, type Moisture, risesIn } from './rises.ts';

const HOUR_MS = 3_600_000;

/** After a gap as long as this a curve that stands higher was watered meanwhile: no climb is seen in it. */
const GAP_MS = 12 * HOUR_MS;

/**
 * The times in which no water reached an hourly curve, as its points in each, in order: between waterings, and between
 * climbs, which tell of water that is in no book. A climb has ended at its peak.
 */
export function drySpells(points: readonly Moisture[], waterings: readonly Period[]): Moisture[][] {
  const least = leastRise(points);
  const rises = risesIn(points, least).map(({ startAt, peakAt }) => ({ start: startAt, end: peakAt }));
  const wet = [...waterings, ...rises].sort((a, b) => a.start - b.start);
  const spells: Moisture[][] = [[]];
  let next = 0;
  let wetUntil = Number.NEGATIVE_INFINITY;
  for (const point of points) {
    const before = spells.at(-1)!.at(-1);
    let isCut = before !== undefined && point.at - before.at >= GAP_MS && point.value - before.value > least;
    // A point stands for the hour from its instant on.
    for (; wet[next] && wet[next]!.start < point.at + HOUR_MS; next++) {
      wetUntil = Math.max(wetUntil, wet[next]!.end);
      isCut = true;
    }
    if (isCut) spells.push([]);
    if (point.at >= wetUntil) spells.at(-1)!.push(point);
  }
  return spells.filter(({ length }) => length > 0);
}
