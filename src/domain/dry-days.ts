import type { Period } from './intervals.ts';
import { leastRise, type Moisture, median, risesIn } from './rises.ts';
import { type CivilDate, civilAt, civilDateOf, dayNumber, resolveCivil } from './zone.ts';

/** A local day on which no water came: its mean moisture (%), and the mean instant of its points, in ms. */
export interface DryDay extends Moisture {
  /** Days since 1970-01-01 on the calendar of the zone. */
  readonly day: number;
}

const DAY_MS = 86_400_000;

/** Days that it takes to tell a pace from chance. */
const FEWEST_DAYS = 3;

/** Points a day below which a curve does not fall: a tenth of what a value is served to. */
const FLAT = 0.01;

/**
 * The dry days of a curve: no watering reached into them, it did not rise in them, and their mean is not higher by as much
 * as a rise than that of a dry day before, which tells of water where a probe sends once a day. A day with less than half
 * the usual points tells too little of itself.
 */
export function dryDays(points: readonly Moisture[], waterings: readonly Period[], zone: string): DryDay[] {
  const dayOf = daysOf(zone);
  const days = new Map<number, Moisture[]>();
  for (const point of points) {
    const day = dayOf(point.at);
    const of = days.get(day);
    if (of) of.push(point);
    else days.set(day, [point]);
  }
  if (days.size === 0) return [];
  const least = leastRise(points);
  const rises = risesIn(points, least).map(({ startAt, peakAt }) => ({ start: startAt, end: peakAt }));
  const wet = new Set([...waterings, ...rises].flatMap(({ start, end }) => daysFrom(dayOf(start), dayOf(end))));
  const fewest = median([...days.values()].map(({ length }) => length)) / 2;
  const means = new Map([...days].map(([day, of]) => [day, { day, ...meanOf(of) }]));
  const isHigher = ({ day, value }: DryDay): boolean =>
    !wet.has(day - 1) && value - (means.get(day - 1)?.value ?? value) > least;
  return [...means.values()].filter(
    (each) => !wet.has(each.day) && days.get(each.day)!.length >= fewest && !isHigher(each),
  );
}

/** Which local day an instant lies in, asked mostly in order: the zone is looked up once a day. */
function daysOf(zone: string): (at: number) => number {
  const midnight = (date: CivilDate): number =>
    resolveCivil({ ...date, hour: 0, minute: 0, second: 0, millisecond: 0 }, zone).at;
  let [from, to, day] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN];
  return (at) => {
    if (at >= from && at < to) return day;
    day = dayNumber(civilAt(at, zone));
    [from, to] = [midnight(civilDateOf(day)), midnight(civilDateOf(day + 1))];
    return day;
  };
}

const daysFrom = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

function meanOf(points: readonly Moisture[]): Moisture {
  const sum = (of: (point: Moisture) => number): number => points.reduce((total, point) => total + of(point), 0);
  const first = points[0]!.at;
  return {
    at: first + sum(({ at }) => at - first) / points.length,
    value: sum(({ value }) => value) / points.length,
  };
}

/**
 * How fast the soil dries, in points a day (negative), or null where there are too few dry days: the median slope between
 * any two days of a dry spell, which a few odd days do not move. Days with water between them tell nothing of drying.
 * Source: P. K. Sen (1968), Estimates of the Regression Coefficient Based on Kendall's Tau, J. Am. Stat. Assoc. 63.
 */
export function dryingPace(days: readonly DryDay[]): number | null {
  if (days.length < FEWEST_DAYS) return null;
  const slopes: number[] = [];
  for (const [index, from] of days.entries())
    for (let next = index + 1; days[next]?.day === from.day + next - index; next++)
      slopes.push((days[next]!.value - from.value) / ((days[next]!.at - from.at) / DAY_MS));
  return slopes.length === 0 ? null : median(slopes);
}

/** Days until a falling curve is at the stress point, 0 when it is there or below; null where it does not fall. */
export function daysUntil(stressPoint: number, value: number, pace: number): number | null {
  if (value <= stressPoint) return 0;
  return pace > -FLAT ? null : (value - stressPoint) / -pace;
}
