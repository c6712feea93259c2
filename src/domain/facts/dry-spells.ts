import { itemAt, lastOf } from '../items.ts';
import type { TimedValue } from '../moisture/series.ts';
import { wettingsOfCurve } from '../moisture/wetting-events.ts';
import { HOUR_MS, type Period } from '../periods.ts';

/** The time between two points of the curve. */
const CURVE_STEP_MS = HOUR_MS;

/** A rise over a gap this long means a watering that the curve does not show. */
const MIN_GAP_MS = 12 * CURVE_STEP_MS;

/** The points between waterings and wetting events, while no water arrives. */
export function drySpells(
  points: readonly TimedValue[],
  waterings: readonly Period[],
): TimedValue[][] {
  const { minHeight, events } = wettingsOfCurve(points);
  const risePeriods = events.map(({ startAt, peakAt }) => ({ start: startAt, end: peakAt }));
  const wetPeriods = [...waterings, ...risePeriods].sort((a, b) => a.start - b.start);
  const spells: TimedValue[][] = [[]];
  let nextWetPeriod = 0;
  let wetUntil = Number.NEGATIVE_INFINITY;

  for (const point of points) {
    const previous = lastOf(spells).at(-1);
    let endsSpell =
      previous !== undefined &&
      point.at - previous.at >= MIN_GAP_MS &&
      point.value - previous.value > minHeight;

    // Takes in all wet periods that begin before the next point of the curve.
    while (nextWetPeriod < wetPeriods.length) {
      const { start, end } = itemAt(wetPeriods, nextWetPeriod);
      if (start >= point.at + CURVE_STEP_MS) break;
      wetUntil = Math.max(wetUntil, end);
      endsSpell = true;
      nextWetPeriod++;
    }

    if (endsSpell) spells.push([]);
    if (point.at >= wetUntil) lastOf(spells).push(point);
  }

  return spells.filter(({ length }) => length > 0);
}
