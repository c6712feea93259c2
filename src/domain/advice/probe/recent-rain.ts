import { lastWateringEnd, type WateringFacts } from '../../facts/watering-facts.ts';
import type { TimedValue } from '../../moisture/series.ts';
import { minRiseHeight } from '../../moisture/wetting-events.ts';
import type { RainContribution } from '../../weather/rain.ts';
import { effectiveRainMm, splitRecentRain } from '../rain-effect.ts';

/** Recorded rain that an advice counts or mentions. */
export interface RecentRain {
  readonly mm: number;
  /** True if the sensors show it already, so that it is not counted again. */
  readonly isShown: boolean;
  /** True if it has not reached the sensors and no longer will. */
  readonly isLost: boolean;
  /** The rain to subtract from the need, before the share that reaches the roots is applied. */
  readonly countedMm: number;
}

/** Rain that the readings already include. */
export interface RainInReadings {
  readonly mm: number;
  readonly effectiveMm: number;
  /** The end of the last watering; null without one. */
  readonly since: number | null;
}

/**
 * The readings already include the rain since the last watering that has soaked in. Only rain that
 * they cannot show yet is subtracted from the deficit that they show.
 */
export function recentRain(
  rain: readonly RainContribution[],
  {
    newestAt,
    depths,
    done,
  }: {
    readonly newestAt: number | null;
    readonly depths: readonly {
      readonly depthCm: number;
      readonly points: readonly TimedValue[];
    }[];
    readonly done: readonly WateringFacts[];
  },
): { readonly recent: RecentRain | null; readonly inReadings: RainInReadings | null } {
  if (newestAt === null || rain.length === 0) return { recent: null, inReadings: null };

  const since = lastWateringEnd(done);
  const { recentMm, isShown, isLost, earlierMm } = splitRecentRain(rain, {
    newestAt,
    depths: depths.map(({ depthCm, points }) => ({
      depthCm,
      points,
      minRise: minRiseHeight(points),
    })),
    since: since ?? Number.NEGATIVE_INFINITY,
  });

  return {
    recent:
      recentMm === 0
        ? null
        : { mm: recentMm, isShown, isLost, countedMm: isShown || isLost ? 0 : recentMm },
    inReadings:
      earlierMm === 0 ? null : { mm: earlierMm, effectiveMm: effectiveRainMm(earlierMm), since },
  };
}
