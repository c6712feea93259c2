import { itemAt } from '../items.ts';
import { LocalDay } from '../local-day.ts';
import type { TimedValue } from '../moisture/series.ts';
import { HOUR_MS } from '../periods.ts';

/** The values of the depths of a probe at the end of a local day. */
export interface DayEnd {
  readonly day: string;
  /** In %, by depth; depths without a value then are left out. */
  readonly moistures: readonly { readonly depthCm: number; readonly value: number }[];
}

/** Later in the evening soil loses little. */
const EVENING_MS = 6 * HOUR_MS;

/** The days with such values, oldest first. `points` are hourly means, oldest first. */
export function dayEnds(
  depths: readonly { readonly depthCm: number; readonly points: readonly TimedValue[] }[],
  zone: string,
): DayEnd[] {
  const instants = depths.flatMap(({ points }) => [points[0], points.at(-1)]);
  const known = instants.flatMap((point) => (point === undefined ? [] : [point.at]));
  if (known.length === 0) return [];

  const first = LocalDay.at(Math.min(...known), zone);
  const last = LocalDay.at(Math.max(...known), zone);
  const passed = depths.map(() => 0);
  return first.until(last).flatMap((day) => {
    const end = day.next().startIn(zone);
    const moistures = depths.flatMap(({ depthCm, points }, index) => {
      let row = itemAt(passed, index);
      while (row < points.length && itemAt(points, row).at < end) row++;
      passed[index] = row;
      const newest = points[row - 1];
      return newest !== undefined && newest.at >= end - EVENING_MS
        ? [{ depthCm, value: newest.value }]
        : [];
    });
    return moistures.length > 0 ? [{ day: day.iso, moistures }] : [];
  });
}
