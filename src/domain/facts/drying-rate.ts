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

/** The change in a day, negative when the soil dries. */
export interface DryingPace {
  /** The mean of the newest dry day and of the usual one, or the usual one alone. */
  readonly perDay: number;
  /** The median of all dry days. */
  readonly usualPerDay: number;
}

/**
 * The exponential dry-down S(t) = r + (S(0) - r) exp(k t): the drier the soil, the slower it dries.
 * Source: K. A. McColl et al. (2017), Global characterization of surface soil moisture drydowns,
 * Geophys. Res. Lett. 44.
 */
export interface Decay extends DryingPace {
  /** r in %: the moisture that the soil would approach. k is the pace. */
  readonly residual: number;
}

export interface DryingRate extends DryingPace {
  /**
   * `newest`: the pace in points a day includes the newest dry day. `days`: it is the median of the
   * dry days alone. `parts`: the median of dry spells shorter than a day, used when there are too
   * few whole dry days.
   */
  readonly basis: 'newest' | 'days' | 'parts';
  readonly count: number;
  /** Null without a residual moisture. */
  readonly decay: Decay | null;
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
export const MIN_FALL_PER_DAY = 0.01;

/**
 * A deepest sensor that gains more in a day still gets water from above, so that what the curve
 * loses or keeps on that day is not what plants take. Sensors with fine steps gain a hundredth on
 * many a dry day (OpenAgri), so with a lower limit too few days remain.
 */
const MAX_DEEP_GAIN_POINTS = 0.1;

interface DryChange {
  readonly start: number;
  readonly end: number;
  /** How long it took, in days of 24 hours or of sun. */
  readonly days: number;
  readonly from: number;
  readonly to: number;
}

interface DryCurve {
  /** Hourly means of the curve. */
  readonly points: readonly TimedValue[];
  /** The points of the deepest sensor. */
  readonly deepest: readonly TimedValue[];
}

interface DryingContext {
  readonly zone: string;
  readonly residual: number | null;
}

/** `waterings` are those that were done meanwhile. */
export const dryingRateOf = (
  { points, deepest }: DryCurve,
  waterings: readonly Period[],
  context: DryingContext,
): DryingRate | null => estimateDryingRate(drySpells(points, waterings), deepest, context);

/**
 * The mean of the median and the newest change between the same hours of two days, so that day and
 * night cancel out. The median is robust; the newest change reflects today's weather and how wet
 * the soil is after the last rain. With fewer than three dry days (daily irrigation), spells of
 * half a day and more count, scaled by their share of a day's sun. Only falls count: on other days
 * dew, fog or water from the side hid what plants took, and counting those made days to stress late
 * on all data that were tried. Sources: P. K. Sen (1968), Estimates of the Regression Coefficient
 * Based on Kendall's Tau, J. Am. Stat. Assoc. 63; J. M. Bates & C. W. J. Granger (1969), The
 * Combination of Forecasts, Oper. Res. Q. 20.
 */
export function estimateDryingRate(
  spells: readonly (readonly TimedValue[])[],
  deepest: readonly TimedValue[],
  { zone, residual }: DryingContext,
): DryingRate | null {
  const isDry = dryDayTest(deepest);
  const drying = spells.map((spell) => ({ spell, changes: dayChanges(spell).filter(isDry) }));
  const days = drying.reduce((sum, { changes }) => sum + coveredDays(changes), 0);
  const falls = days >= MIN_SAMPLES ? fallsOfDays(drying) : fallsOfParts(drying, { isDry, zone });
  if (falls === null) return null;

  const { basis, count } = falls;
  return {
    ...paceOf(falls, ({ from, to, days }) => (to - from) / days),
    basis,
    count,
    decay: residual === null ? null : { residual, ...paceOf(falls, decayTowards(residual)) },
  };
}

type Measure = (change: DryChange) => number;

/** `residual` is below all values that are not odd. */
const decayTowards =
  (residual: number): Measure =>
  ({ from, to, days }) =>
    Math.log(
      Math.max(MIN_FALL_PER_DAY, to - residual) / Math.max(MIN_FALL_PER_DAY, from - residual),
    ) / days;

interface Falls extends Pick<DryingRate, 'basis' | 'count'> {
  /** The median of each group is a sample. */
  readonly groups: readonly (readonly DryChange[])[];
  readonly newest: readonly DryChange[];
}

interface SpellChanges {
  readonly spell: readonly TimedValue[];
  readonly changes: readonly DryChange[];
}

const isFall = ({ from, to, days }: DryChange): boolean => (from - to) / days >= MIN_FALL_PER_DAY;

function fallsOfDays(drying: readonly SpellChanges[]): Falls {
  const { spell, changes } = lastOf(drying);
  const newest = newestDay(spell, changes).filter(isFall);
  return {
    groups: drying.flatMap(({ changes: ofSpell }) =>
      afterSoaking(ofSpell)
        .filter(isFall)
        .map((fall) => [fall]),
    ),
    newest,
    basis: newest.length === 0 ? 'days' : 'newest',
    count: drying.reduce(
      (sum, { changes: ofSpell }) => sum + coveredDays(ofSpell.filter(isFall)),
      0,
    ),
  };
}

/** Null with too few parts. */
function fallsOfParts(
  drying: readonly SpellChanges[],
  { isDry, zone }: { readonly isDry: (change: DryChange) => boolean; readonly zone: string },
): Falls | null {
  const parts = drying
    .map(({ spell, changes }) =>
      changes.length > 0 ? afterSoaking(changes) : changeOfSpell(spell, zone).filter(isDry),
    )
    .filter(({ length }) => length > 0);
  if (parts.length < MIN_SAMPLES) return null;

  const groups = parts.map((part) => part.filter(isFall)).filter(({ length }) => length > 0);
  return { groups, newest: [], basis: 'parts', count: groups.length };
}

/** 0 without a fall. */
function paceOf({ groups, newest }: Falls, measure: Measure): DryingPace {
  if (groups.length === 0) return { perDay: 0, usualPerDay: 0 };
  const usualPerDay = median(groups.map((group) => median(group.map(measure))));
  const perDay =
    newest.length === 0 ? usualPerDay : (usualPerDay + median(newest.map(measure))) / 2;
  return { perDay, usualPerDay };
}

/** Days of which the deepest sensor has no reading count as dry. */
function dryDayTest(deepest: readonly TimedValue[]): (change: DryChange) => boolean {
  const valueAt = new Map(deepest.map(({ at, value }) => [at, value]));
  return ({ start, end }) => {
    const [before, after] = [valueAt.get(start), valueAt.get(end)];
    return before === undefined || after === undefined || after - before <= MAX_DEEP_GAIN_POINTS;
  };
}

/** All changes count if none begins after the soil has settled. */
function afterSoaking(changes: readonly DryChange[]): readonly DryChange[] {
  const spellStart = changes[0]?.start ?? 0;
  const settled = changes.filter(({ start }) => start - spellStart >= SETTLING_MS);
  return settled.length > 0 ? settled : changes;
}

const newestDay = (
  spell: readonly TimedValue[],
  changes: readonly DryChange[],
): readonly DryChange[] =>
  changes.filter(
    ({ start, end }) =>
      start - firstOf(spell).at >= SETTLING_MS && lastOf(spell).at - end <= NEWEST_DAY_MS,
  );

function dayChanges(spell: readonly TimedValue[]): DryChange[] {
  const changes: DryChange[] = [];
  let later = 0;

  for (const { at, value } of spell) {
    const distanceFromDayLater = (index: number): number =>
      Math.abs((spell[index]?.at ?? Number.POSITIVE_INFINITY) - at - DAY_MS);
    while (distanceFromDayLater(later + 1) <= distanceFromDayLater(later)) later++;
    const { at: end, value: to } = itemAt(spell, later);
    if (distanceFromDayLater(later) <= DAY_TOLERANCE_MS)
      changes.push({ start: at, end, days: (end - at) / DAY_MS, from: value, to });
  }

  return changes;
}

function coveredDays(changes: readonly DryChange[]): number {
  let coveredMs = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const { start, end } of changes) {
    coveredMs += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return Math.floor((coveredMs + DAY_TOLERANCE_MS) / DAY_MS);
}

/** A list of one change, or none where the spell is too short to tell. */
function changeOfSpell(spell: readonly TimedValue[], zone: string): DryChange[] {
  const [{ at: start, value: from }, { at: end, value: to }] = [firstOf(spell), lastOf(spell)];
  if (end - start < MIN_SPELL_MS) return [];
  const days = sunShare(start, end, zone);
  return days < MIN_SUN_SHARE ? [] : [{ start, end, days, from, to }];
}
