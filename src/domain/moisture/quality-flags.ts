import { DAY_MS } from '../periods.ts';
import { driestMoisture, type SoilConstants } from '../soil/soil-catalog.ts';

export const QUALITY_FLAGS = [
  'TOO_DRY_FOR_SOIL',
  'TOO_WET_FOR_SOIL',
  'SENSOR_FELL',
  'SENSOR_NOISY',
  'SENSOR_DRIFTS',
  'SENSOR_STUCK',
] as const;
export type QualityFlag = (typeof QUALITY_FLAGS)[number];

const FLAGS: ReadonlySet<string> = new Set(QUALITY_FLAGS);

export const isQualityFlag = (reason: string): reason is QualityFlag => FLAGS.has(reason);

/** Both leave room for the calibration of the sensor and the spread within a texture class. */
const MAX_POINTS_ABOVE_SATURATION = 5;
/** Less than above saturation, because sand keeps no more than 2.5 %. */
const MAX_POINTS_BELOW_DRIEST = 2;

/** Neither evaporation nor cracks dry the soil from here on. */
const ROOTS_ALONE_FROM_CM = 30;
/**
 * Roots do not dry soil below its wilting point. Within a texture class, and with a sensor whose
 * calibration is a little off, it reads less by this share of it at most, or by these points.
 */
const MAX_SHARE_BELOW_WILTING_POINT = 0.25;
const MAX_POINTS_BELOW_WILTING_POINT = 5;

/**
 * Whether a sensor reads less than roots leave where only they dry the soil, however slowly it came
 * there: a sensor may lose contact with the soil little by little.
 */
export function undercutsWiltingPoint(
  moisture: number,
  depthCm: number,
  { wiltingPoint }: Pick<SoilConstants, 'wiltingPoint'>,
): boolean {
  const limit = 100 * wiltingPoint;
  const margin = Math.max(MAX_POINTS_BELOW_WILTING_POINT, MAX_SHARE_BELOW_WILTING_POINT * limit);
  return depthCm >= ROOTS_ALONE_FROM_CM && moisture < limit - margin;
}

interface ImplausibleValue {
  readonly reason: 'TOO_DRY_FOR_SOIL' | 'TOO_WET_FOR_SOIL';
  /** The driest or wettest that the soil can be, in %. */
  readonly limit: number;
}

export function implausibleValue(
  moisture: number,
  { wiltingPoint, saturation }: Pick<SoilConstants, 'wiltingPoint' | 'saturation'>,
): ImplausibleValue | null {
  const [driest, wettest] = [100 * driestMoisture(wiltingPoint), 100 * saturation];
  if (moisture < driest - MAX_POINTS_BELOW_DRIEST)
    return { reason: 'TOO_DRY_FOR_SOIL', limit: driest };
  return moisture > wettest + MAX_POINTS_ABOVE_SATURATION
    ? { reason: 'TOO_WET_FOR_SOIL', limit: wettest }
    : null;
}

/** How long a sensor has repeated its present value, and how its values changed before. */
interface ValueDurations {
  readonly presentMs: number;
  /**
   * By how many points it moved in each of the `MOVING_STRETCHES` before the present value, of
   * `STUCK_WHILE_OTHERS_MOVE_MS` each.
   */
  readonly earlierRanges: readonly number[];
  /** The longest time that an earlier value lasted. */
  readonly longestEarlierMs: number;
  /** The step in points; null if the value never changed. */
  readonly smallestStep: number | null;
}

/** How another sensor of the probe changed within `STUCK_WHILE_OTHERS_MOVE_MS`, in points. */
export interface RecentMovement {
  readonly range: number;
  readonly smallestStep: number | null;
}

export const STUCK_WHILE_OTHERS_MOVE_MS = 3 * DAY_MS;
const STUCK_ANYWAY_MS = 5 * DAY_MS;

/**
 * Slow drying changes moisture by about 0.1 points a day; a smaller change may be the daily swing
 * of temperature.
 */
const MIN_MOVEMENT_POINTS = 0.3;
/** The limit of a sensor with the usual step; one with finer steps shows smaller movements. */
const USUAL_MOVEMENT_POINTS = 1;
const MIN_MOVEMENT_STEPS = 3;

/**
 * A value that lasts this many times longer than any before does not come from soil at rest. With
 * 3, no sensor of a year of hourly readings at six depths (OpenAgri, 2023-2024, steps of 0.01) is
 * in doubt, although the deepest one repeats a value for 14 days.
 */
const STUCK_DURATION_FACTOR = 3;

/** The step for which `STUCK_ANYWAY_MS` applies. With steps of 1 % it is ten times as long. */
const USUAL_STEP_POINTS = 0.1;

/** One after the other, directly before the present value. */
export const MOVING_STRETCHES = 3;
/** A sensor that rests where it rounds up or down flickers by one step, which is no movement. */
const MORE_THAN_ONE_STEP = 1.5;

/**
 * A stuck sensor repeats exactly one value for 3 days while another depth moves, or for 5 days
 * otherwise, and much longer than ever before. A coarse sensor at a calm depth may rest on a value
 * for weeks while the soil above is watered and dries, so that other depths tell only of one that
 * moved all the time before. A sensor that never changed is assumed to have the steps of the others.
 */
export function isStuck(
  { presentMs, earlierRanges, longestEarlierMs, smallestStep }: ValueDurations,
  others: readonly RecentMovement[],
): boolean {
  const knownSteps = others.flatMap((other) => other.smallestStep ?? []);
  const step = smallestStep ?? (knownSteps.length === 0 ? 0 : Math.min(...knownSteps));
  const coarseness = Math.max(1, step / USUAL_STEP_POINTS);
  const longerThanEverMs = STUCK_DURATION_FACTOR * longestEarlierMs;
  if (presentMs >= Math.max(STUCK_ANYWAY_MS * coarseness, longerThanEverMs)) return true;

  const minMovement = Math.max(
    MIN_MOVEMENT_POINTS,
    USUAL_MOVEMENT_POINTS * Math.min(1, step / USUAL_STEP_POINTS),
    MIN_MOVEMENT_STEPS * step,
  );
  if (others.every(({ range }) => range < minMovement)) return false;

  const isCoarse = step > MORE_THAN_ONE_STEP * USUAL_STEP_POINTS;
  const wasMoving = earlierRanges.every((range) => range > MORE_THAN_ONE_STEP * step);
  if (isCoarse && !wasMoving) return false;
  return presentMs >= Math.max(STUCK_WHILE_OTHERS_MOVE_MS, longerThanEverMs);
}
