import { addCivilDays, formatIsoDate } from '../calendar.ts';
import type { TimedValue } from '../moisture/series.ts';
import { HOUR_MS } from '../periods.ts';
import { civilAt, midnightAt } from '../time-zone.ts';

/** What the depths of a probe measured at the end of a local day. */
export interface DayEnd {
  readonly day: string;
  /** In %, by depth; depths without a value then are left out. */
  readonly moistures: readonly { readonly depthCm: number; readonly value: number }[];
}

/** Later in the evening soil loses little. */
const EVENING_MS = 6 * HOUR_MS;

/** Of the days with such values, oldest first. `points` are hourly means, oldest first. */
export function dayEnds(
  depths: readonly { readonly depthCm: number; readonly points: readonly TimedValue[] }[],
  zone: string,
): DayEnd[] {
  const instants = depths.flatMap(({ points }) => [points[0], points.at(-1)]);
  const known = instants.flatMap((point) => (point === undefined ? [] : [point.at]));
  if (known.length === 0) return [];

  const ends: DayEnd[] = [];
  const lastAt = Math.max(...known);
  let date = civilAt(Math.min(...known), zone);
  for (let end = 0; end <= lastAt; ) {
    const day = formatIsoDate(date);
    date = { ...date, ...addCivilDays(date, 1) };
    end = midnightAt(date, zone);
    const evening = { start: end - EVENING_MS, end };
    const moistures = depths.flatMap(({ depthCm, points }) => {
      const last = points.findLast(({ at }) => at < evening.end);
      return last !== undefined && last.at >= evening.start ? [{ depthCm, value: last.value }] : [];
    });
    if (moistures.length > 0) ends.push({ day, moistures });
  }
  return ends;
}
