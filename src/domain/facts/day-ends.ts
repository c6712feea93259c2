import { itemAt } from '../items.ts';
import { LocalDay } from '../local-day.ts';
import type { TimedValue } from '../moisture/series.ts';
import { HOUR_MS } from '../periods.ts';

/** The newest values of the depths of a probe on a local day. */
export interface DayEnd {
  readonly day: string;
  /** The newest hour with a value; absent in the evening, after which soil loses little. */
  readonly at?: number;
  /** In %, by depth; depths without a value in the last hours before are left out. */
  readonly moistures: readonly { readonly depthCm: number; readonly value: number }[];
}

/** From 18:00 on; before that, as long before the newest value of the day. */
const TOGETHER_MS = 6 * HOUR_MS;

/** The days with values, oldest first. `points` are hourly means, oldest first. */
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
    const [start, end] = [day.startIn(zone), day.next().startIn(zone)];
    const newest = depths.flatMap(({ depthCm, points }, index) => {
      let row = itemAt(passed, index);
      while (row < points.length && itemAt(points, row).at < end) row++;
      passed[index] = row;
      const point = points[row - 1];
      return point !== undefined && point.at >= start ? [{ depthCm, ...point }] : [];
    });
    if (newest.length === 0) return [];

    const newestAt = Math.max(...newest.map(({ at }) => at));
    const isEvening = newestAt >= end - TOGETHER_MS;
    const from = (isEvening ? end : newestAt) - TOGETHER_MS;
    const moistures = newest.flatMap(({ depthCm, at, value }) =>
      at >= from ? [{ depthCm, value }] : [],
    );
    return [{ day: day.iso, moistures, ...(isEvening ? {} : { at: newestAt }) }];
  });
}
