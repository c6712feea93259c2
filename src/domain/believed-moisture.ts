import type { Moisture } from './rises.ts';

/**
 * Moisture without its doubtful zeros: a sensor that loses touch with the soil, or its wire, sends a single 0. One counts
 * when the value just before it is 0 too. Points are of one sensor, in order of time.
 */
export const believed = (points: readonly Moisture[]): Moisture[] =>
  points.filter(({ value }, index) => value !== 0 || points[index - 1]?.value === 0);
