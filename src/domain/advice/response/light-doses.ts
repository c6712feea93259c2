import { firstOf } from '../../items.ts';
import { rootUptakeShare } from '../../moisture/summary-curve.ts';
import { DAY_MS } from '../../periods.ts';
import { slicesOf } from '../../soil/slices.ts';
import type { DepthCurve } from '../watering-response.ts';

/**
 * Over the whole area. Source: FAO-56; an orchard or vineyard in summer, with a reference
 * evapotranspiration of some 6 mm and a crop coefficient of 0.7.
 */
const USE_MM_PER_DAY = 4;

/**
 * In the wetted zone: less may stay above the sensors. With each day of so much rain taken for a
 * watering, a year of OpenAgri has no two in a row that its depths did not show.
 */
export const MIN_DOSE_MM = 5;

/**
 * The share of what the soil above the top sensor lacks to field capacity that must have been given
 * before the sensor can be expected to rise. An assumption: below an emitter water reaches a depth
 * before all of the soil above it is full.
 */
const SHARE_TO_REACH_SENSOR = 0.5;

export interface TimedDose {
  readonly start: number;
  /** Over the wetted zone, and over the whole area. */
  readonly mm: number;
  readonly areaMm: number;
}

/**
 * After each dose, what the soil above the top sensor still holds of all of them, in mm of the wetted
 * zone: between two doses the crop drinks.
 */
export function heldAboveSensorMm(
  doses: readonly TimedDose[],
  curves: readonly Pick<DepthCurve, 'depthCm' | 'slice'>[],
): number[] {
  const shareAbove = uptakeShareAboveTop(curves);
  let held = 0;
  return doses.map(({ start, mm, areaMm }, index) => {
    const days = (start - (doses[index - 1]?.start ?? start)) / DAY_MS;
    const usedPerDay = areaMm > 0 ? (USE_MM_PER_DAY * shareAbove * mm) / areaMm : 0;
    held = Math.max(0, held - days * usedPerDay) + mm;
    return held;
  });
}

/** Of all that the roots take up. */
function uptakeShareAboveTop(curves: readonly Pick<DepthCurve, 'depthCm' | 'slice'>[]): number {
  const depthsCm = curves.map(({ depthCm }) => depthCm);
  const known = curves.flatMap(({ slice }) => slice?.bottomCm ?? []);
  const measured = slicesOf(depthsCm, null).flatMap((slice) => slice?.bottomCm ?? []);
  const rootDepthCm = Math.max(firstOf(depthsCm), ...(known.length > 0 ? known : measured));
  return rootUptakeShare({ topCm: 0, bottomCm: firstOf(depthsCm) }, rootDepthCm);
}

/** `lackMm`: of the soil above the sensor to field capacity. */
export const reachesSensor = (heldMm: number, lackMm: number): boolean =>
  heldMm >= SHARE_TO_REACH_SENSOR * lackMm;
