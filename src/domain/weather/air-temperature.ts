import type { LocalDay } from '../local-day.ts';
import { mean } from '../statistics.ts';

export interface DayOfTemperatures {
  /** A local date. */
  readonly day: string;
  /** In degrees Celsius. */
  readonly temperatureMin: number | null;
  readonly temperatureMax: number | null;
}

interface KnownWeather {
  readonly data: readonly DayOfTemperatures[];
  readonly forecast: { readonly lastDays?: readonly DayOfTemperatures[] } | null;
}

const isKnown = ({ temperatureMin, temperatureMax }: DayOfTemperatures): boolean =>
  temperatureMin !== null && temperatureMax !== null;

/** The temperatures of the farm, and on other days those that came with the forecast. */
export function airTemperatures({ data, forecast }: KnownWeather): DayOfTemperatures[] {
  const ofFarm = data.filter(isKnown);
  const days = new Set(ofFarm.map(({ day }) => day));
  const ofForecast = (forecast?.lastDays ?? []).filter(({ day }) => !days.has(day));
  return [...ofFarm, ...ofForecast];
}

/**
 * The mean in degrees Celsius of the last `days` days before today; null where more than half of
 * them are unknown. The mean of a day is that of its extremes (FAO-56, equation 9).
 */
export function meanAirTemperature(
  weather: readonly DayOfTemperatures[],
  today: LocalDay,
  days: number,
): number | null {
  const from = today.plus(-days).iso;
  const until = today.iso;
  const means = weather.flatMap(({ day, temperatureMin, temperatureMax }) =>
    day >= from && day < until && temperatureMin !== null && temperatureMax !== null
      ? [(temperatureMin + temperatureMax) / 2]
      : [],
  );
  return 2 * means.length < days ? null : mean(means);
}
