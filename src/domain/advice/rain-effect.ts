import { lastOf } from '../items.ts';
import type { TimedValue } from '../moisture/series.ts';
import { DAY_MS, HOUR_MS } from '../periods.ts';
import type { RainContribution } from '../weather/rain.ts';
import { isForeseen, surelyLastsUntil } from './forecast-error.ts';

/**
 * The rest runs off, drains or evaporates: usually 10 to 30 %. Source: M. Smith (1992), CROPWAT,
 * FAO Irrigation and Drainage Paper 46.
 */
export const EFFECTIVE_RAIN_PERCENT = 80;

/**
 * The root zone keeps no more rain than it lacks (FAO-56, chapter 8, equation 85). Rain falls on
 * the whole area, so 1 mm of rain is also 1 mm in the wetted zone, for which irrigation applies
 * only the wetted fraction of 1 mm over the whole area. Roots outside the wetted zone, which rain
 * also reaches, are left out.
 */
export const effectiveRainMm = (rainMm: number, deficitMm = Number.POSITIVE_INFINITY): number =>
  Math.min(deficitMm, (rainMm * EFFECTIVE_RAIN_PERCENT) / 100);

/** Rain without a recorded end counts as ended at its start. */
export const rainEnd = ({ record }: RainContribution): number => record.endedAt ?? record.startedAt;

/** The hour of a day's total is not known, so all of its day has to be later. */
export const fellAfter = (contribution: RainContribution, instant: number): boolean =>
  contribution.record.isWholeDay
    ? contribution.record.startedAt >= instant
    : rainEnd(contribution) > instant;

export const totalMm = (rain: readonly RainContribution[]): number =>
  rain.reduce((sum, { mm }) => sum + mm, 0);

/** Time that water takes to reach the sensors. */
export const SOAKING_MS = 6 * HOUR_MS;

/**
 * A sensor this near to the surface rises within this time after the end of rain, or not at all: on
 * a prairie with a gauge beside the probe (Kings Creek, two years), whatever was taken off for rain
 * that such a sensor did not show within two hours made the deficit less right.
 */
const SHALLOW_CM = 10;
const SHALLOW_SOAKING_MS = 2 * HOUR_MS;

/** The clocks of a rain gauge and of a probe may differ by this much. */
const CLOCK_TOLERANCE_MS = HOUR_MS;

/**
 * Less rain only wets the leaves and the surface, and evaporates. Source: FAO-56, chapter 8, which
 * ignores daily rain below about 0.2 ET0: 1 mm where ET0 is 5 mm.
 */
const MIN_RAIN_MM = 1;

interface DepthReadings {
  readonly depthCm: number;
  readonly points: readonly TimedValue[];
  /** The smallest rise, in points of volume, that is more than noise. */
  readonly minRise: number;
}

interface SplitRain {
  /** Rain that ended less than the soaking time before the newest reading, or after it. */
  readonly recentMm: number;
  /**
   * Moisture has risen since the recent rain began, so that readings show that rain at least in
   * part.
   */
  readonly isShown: boolean;
  /**
   * No depth has risen since the recent rain began, nor will one: it stayed on leaves or ran off.
   */
  readonly isLost: boolean;
  /** Earlier rain: the readings already include all of it that reached the roots. */
  readonly earlierMm: number;
}

/** Splits the rain between `since` and now by whether sensors can already show it. */
export function splitRecentRain(
  rain: readonly RainContribution[],
  {
    newestAt,
    depths,
    since,
  }: { readonly newestAt: number; readonly depths: readonly DepthReadings[]; since: number },
): SplitRain {
  const recent = rain.filter((contribution) => rainEnd(contribution) > newestAt - SOAKING_MS);
  const earlier = rain.filter(
    (contribution) => !recent.includes(contribution) && fellAfter(contribution, since),
  );
  const startedAt = Math.min(...recent.map(({ record }) => record.startedAt));
  const shallowSoakedAt = Math.max(...recent.map(rainEnd)) + SHALLOW_SOAKING_MS;
  const isShown = depths.some((depth) => hasRisenSince(depth, startedAt - CLOCK_TOLERANCE_MS));
  return {
    recentMm: wettingMm(recent),
    isShown,
    isLost: !isShown && depths.some((depth) => isShallowWithReading(depth, shallowSoakedAt)),
    earlierMm: wettingMm(earlier),
  };
}

const isShallowWithReading = ({ depthCm, points }: DepthReadings, from: number): boolean =>
  depthCm <= SHALLOW_CM && (points.at(-1)?.at ?? Number.NEGATIVE_INFINITY) >= from;

/** 0 for rain that is too little to reach the roots. */
function wettingMm(rain: readonly RainContribution[]): number {
  const mm = totalMm(rain);
  return mm < MIN_RAIN_MM ? 0 : mm;
}

function hasRisenSince({ points, minRise }: DepthReadings, startAt: number): boolean {
  const values = points.filter(({ at }) => at >= startAt).map(({ value }) => value);
  return values.length > 0 && lastOf(values) - Math.min(...values) > minRise;
}

interface RainDuringWettingEvent {
  readonly mm: number;
  /** The rain may explain the whole rise. */
  readonly isEnough: boolean;
}

/**
 * 1 mm of rain adds about 1 mm to the soil, but a sensor near the surface, which stands for a slice
 * of 10 cm or more, shows more than its slice gained. Beside the gauge of Kings Creek, 25 of the 36
 * rises after rain that a limit of 1.3 did not explain were 1.3 to 2.5 times the rain.
 */
const MAX_GAIN_PER_RAIN = 2.5;

/** A rise that starts then may be of this rain. */
export const mayHaveWetted = (contribution: RainContribution, start: number): boolean =>
  start >= contribution.record.startedAt - CLOCK_TOLERANCE_MS &&
  start <= rainEnd(contribution) + SOAKING_MS;

/**
 * Rain recorded at the time of a rise; null if there was none. `recorded` is that of its parcel.
 */
export function rainDuringWettingEvent(
  { start, riseMm }: { readonly start: number; readonly riseMm: number | null },
  recorded: readonly RainContribution[],
): RainDuringWettingEvent | null {
  const rain = recorded.filter((contribution) => mayHaveWetted(contribution, start));
  if (rain.length === 0) return null;
  const mm = totalMm(rain);
  return { mm, isEnough: riseMm === null || riseMm <= MAX_GAIN_PER_RAIN * mm };
}

/** Amounts in mm over the whole area. */
interface WateringAfterRain {
  readonly plannedMm: number;
  /** Time until the planned start. */
  readonly aheadMs: number;
  /** Time until the watering planned after it; null without one. */
  readonly nextAheadMs: number | null;
  /** Water comes at some times only, the next of which is then. */
  readonly waitsForTurn: boolean;
  /** Water that the soil still lacks after the rain. */
  readonly neededMm: number;
  readonly daysToStress: number | null;
  /** Rain that serves the roots in the wetted part of the area. */
  readonly effectiveRainMm: number;
}

/**
 * An assumption. Of the planned dose, the soil may still lack at most this share, and rain must
 * have given at least this share.
 */
const DOSE_SHARE = 0.25;

/**
 * Also requires that the crop lasts until a day after the planned start, and until the watering
 * after it: who skips a turn of eight days waits for the next one.
 */
export const isNeedlessAfterRain = (watering: WateringAfterRain): boolean =>
  watering.neededMm <= DOSE_SHARE * watering.plannedMm &&
  watering.effectiveRainMm >= DOSE_SHARE * watering.plannedMm &&
  lastsWithoutIt(watering);

function lastsWithoutIt({
  daysToStress,
  aheadMs,
  nextAheadMs,
  waitsForTurn,
}: WateringAfterRain): boolean {
  if (!isForeseen(daysToStress)) return !waitsForTurn;
  if (daysToStress * DAY_MS <= aheadMs + DAY_MS) return false;
  if (nextAheadMs === null) return !waitsForTurn;
  return surelyLastsUntil(daysToStress, nextAheadMs / DAY_MS);
}
