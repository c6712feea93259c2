import type { ProbeFacts } from '../../facts/probe-facts.ts';
import type { FarmConditions } from '../probe/farm-conditions.ts';
import type { WaterAndWeather } from './balance-days.ts';

/** The weather, and the water that reached the soil of a probe, as far back as its balance may begin. */
export function pastOfProbe(
  { module: { parcelId }, waterings, earlierWaterings }: ProbeFacts,
  farm: FarmConditions,
): Pick<WaterAndWeather, 'now' | 'zone' | 'weather' | 'rain' | 'waterings'> {
  const past = farm.longPast ?? farm;
  return {
    now: past.now,
    zone: past.zone,
    weather: past.weather,
    rain: past.isOutdoors(parcelId) ? past.rainOn(parcelId) : [],
    waterings: [...earlierWaterings, ...waterings],
  };
}
