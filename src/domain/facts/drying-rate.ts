import { epochDay } from '../calendar.ts';
import { firstOf, itemAt, lastOf } from '../items.ts';
import type { TimedValue } from '../moisture/series.ts';
import { DAY_MS, HOUR_MS, type Period } from '../periods.ts';
import { median } from '../statistics.ts';
import { civilAt } from '../time-zone.ts';
import { drySpells } from './dry-spells.ts';

/** Local hours. They are an assumption: season and longitude move them by an hour or two. */
const SUNRISE_HOUR = 7;
const SUNSET_HOUR = 19;

/**
 * The time between two instants in days of sun. Radiation, and with it transpiration, follows a
 * half sine. Source: R. D. Jackson et al. (1983), Estimation of Daily Evapotranspiration from one
 * Time-of-Day Measurements, Agric. Water Manage. 7.
 */
export const sunShare = (from: number, to: number, zone: string): number =>
  sunDaysUntil(to, zone) - sunDaysUntil(from, zone);

/** Whole days since 1970, and the share of the day's sun that has shone so far. */
function sunDaysUntil(at: number, zone: string): number {
  const civil = civilAt(at, zone);
  const hour = civil.hour + civil.minute / 60;
  const daylightShare = (hour - SUNRISE_HOUR) / (SUNSET_HOUR - SUNRISE_HOUR);
  const passedShare = Math.min(1, Math.max(0, daylightShare));
  return epochDay(civil) + (1 - Math.cos(Math.PI * passedShare)) / 2;
}

export interface DryingRate {
  /** Negative when the soil dries. */
  readonly pointsPerDay: number;
  /**
   * `newest`: the mean of the newest dry day and of the median of all dry days. `days`: that median
   * alone. `parts`: the median of dry spells shorter than a day, used when there are too few whole
   * dry days.
   */
  readonly basis: 'newest' | 'days' | 'parts';
  readonly count: number;
}

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

/** `points` are hourly means of the curve; `waterings` are those that were done meanwhile. */
export const dryingRateOf = (
  points: readonly TimedValue[],
  waterings: readonly Period[],
  zone: string,
): DryingRate | null => estimateDryingRate(drySpells(points, waterings), zone);

/**
 * The mean of the median and the newest change between the same hours of two days, so that day and
 * night cancel out. The median is robust; the newest change reflects today's weather and how wet
 * the soil is after the last rain. With fewer than three dry days (daily irrigation), spells of
 * half a day and more count, scaled by their share of a day's sun. Sources: P. K. Sen (1968),
 * Estimates of the Regression Coefficient Based on Kendall's Tau, J. Am. Stat. Assoc. 63; J. M.
 * Bates & C. W. J. Granger (1969), The Combination of Forecasts, Oper. Res. Q. 20.
 */
export function estimateDryingRate(
  spells: readonly (readonly TimedValue[])[],
  zone: string,
): DryingRate | null {
  const spellsWithChanges = spells.map((spell) => ({ spell, changes: dayChanges(spell) }));
  const days = spellsWithChanges.reduce((sum, { changes }) => sum + coveredDays(changes), 0);
  if (days >= MIN_SAMPLES) {
    const usual = median(spellsWithChanges.flatMap(({ changes }) => changesAfterSoaking(changes)));
    const { spell, changes } = lastOf(spellsWithChanges);
    const newest = newestDayChange(spell, changes);
    return newest === null
      ? { pointsPerDay: usual, basis: 'days', count: days }
      : { pointsPerDay: (usual + newest) / 2, basis: 'newest', count: days };
  }

  const parts = spellsWithChanges.flatMap(({ spell, changes }) =>
    changes.length > 0 ? [median(changesAfterSoaking(changes))] : changePerSunDay(spell, zone),
  );

  return parts.length < MIN_SAMPLES
    ? null
    : { pointsPerDay: median(parts), basis: 'parts', count: parts.length };
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

export interface Outlook {
  /** Points of moisture that rain adds before the day of stress. */
  readonly rainPoints: number;
  /** Expected demand of the air in % of the demand so far. */
  readonly demandPercent: number;
}

const SAME_WEATHER: Outlook = { rainPoints: 0, demandPercent: 100 };

/**
 * 0 at or below the stress point, null when the curve does not fall. From the newest value until
 * now the curve falls at `perDay`, from now on at that pace scaled by the outlook, because the use
 * of water follows the demand of the air (FAO-56, chapter 6).
 */
export function daysUntilStress(
  stressPoint: number,
  newest: { value: number; ageDays: number },
  perDay: number,
  { rainPoints, demandPercent }: Outlook = SAME_WEATHER,
): number | null {
  if (newest.value <= stressPoint) return 0;
  if (perDay > -MIN_FALL_PER_DAY) return null;
  // The projected time may have passed while no reading is below the stress point yet, hence the
  // minimum.
  const presentValue = newest.value + perDay * newest.ageDays;
  return Math.max(
    MIN_DAYS_AHEAD,
    (presentValue + rainPoints - stressPoint) / ((-perDay * demandPercent) / 100),
  );
}
