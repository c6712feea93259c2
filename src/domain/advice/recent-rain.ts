import type { TimedValue } from '../moisture/series.ts';
import { HOUR_MS } from '../periods.ts';
import type { FallenRain } from '../weather/rain.ts';

/** Time that water takes to reach the sensors. */
export const SOAKING_MS = 6 * HOUR_MS;

/** Clocks differ. */
const CLOCK_MS = HOUR_MS;

/**
 * Less wets leaves and the surface, and evaporates. Source: FAO-56, chapter 8: rain of a day below about 0.2 ET0, which is
 * 1 mm where ET0 is 5 mm.
 */
const MIN_RAIN_MM = 1;

export interface DepthReadings {
  readonly points: readonly TimedValue[];
  /** Points of volume, more than noise. */
  readonly minRise: number;
}

export interface RainAndReadings {
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
  const endOf = ({ record }: FallenRain): number => record.endedAt ?? record.startedAt;
  const recent = rain.filter((each) => endOf(each) > newestAt - SOAKING_MS);
  const earlier = rain.filter((each) => !recent.includes(each) && endOf(each) > since);
  const startedAt = Math.min(...recent.map(({ record }) => record.startedAt));
  return {
    recentMm: sumOf(recent),
    isShown: depths.some((depth) => hasRisenSince(depth, startedAt - CLOCK_MS)),
    earlierMm: sumOf(earlier),
  };
}

function sumOf(rain: readonly FallenRain[]): number {
  const mm = rain.reduce((sum, each) => sum + each.mm, 0);
  return mm < MIN_RAIN_MM ? 0 : mm;
}

function hasRisenSince({ points, minRise }: DepthReadings, at: number): boolean {
  const since = points.filter((point) => point.at >= at).map(({ value }) => value);
  return since.length > 0 && since.at(-1)! - Math.min(...since) > minRise;
}
