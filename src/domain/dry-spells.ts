import type { Period } from './intervals.ts';
import { type MoistureValue, minRiseHeight, risesIn } from './rises.ts';

const CURVE_STEP_MS = 3_600_000;

/** After a gap as long as this a curve that stands higher was watered meanwhile: no climb is seen in it. */
const MIN_GAP_MS = 12 * CURVE_STEP_MS;

/**
 * The times in which no water reached an hourly curve, as its points in each, in order: between waterings, and between
 * climbs, which tell of water that is in no book. A climb has ended at its peak.
 */
export function drySpells(points: readonly MoistureValue[], waterings: readonly Period[]): MoistureValue[][] {
  const minRise = minRiseHeight(points);
  const rises = risesIn(points, minRise).map(({ startAt, peakAt }) => ({ start: startAt, end: peakAt }));
  const wetPeriods = [...waterings, ...rises].sort((a, b) => a.start - b.start);
  const spells: MoistureValue[][] = [[]];
  let next = 0;
  let wetUntil = Number.NEGATIVE_INFINITY;
  for (const point of points) {
    const before = spells.at(-1)!.at(-1);
    let isCut = before !== undefined && point.at - before.at >= MIN_GAP_MS && point.value - before.value > minRise;
    // A point stands for the hour from its instant on.
    for (; wetPeriods[next] && wetPeriods[next]!.start < point.at + CURVE_STEP_MS; next++) {
      wetUntil = Math.max(wetUntil, wetPeriods[next]!.end);
      isCut = true;
    }
    if (isCut) spells.push([]);
    if (point.at >= wetUntil) spells.at(-1)!.push(point);
  }
  return spells.filter(({ length }) => length > 0);
}
