import { DAY_MS } from '../periods.ts';

/** Amounts in mm over the whole area. */
export interface WateringAfterRain {
  readonly plannedMm: number;
  /** Until the planned start. */
  readonly aheadMs: number;
  /** Still missing after the rain. */
  readonly neededMm: number;
  readonly daysToStress: number | null;
  /** For the roots, on the wetted part of the area. */
  readonly effectiveRainMm: number;
}

/** More of a dose is a need of its own; less of rain has not replaced it. */
const SHARE = 0.25;

/**
 * Whether at most a quarter of a planned dose is still missing, rain gave at least as much as a quarter of it, and no
 * stress is near before the day after the planned one.
 */
export const isNeedlessAfterRain = (watering: WateringAfterRain): boolean =>
  watering.neededMm <= SHARE * watering.plannedMm &&
  watering.effectiveRainMm >= SHARE * watering.plannedMm &&
  (watering.daysToStress === null || watering.daysToStress * DAY_MS > watering.aheadMs + DAY_MS);
