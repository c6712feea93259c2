/** In cm: 2 ft is 61 cm, and the sensor there is listed at 60. */
const MAX_DISTANCE_CM = 1.5;
/** A share of the depth, for deep sensors: 4 ft is 122 cm, and the sensor there at 120. */
const MAX_DISTANCE_SHARE = 0.02;

/**
 * Gives for each depth, in cm, the depth of the sensor that is meant: the same, or the one that
 * differs by no more than the rounding of inches and feet explains. Two depths are never those of
 * one sensor; the depth of no sensor stays.
 */
export function sensorDepthsMeant(
  depths: readonly number[],
  sensorDepths: readonly number[],
): ReadonlyMap<number, number> {
  const free = new Set(sensorDepths.filter((depth) => !depths.includes(depth)));

  const sensorDepthOf = (depth: number): number => {
    if (sensorDepths.includes(depth)) return depth;

    const maxDistance = Math.max(MAX_DISTANCE_CM, MAX_DISTANCE_SHARE * depth);
    const distanceTo = (sensorDepth: number): number => Math.abs(sensorDepth - depth);
    const [nearest] = [...free].sort((a, b) => distanceTo(a) - distanceTo(b));
    if (nearest === undefined || distanceTo(nearest) > maxDistance) return depth;
    free.delete(nearest);
    return nearest;
  };

  return new Map([...new Set(depths)].map((depth) => [depth, sensorDepthOf(depth)]));
}
