import { lastWateringEnd, type WateringFacts } from '../../facts/watering-facts.ts';
import type { TimedValue } from '../../moisture/series.ts';
import { minRiseHeight } from '../../moisture/wetting-events.ts';
import type { RainContribution } from '../../weather/rain.ts';
import { effectiveRainMm, splitRecentRain } from '../rain-effect.ts';
import type { WaterDeficit } from '../watering-advice.ts';

/** Recorded rain that an advice counts or mentions. */
interface RecentRain {
  readonly mm: number;
  /** True if the sensors show it already, so that it is not counted again. */
  readonly isShown: boolean;
  /** True if it has not reached the sensors and no longer will. */
  readonly isLost: boolean;
  /** Subtracted from the need, as far as it reaches the roots; null where the need is unknown. */
  readonly effectiveMm: number | null;
}

/** Rain that the readings already include. */
interface RainInReadings {
  readonly mm: number;
  readonly effectiveMm: number;
  /** The end of the last watering; null without one. */
  readonly since: number | null;
}

export interface FallenRain {
  readonly recent: RecentRain | null;
  readonly inReadings: RainInReadings | null;
}

export const NO_RAIN: FallenRain = { recent: null, inReadings: null };

export interface RainToSubtract extends FallenRain {
  /**
   * The part of the need that rain covers, with the expected rain, as far as it reaches the roots.
   */
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
  if (newestAt === null || rain.length === 0) return NO_RAIN;

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
    recent: recentMm === 0 ? null : { mm: recentMm, isShown, isLost, effectiveMm: null },
    inReadings:
      earlierMm === 0 ? null : { mm: earlierMm, effectiveMm: effectiveRainMm(earlierMm), since },
  };
}

export function rainToSubtract(
  { recent, inReadings }: FallenRain,
  expectedMm: number,
  deficit: WaterDeficit | null,
): RainToSubtract {
  const countedMm = recent === null || recent.isShown || recent.isLost ? 0 : recent.mm;
  const deficitMm = deficit?.deficitMm ?? 0;
  const effectiveMm = deficit && effectiveRainMm(countedMm, deficitMm);
  return {
    recent: recent && { ...recent, effectiveMm },
    inReadings,
    totalMm: effectiveRainMm(expectedMm + countedMm, deficitMm),
  };
}
