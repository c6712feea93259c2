import { itemAt } from '../items.ts';
import { LocalDay } from '../local-day.ts';
import type { TimedValue } from '../moisture/series.ts';
import type { DayEnd } from './day-ends.ts';

/** The daily means of depths, as columns, because they are kept for many probes. */
export interface DayMeans {
  /** The local day of the first values. */
  readonly firstDay: string;
  /** In %; NaN on days without a value. */
  readonly depths: readonly { readonly depthCm: number; readonly values: readonly number[] }[];
}

/** Long enough to show how a crop of this season uses water. */
const KEPT_DAYS = 60;

/** Of the last days with a value; null without one. `points` are means of local days, oldest first. */
export function dayMeansOf(
  depths: readonly { readonly depthCm: number; readonly points: readonly TimedValue[] }[],
  zone: string,
): DayMeans | null {
  const newest = Math.max(...depths.map(({ points }) => points.at(-1)?.at ?? 0));
  if (newest <= 0) return null;

  const last = LocalDay.at(newest, zone);
  const first = last.plus(1 - KEPT_DAYS);
  const firstAt = first.startIn(zone);
  return {
    firstDay: first.iso,
    depths: depths.map(({ depthCm, points }) => {
      const values = new Array<number>(KEPT_DAYS).fill(Number.NaN);
      for (let row = points.length - 1; row >= 0 && itemAt(points, row).at >= firstAt; row--) {
        const { at, value } = itemAt(points, row);
        values[first.daysUntil(LocalDay.at(at, zone))] = value;
      }
      return { depthCm, values };
    }),
  };
}

/** Day by day, oldest first. */
export const daysOfMeans = ({ firstDay, depths }: DayMeans): Omit<DayEnd, 'at'>[] =>
  Array.from({ length: KEPT_DAYS }, (_, index) => ({
    day: LocalDay.parse(firstDay).plus(index).iso,
    moistures: depths.flatMap(({ depthCm, values }) => {
      const value = itemAt(values, index);
      return Number.isNaN(value) ? [] : [{ depthCm, value }];
    }),
  }));
