import type { TimedValue } from '../moisture/series.ts';
import { DAY_MS, HOUR_MS } from '../periods.ts';
import { type DayOfRain, type FallenRain, fallenRain } from '../weather/rain.ts';
import { isImplausibleGain } from './watering-response.ts';

/**
 * The rest runs off, drains or evaporates: usually 10 to 30 %. Source: M. Smith (1992), CROPWAT, FAO Irrigation and
 * Drainage Paper 46.
 */
export const EFFECTIVE_RAIN_PERCENT = 80;

/**
 * In mm, of which the root zone keeps no more than it lacks (FAO-56, chapter 8, equation 85). Rain falls on the whole
 * area, so a millimetre of it is a millimetre in the wetted zone too, where irrigation has to put down the wetted
 * fraction of one. Roots outside the wetted zone, which rain also reaches, are left out.
 */
export const effectiveRainMm = (rainMm: number, deficitMm = Number.POSITIVE_INFINITY): number =>
  Math.min(deficitMm, (rainMm * EFFECTIVE_RAIN_PERCENT) / 100);

/** In ms; without an end it is at its start. */
export const rainEnd = ({ record }: FallenRain): number => record.endedAt ?? record.startedAt;

export const totalMm = (rain: readonly FallenRain[]): number => rain.reduce((sum, { mm }) => sum + mm, 0);

/** Time that water takes to reach the sensors. */
export const SOAKING_MS = 6 * HOUR_MS;

/** Clocks differ. */
const CLOCK_MS = HOUR_MS;

/**
 * Less wets leaves and the surface, and evaporates. Source: FAO-56, chapter 8: rain of a day below about 0.2 ET0, which is
 * 1 mm where ET0 is 5 mm.
 */
const MIN_RAIN_MM = 1;

interface DepthReadings {
  readonly points: readonly TimedValue[];
  /** Points of volume, more than noise. */
  readonly minRise: number;
}

interface RainAndReadings {
  /** Fallen in the soaking time before the newest reading, or after it. */
  readonly recentMm: number;
  /** Whether moisture rises since it began: then the readings show it, at least in part. */
  readonly isShown: boolean;
  /** Fallen before: the readings have all of it that reached the roots. */
  readonly earlierMm: number;
}

/** What has fallen between `since` and now, by whether sensors can show it. */
export function rainAndReadings(
  rain: readonly FallenRain[],
  { newestAt, depths, since }: { readonly newestAt: number; readonly depths: readonly DepthReadings[]; since: number },
): RainAndReadings {
  const recent = rain.filter((each) => rainEnd(each) > newestAt - SOAKING_MS);
  const earlier = rain.filter((each) => !recent.includes(each) && rainEnd(each) > since);
  const startedAt = Math.min(...recent.map(({ record }) => record.startedAt));
  return {
    recentMm: wettingMm(recent),
    isShown: depths.some((depth) => hasRisenSince(depth, startedAt - CLOCK_MS)),
    earlierMm: wettingMm(earlier),
  };
}

function wettingMm(rain: readonly FallenRain[]): number {
  const mm = totalMm(rain);
  return mm < MIN_RAIN_MM ? 0 : mm;
}

function hasRisenSince({ points, minRise }: DepthReadings, at: number): boolean {
  const since = points.filter((point) => point.at >= at).map(({ value }) => value);
  return since.length > 0 && since.at(-1)! - Math.min(...since) > minRise;
}

interface RainOfRise {
  readonly mm: number;
  /** Whether it may have made the soil gain as much: one mm of rain is at most about one mm in the soil. */
  readonly isEnough: boolean;
}

/** Recorded rain at the time of a rise, of the days as they count for its parcel; null for none. */
export function rainOfRise(
  { start, riseMm }: { readonly start: number; readonly riseMm: number | null },
  days: readonly DayOfRain[],
): RainOfRise | null {
  const then = fallenRain(days).filter(
    (each) => start >= each.record.startedAt - CLOCK_MS && start <= rainEnd(each) + SOAKING_MS,
  );
  if (then.length === 0) return null;
  const mm = totalMm(then);
  return { mm, isEnough: !isImplausibleGain(riseMm, mm) };
}

/** Amounts in mm over the whole area. */
interface WateringAfterRain {
  readonly plannedMm: number;
  /** Until the planned start. */
  readonly aheadMs: number;
  /** Still missing after the rain. */
  readonly neededMm: number;
  readonly daysToStress: number | null;
  /** For the roots, on the wetted part of the area. */
  readonly effectiveRainMm: number;
}

/** More of a dose is a need of its own; less of rain has not replaced it. */
const SHARE = 0.25;

/**
 * Whether at most a quarter of a planned dose is still missing, rain gave at least as much as a quarter of it, and no
 * stress is near before the day after the planned one.
 */
export const isNeedlessAfterRain = (watering: WateringAfterRain): boolean =>
  watering.neededMm <= SHARE * watering.plannedMm &&
  watering.effectiveRainMm >= SHARE * watering.plannedMm &&
  (watering.daysToStress === null || watering.daysToStress * DAY_MS > watering.aheadMs + DAY_MS);
