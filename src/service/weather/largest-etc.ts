import { largestCropEvapotranspiration } from '../../domain/weather/evapotranspiration.ts';
import type { Call } from '../../operation/call.ts';
import { listWeather } from './weather-days.ts';

/** The largest of the last two weeks, in mm a day; null where too few days are known. */
export async function largestEtc(call: Pick<Call, 'db' | 'now' | 'zone'>): Promise<number | null> {
  const { data } = await listWeather(call, {});
  return largestCropEvapotranspiration(data.map(({ et0Mm }) => et0Mm));
}
