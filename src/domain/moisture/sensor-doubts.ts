import { DAY_MS } from '../periods.ts';
import { driestMoisture, type SoilConstants } from '../soil/soil-catalog.ts';

export const SENSOR_DOUBTS = ['TOO_DRY_FOR_SOIL', 'TOO_WET_FOR_SOIL', 'SENSOR_STUCK'] as const;
export type SensorDoubtReason = (typeof SENSOR_DOUBTS)[number];

/** In points above saturation: room for the calibration of the sensor and the spread within a texture class. */
const MAX_ABOVE_SATURATION = 5;

/** `limit` is what the soil can dry to, or hold, in %. */
interface ImplausibleValue {
  readonly reason: 'TOO_DRY_FOR_SOIL' | 'TOO_WET_FOR_SOIL';
  readonly limit: number;
}

export function implausibleValue(
  moisture: number,
  { wiltingPoint, saturation }: Pick<SoilConstants, 'wiltingPoint' | 'saturation'>,
): ImplausibleValue | null {
  const [driest, wettest] = [100 * driestMoisture(wiltingPoint), 100 * saturation];
  if (moisture < driest) return { reason: 'TOO_DRY_FOR_SOIL', limit: driest };
  return moisture > wettest + MAX_ABOVE_SATURATION ? { reason: 'TOO_WET_FOR_SOIL', limit: wettest } : null;
}

/** How long a sensor has repeated its value, and what it did before. In ms and points. */
interface ValueHolds {
  readonly presentMs: number;
  /** Before the present value; 0 where nothing is known. */
  readonly earlierMs: number;
  readonly longestEarlierMs: number;
  /** Null where it never changed. */
  readonly smallestStep: number | null;
}

/** What another sensor of the probe did in the last `MOVING_MS`. */
export interface RecentMovement {
  readonly range: number;
  readonly smallestStep: number | null;
}

export const MOVING_MS = 3 * DAY_MS;
const ALONE_MS = 5 * DAY_MS;

/** A slow drying moves a depth by about 0.1 points a day; a smaller change may be the daily swing of temperature. */
const LEAST_MOVEMENT_POINTS = 0.3;
/** Of a sensor with the usual step. In finer steps it shows a smaller movement. */
const USUAL_MOVEMENT_POINTS = 1;
const LEAST_MOVEMENT_STEPS = 3;

/**
 * A value that lasts this many times longer than any before is not the rest of the soil. With 3, no sensor of a year
 * of hourly readings at six depths (OpenAgri, 2023-2024, steps of 0.01) is in doubt, though the deepest rests 14 days.
 */
const LONGER_THAN_EVER = 3;

/** The step for which the days of the rule hold. A sensor with steps of 1 % may repeat a value ten times as long. */
const USUAL_STEP_POINTS = 0.1;

/**
 * Exactly one value for 3 days beside a depth that moves, or for 5 days alone, and much longer than ever before. A
 * coarse sensor repeats a value for as long as the soil takes to change by a step, which its past shows where it is
 * as long. A sensor that never changed is taken to have the steps of the others.
 */
export function isStuck(
  { presentMs, earlierMs, longestEarlierMs, smallestStep }: ValueHolds,
  others: readonly RecentMovement[],
): boolean {
  const knownSteps = others.flatMap((other) => other.smallestStep ?? []);
  const step = smallestStep ?? (knownSteps.length === 0 ? 0 : Math.min(...knownSteps));
  const coarseness = Math.max(1, step / USUAL_STEP_POINTS);
  const usualMs = LONGER_THAN_EVER * longestEarlierMs;
  if (presentMs >= Math.max(ALONE_MS * coarseness, usualMs)) return true;
  const minMovement = Math.max(
    LEAST_MOVEMENT_POINTS,
    USUAL_MOVEMENT_POINTS * Math.min(1, step / USUAL_STEP_POINTS),
    LEAST_MOVEMENT_STEPS * step,
  );
  const hasLongPast = earlierMs >= presentMs;
  return (
    others.some(({ range }) => range >= minMovement) &&
    presentMs >= Math.max(hasLongPast ? MOVING_MS : MOVING_MS * coarseness, usualMs)
  );
}
