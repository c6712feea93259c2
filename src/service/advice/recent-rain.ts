import { effectiveRainMm, rainAndReadings } from '../../domain/advice/rain-effect.ts';
import { minRiseHeight } from '../../domain/moisture/rises.ts';
import { fallenRain, rainOfPeriodByDay } from '../../domain/weather/rain.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { AdviceInputs } from './advice-inputs.ts';
import { runPeriod } from './operation-reads.ts';

/** Recorded rain that an advice counts or mentions; null for none of late. */
interface RecentRain {
  readonly mm: number;
  /** Whether the sensors show it already, so that it is not counted again. */
  readonly isShown: boolean;
  /** To be taken from the need, before the share that reaches the roots. */
  readonly countedMm: number;
}

/**
 * Of the rain since the last watering, the readings have what has soaked in. Only what they cannot show yet is taken from
 * what they say is missing.
 */
export function recentRain(
  call: ComposedCall,
  { newestAt, depths, done, module, rain }: Pick<AdviceInputs, 'newestAt' | 'depths' | 'done' | 'module' | 'rain'>,
): RecentRain | null {
  if (newestAt === null) return null;
  const wateredAt = done.length === 0 ? null : Math.max(...done.map((watering) => runPeriod(watering).end));
  const { recentMm, isShown, earlierMm } = rainAndReadings(fallenRain(rainOfPeriodByDay(rain, module.parcelId)), {
    newestAt,
    depths: depths.map(({ points }) => ({ points, minRise: minRiseHeight(points) })),
    since: wateredAt ?? Number.NEGATIVE_INFINITY,
  });
  if (earlierMm > 0)
    call.note({
      kind: 'rain_in_readings',
      ...{ mm: earlierMm, effectiveMm: effectiveRainMm(earlierMm), since: wateredAt },
    });
  return recentMm === 0 ? null : { mm: recentMm, isShown, countedMm: isShown ? 0 : recentMm };
}
