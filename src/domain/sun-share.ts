import { epochDay } from './calendar.ts';
import { civilAt } from './zone.ts';

/** Hours between which the sun is taken to shine, by the clock; seasons and longitudes move them by an hour or two. */
const SUNRISE_HOUR = 7;
const SUNSET_HOUR = 19;

/**
 * The share of a day's sun that falls between two instants (ms), more than 1 where they are more than a day apart. It rises
 * and sinks like a half sine, and what plants draw with it. Source: R. D. Jackson et al. (1983), Estimation of Daily
 * Evapotranspiration from one Time-of-Day Measurements, Agric. Water Manage. 7.
 */
export const sunShare = (from: number, to: number, zone: string): number =>
  sunDaysUntil(to, zone) - sunDaysUntil(from, zone);

/** Days of sun since 1970. */
function sunDaysUntil(at: number, zone: string): number {
  const civil = civilAt(at, zone);
  const hour = civil.hour + civil.minute / 60;
  const height = Math.min(1, Math.max(0, (hour - SUNRISE_HOUR) / (SUNSET_HOUR - SUNRISE_HOUR)));
  return epochDay(civil) + (1 - Math.cos(Math.PI * height)) / 2;
}
