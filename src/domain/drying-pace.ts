import { type Moisture, median } from './rises.ts';
import { sunShare } from './sun-share.ts';

/** How fast a soil dries without water, and what tells it. */
export interface DryingPace {
  /** Points a day, negative where it dries. */
  readonly perDay: number;
  /** Whole dry days, or dry spells shorter than a day where there are too few of those. */
  readonly seenIn: 'days' | 'parts';
  /** How many of them. */
  readonly count: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Days, or spells, that it takes to tell a pace from chance. */
const FEWEST = 3;
/** So much less or more than a day may lie between two points that are held against each other. */
const APART_MS = HOUR_MS;
/** So long after water the curve sinks because it soaks in; left out where anything remains. */
const SOAKING_MS = 6 * HOUR_MS;
/** A shorter spell tells nothing. */
const SHORTEST_MS = 12 * HOUR_MS;
/** Nor does one with less of a day's sun. */
const LEAST_SUN = 0.5;

/** Points a day below which a curve does not fall: a tenth of what a value is served to. */
const FLAT = 0.01;
/** The shortest time that is told, in days. */
const SOON_DAYS = 0.1;

/** A change over about a day. */
interface DayChange {
  readonly start: number;
  readonly end: number;
  readonly perDay: number;
}

/**
 * How fast the soil dries in dry spells, or null where they are too few: the median change from any hour to the same hour
 * of the day after, in which day and night cancel out and which a few odd days do not move. Where fewer than three days
 * were dry throughout, as under daily irrigation, spells of half a day and more are taken, each by its share of a day's sun.
 * Source of the median: P. K. Sen (1968), Estimates of the Regression Coefficient Based on Kendall's Tau, J. Am. Stat. Assoc. 63.
 */
export function dryingPace(spells: readonly (readonly Moisture[])[], zone: string): DryingPace | null {
  const changes = spells.map(dayChanges);
  const days = changes.reduce((sum, each) => sum + daysOf(each), 0);
  if (days >= FEWEST) return { perDay: median(changes.flatMap(soaked)), seenIn: 'days', count: days };
  const parts = spells.flatMap((spell, place) => {
    const ofDay = changes[place]!;
    return ofDay.length > 0 ? [median(soaked(ofDay))] : partChange(spell, zone);
  });
  return parts.length < FEWEST ? null : { perDay: median(parts), seenIn: 'parts', count: parts.length };
}

/** The changes of a spell since the water has soaked in, points a day. */
function soaked(changes: readonly DayChange[]): number[] {
  const since = changes.filter(({ start }) => start - changes[0]!.start >= SOAKING_MS);
  return (since.length > 0 ? since : changes).map(({ perDay }) => perDay);
}

/** From each point to the one nearest to a day later. */
function dayChanges(spell: readonly Moisture[]): DayChange[] {
  const changes: DayChange[] = [];
  let later = 0;
  for (const { at, value } of spell) {
    const missed = (place: number): number => Math.abs((spell[place]?.at ?? Number.POSITIVE_INFINITY) - at - DAY_MS);
    while (missed(later + 1) <= missed(later)) later++;
    const { at: end, value: then } = spell[later]!;
    if (missed(later) <= APART_MS) changes.push({ start: at, end, perDay: ((then - value) * DAY_MS) / (end - at) });
  }
  return changes;
}

/** How many days the changes, in order, reach over together. */
function daysOf(changes: readonly DayChange[]): number {
  let [coveredMs, until] = [0, Number.NEGATIVE_INFINITY];
  for (const { start, end } of changes) {
    coveredMs += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return Math.floor((coveredMs + APART_MS) / DAY_MS);
}

/** What a spell shorter than a day comes to in a whole one: soil dries with the sun. */
function partChange(spell: readonly Moisture[], zone: string): number[] {
  const [first, last] = [spell[0]!, spell.at(-1)!];
  if (last.at - first.at < SHORTEST_MS) return [];
  const share = sunShare(first.at, last.at, zone);
  return share < LEAST_SUN ? [] : [(last.value - first.value) / share];
}

/**
 * Days from now until a falling curve is at the stress point, whose newest value is so many days old; 0 where that is
 * there or below, null where the curve does not fall.
 */
export function daysUntil(
  stressPoint: number,
  newest: { value: number; ageDays: number },
  perDay: number,
): number | null {
  if (newest.value <= stressPoint) return 0;
  if (perDay > -FLAT) return null;
  // What must have come about since that value, and has not been seen, is about to.
  return Math.max(SOON_DAYS, (newest.value - stressPoint) / -perDay - newest.ageDays);
}
