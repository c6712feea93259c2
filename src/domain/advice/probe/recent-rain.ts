import { lastWateringEnd, type WateringFacts } from '../../facts/watering-facts.ts';
import type { TimedValue } from '../../moisture/series.ts';
import { minRiseHeight } from '../../moisture/wetting-events.ts';
import type { RainContribution } from '../../weather/rain.ts';
import { effectiveRainMm, splitRecentRain } from '../rain-effect.ts';
import type { WaterDeficit } from '../watering-advice.ts';

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

export interface FallenRain {
  readonly recent: RecentRain | null;
  readonly inReadings: RainInReadings | null;
}

/** In mm of the need, as far as it reaches the roots. */
export interface RainToSubtract extends FallenRain {
  readonly recentMm: number;
  /** With the expected rain. */
  readonly totalMm: number;
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
): FallenRain {
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

export function rainToSubtract(
  fallen: FallenRain,
  expectedMm: number,
  deficit: WaterDeficit | null,
): RainToSubtract {
  const countedMm = fallen.recent?.countedMm ?? 0;
  const deficitMm = deficit?.deficitMm ?? 0;
  return {
    ...fallen,
    recentMm: effectiveRainMm(countedMm, deficitMm),
    totalMm: effectiveRainMm(expectedMm + countedMm, deficitMm),
  };
}
