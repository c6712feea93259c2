import { drySpells } from '../../src/domain/facts/dry-spells.ts';
import { sunShare } from '../../src/domain/facts/drying-rate.ts';
import { firstOf, itemAt, lastOf } from '../../src/domain/items.ts';
import type { TimedValue } from '../../src/domain/moisture/series.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/periods.ts';
import { median } from '../../src/domain/statistics.ts';

// The rule that `advise_watering` had before it: the mean of the median and the newest change of all
// dry days, whether the soil fell on them or not, in a straight line.

const MIN_SAMPLES = 3;
/** Two values are compared when they lie a day apart, within this tolerance. */
const DAY_TOLERANCE_MS = HOUR_MS;
/** After a watering the curve falls for this long because the water soaks in. */
const SETTLING_MS = 6 * HOUR_MS;
/**
 * The change of the newest day is the median of the changes that end within this time of the newest
 * reading, to reduce noise.
 */
const NEWEST_DAY_MS = 6 * HOUR_MS;
/** A shorter part of a dry spell, or one with less sun, does not show how fast soil dries. */
const MIN_SPELL_MS = 12 * HOUR_MS;
const MIN_SUN_SHARE = 0.5;

/** A tenth of the last reported digit, in points. */
const MIN_FALL_PER_DAY = 0.01;
/** The shortest time until a stress that no reading shows yet. */
const MIN_DAYS_AHEAD = 0.1;

interface DayChange {
  readonly start: number;
  readonly end: number;
  readonly pointsPerDay: number;
}

function estimateDryingRate(
  spells: readonly (readonly TimedValue[])[],
  zone: string,
): number | null {
  const spellsWithChanges = spells.map((spell) => ({ spell, changes: dayChanges(spell) }));
  const days = spellsWithChanges.reduce((sum, { changes }) => sum + coveredDays(changes), 0);
  if (days >= MIN_SAMPLES) {
    const usual = median(spellsWithChanges.flatMap(({ changes }) => changesAfterSoaking(changes)));
    const { spell, changes } = lastOf(spellsWithChanges);
    const newest = newestDayChange(spell, changes);
    return newest === null ? usual : (usual + newest) / 2;
  }

  const parts = spellsWithChanges.flatMap(({ spell, changes }) =>
    changes.length > 0 ? [median(changesAfterSoaking(changes))] : changePerSunDay(spell, zone),
  );

  return parts.length < MIN_SAMPLES ? null : median(parts);
}

/** In points a day. All changes count if none begins after the soil has settled. */
function changesAfterSoaking(changes: readonly DayChange[]): number[] {
  const spellStart = changes[0]?.start ?? 0;
  const settled = changes.filter(({ start }) => start - spellStart >= SETTLING_MS);
  return (settled.length > 0 ? settled : changes).map(({ pointsPerDay }) => pointsPerDay);
}

function newestDayChange(
  spell: readonly TimedValue[],
  changes: readonly DayChange[],
): number | null {
  const newest = changes.filter(
    ({ start, end }) =>
      start - firstOf(spell).at >= SETTLING_MS && lastOf(spell).at - end <= NEWEST_DAY_MS,
  );
  return newest.length === 0 ? null : median(newest.map(({ pointsPerDay }) => pointsPerDay));
}

function dayChanges(spell: readonly TimedValue[]): DayChange[] {
  const changes: DayChange[] = [];
  let later = 0;

  for (const { at, value } of spell) {
    const distanceFromDayLater = (index: number): number =>
      Math.abs((spell[index]?.at ?? Number.POSITIVE_INFINITY) - at - DAY_MS);
    while (distanceFromDayLater(later + 1) <= distanceFromDayLater(later)) later++;
    const { at: end, value: laterValue } = itemAt(spell, later);
    if (distanceFromDayLater(later) <= DAY_TOLERANCE_MS)
      changes.push({ start: at, end, pointsPerDay: ((laterValue - value) * DAY_MS) / (end - at) });
  }

  return changes;
}

function coveredDays(changes: readonly DayChange[]): number {
  let coveredMs = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const { start, end } of changes) {
    coveredMs += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return Math.floor((coveredMs + DAY_TOLERANCE_MS) / DAY_MS);
}

/** A list of one change, or none where the spell is too short to tell. */
function changePerSunDay(spell: readonly TimedValue[], zone: string): number[] {
  const [first, last] = [firstOf(spell), lastOf(spell)];
  if (last.at - first.at < MIN_SPELL_MS) return [];
  const share = sunShare(first.at, last.at, zone);
  return share < MIN_SUN_SHARE ? [] : [(last.value - first.value) / share];
}

/** Null where the days are too few; infinite where the soil does not dry. */
export function earlierDaysToStress(
  points: readonly TimedValue[],
  stressPoint: number,
  zone: string,
): number | null {
  const perDay = estimateDryingRate(drySpells(points, []), zone);
  if (perDay === null) return null;
  if (perDay > -MIN_FALL_PER_DAY) return Number.POSITIVE_INFINITY;
  return Math.max(MIN_DAYS_AHEAD, (lastOf(points).value - stressPoint) / -perDay);
}
