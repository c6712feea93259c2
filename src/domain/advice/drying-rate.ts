import { epochDay } from '../calendar.ts';
import { median, minRiseHeight, risesIn } from '../moisture/rises.ts';
import type { TimedValue } from '../moisture/series.ts';
import { DAY_MS, HOUR_MS, type Period } from '../periods.ts';
import { civilAt } from '../time-zone.ts';

/** Hours between which the sun is taken to shine, by the clock; seasons and longitudes move them by an hour or two. */
const SUNRISE_HOUR = 7;
const SUNSET_HOUR = 19;

/**
 * The share of a day's sun that falls between two instants (ms), more than 1 where they are more than a day apart. It rises
 * and sinks like a half sine, and what plants draw with it. Source: R. D. Jackson et al. (1983), Estimation of Daily
 * Evapotranspiration from one Time-of-Day Measurements, Agric. Water Manage. 7.
 */
export const sunShare = (from: number, to: number, zone: string): number =>
  sunDaysUntil(to, zone) - sunDaysUntil(from, zone);

/** Days of sun since 1970. */
function sunDaysUntil(at: number, zone: string): number {
  const civil = civilAt(at, zone);
  const hour = civil.hour + civil.minute / 60;
  const height = Math.min(1, Math.max(0, (hour - SUNRISE_HOUR) / (SUNSET_HOUR - SUNRISE_HOUR)));
  return epochDay(civil) + (1 - Math.cos(Math.PI * height)) / 2;
}

/** How fast a soil dries without water, and what tells it. */
export interface DryingRate {
  /** Points a day, negative where it dries. */
  readonly pointsPerDay: number;
  /** Whole dry days, or dry spells shorter than a day where there are too few of those. */
  readonly basis: 'days' | 'parts';
  /** How many of them. */
  readonly count: number;
}

/** Days, or spells, that it takes to tell a pace from chance. */
const MIN_SAMPLES = 3;
/** So much less or more than a day may lie between two points that are held against each other. */
const DAY_TOLERANCE_MS = HOUR_MS;
/** So long after water the curve sinks because it soaks in; left out where anything remains. */
const SOAKING_MS = 6 * HOUR_MS;
/** A shorter spell tells nothing. */
const MIN_SPELL_MS = 12 * HOUR_MS;
/** Nor does one with less of a day's sun. */
const MIN_SUN_SHARE = 0.5;

/** Points a day below which a curve does not fall: a tenth of what a value is served to. */
const MIN_FALL_PER_DAY = 0.01;
/** The shortest time that is told, in days. */
const MIN_DAYS_AHEAD = 0.1;

/** A change over about a day. */
interface DayChange {
  readonly start: number;
  readonly end: number;
  readonly pointsPerDay: number;
}

/**
 * How fast the soil dries in dry spells, or null where they are too few: the median change from any hour to the same hour
 * of the day after, in which day and night cancel out and which a few odd days do not move. Where fewer than three days
 * were dry throughout, as under daily irrigation, spells of half a day and more are taken, each by its share of a day's sun.
 * Source of the median: P. K. Sen (1968), Estimates of the Regression Coefficient Based on Kendall's Tau, J. Am. Stat. Assoc. 63.
 */
export function estimateDryingRate(spells: readonly (readonly TimedValue[])[], zone: string): DryingRate | null {
  const changes = spells.map(dayChanges);
  const days = changes.reduce((sum, each) => sum + coveredDays(each), 0);
  if (days >= MIN_SAMPLES)
    return { pointsPerDay: median(changes.flatMap(changesAfterSoaking)), basis: 'days', count: days };
  const parts = spells.flatMap((spell, place) => {
    const ofDay = changes[place]!;
    return ofDay.length > 0 ? [median(changesAfterSoaking(ofDay))] : changePerSunDay(spell, zone);
  });
  return parts.length < MIN_SAMPLES ? null : { pointsPerDay: median(parts), basis: 'parts', count: parts.length };
}

/** The changes of a spell since the water has soaked in, points a day. */
function changesAfterSoaking(changes: readonly DayChange[]): number[] {
  const since = changes.filter(({ start }) => start - changes[0]!.start >= SOAKING_MS);
  return (since.length > 0 ? since : changes).map(({ pointsPerDay }) => pointsPerDay);
}

/** From each point to the one nearest to a day later. */
function dayChanges(spell: readonly TimedValue[]): DayChange[] {
  const changes: DayChange[] = [];
  let later = 0;
  for (const { at, value } of spell) {
    const distanceFromDayLater = (place: number): number =>
      Math.abs((spell[place]?.at ?? Number.POSITIVE_INFINITY) - at - DAY_MS);
    while (distanceFromDayLater(later + 1) <= distanceFromDayLater(later)) later++;
    const { at: end, value: then } = spell[later]!;
    if (distanceFromDayLater(later) <= DAY_TOLERANCE_MS)
      changes.push({ start: at, end, pointsPerDay: ((then - value) * DAY_MS) / (end - at) });
  }
  return changes;
}

/** How many days the changes, in order, reach over together. */
function coveredDays(changes: readonly DayChange[]): number {
  let [coveredMs, until] = [0, Number.NEGATIVE_INFINITY];
  for (const { start, end } of changes) {
    coveredMs += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return Math.floor((coveredMs + DAY_TOLERANCE_MS) / DAY_MS);
}

/** What a spell shorter than a day comes to in a whole one: soil dries with the sun. */
function changePerSunDay(spell: readonly TimedValue[], zone: string): number[] {
  const [first, last] = [spell[0]!, spell.at(-1)!];
  if (last.at - first.at < MIN_SPELL_MS) return [];
  const share = sunShare(first.at, last.at, zone);
  return share < MIN_SUN_SHARE ? [] : [(last.value - first.value) / share];
}

/**
 * Days from now until a falling curve is at the stress point, whose newest value is so many days old; 0 where that is
 * there or below, null where the curve does not fall.
 */
export function daysUntilStress(
  stressPoint: number,
  newest: { value: number; ageDays: number },
  perDay: number,
): number | null {
  if (newest.value <= stressPoint) return 0;
  if (perDay > -MIN_FALL_PER_DAY) return null;
  // What must have come about since that value, and has not been seen, is about to.
  return Math.max(MIN_DAYS_AHEAD, (newest.value - stressPoint) / -perDay - newest.ageDays);
}

const CURVE_STEP_MS = HOUR_MS;

/** After a gap as long as this a curve that stands higher was watered meanwhile: no climb is seen in it. */
const MIN_GAP_MS = 12 * CURVE_STEP_MS;

/**
 * The times in which no water reached an hourly curve, as its points in each, in order: between waterings, and between
 * climbs, which tell of water that is in no book. A climb has ended at its peak.
 */
export function drySpells(points: readonly TimedValue[], waterings: readonly Period[]): TimedValue[][] {
  const minRise = minRiseHeight(points);
  const rises = risesIn(points, minRise).map(({ startAt, peakAt }) => ({ start: startAt, end: peakAt }));
  const wetPeriods = [...waterings, ...rises].sort((a, b) => a.start - b.start);
  const spells: TimedValue[][] = [[]];
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
