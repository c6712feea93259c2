import { DAY_MS } from '../periods.ts';

/**
 * A message that arrives by itself is not older, whatever its probe stored without a connection.
 */
const MAX_AGE_MS = 366 * DAY_MS;

/** True for the instant of a clock that was never set, such as one in 1970 or 2000. */
export const isOfUnsetClock = (at: number, arrivedAt: number): boolean =>
  at < arrivedAt - MAX_AGE_MS;

/** No soil holds as much as 1 m3/m3, and few are ever as dry as 1 %. */
export const HIGHEST_FRACTION = 1;

/** True for a moisture in % that may be one in m3/m3. */
export const mayBeFraction = (moisture: number): boolean =>
  moisture > 0 && moisture < HIGHEST_FRACTION;

/** In °C: no soil below the first centimetres is as warm, even under black mulch. */
const LOWEST_DOUBTFUL_C = 50;
export const LOWEST_DOUBTFUL_NEAR_SURFACE_C = 70;
const NEAR_SURFACE_CM = 10;

/** A depth of null is that of a sensor in the air. */
export const isDoubtfulTemperature = (celsius: number, depthCm: number | null): boolean =>
  celsius > ((depthCm ?? 0) > NEAR_SURFACE_CM ? LOWEST_DOUBTFUL_C : LOWEST_DOUBTFUL_NEAR_SURFACE_C);
