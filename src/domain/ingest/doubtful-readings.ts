import { DAY_MS } from '../periods.ts';

/** A message that arrives by itself is not older, whatever its probe stored without a connection. */
const MAX_AGE_MS = 366 * DAY_MS;

/** True for the instant of a clock that was never set, such as one in 1970 or 2000. */
export const isOfUnsetClock = (at: number, arrivedAt: number): boolean =>
  at < arrivedAt - MAX_AGE_MS;

/** No soil holds as much as 1 m3/m3, and few are ever as dry as 1 %. */
export const HIGHEST_FRACTION = 1;

/** True for a moisture in % that may be one in m3/m3. */
export const mayBeFraction = (moisture: number): boolean =>
  moisture > 0 && moisture < HIGHEST_FRACTION;
