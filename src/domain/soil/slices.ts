export interface Slice {
  readonly topCm: number;
  readonly bottomCm: number;
}

export const thicknessMm = ({ topCm, bottomCm }: Slice): number => (bottomCm - topCm) * 10;

/**
 * How far down sensors at these depths tell of the soil: half the last distance below the deepest,
 * where the last slice ends without a root depth, or a single sensor itself.
 */
export function measuredToCm(depthsCm: readonly number[]): number {
  const [deepest = 0, above = deepest] = [...new Set(depthsCm)].sort((a, b) => b - a);
  return deepest + (deepest - above) / 2;
}

/**
 * Borders are midway between neighbouring depths. The first slice begins at the surface; the last
 * ends below the deepest sensor by half the distance to the one above. A root depth clips the
 * slices, and the last one reaches it; `fromCm` clips them from above. Null for a sensor without
 * soil in between, and if all sensors are at one depth and the root depth is unknown.
 */
export function slicesOf(
  depthsCm: readonly (number | null)[],
  rootDepthCm: number | null,
  fromCm = 0,
): (Slice | null)[] {
  const depths = [...new Set(depthsCm.filter((depth) => depth !== null))].sort((a, b) => a - b);
  if (depths.length < 2 && rootDepthCm === null) return depthsCm.map(() => null);

  const slices = new Map<number | null, Slice>();
  for (const [index, depth] of depths.entries()) {
    const [above, below] = [depths[index - 1], depths[index + 1]];
    const topCm = Math.max(fromCm, above === undefined ? 0 : (above + depth) / 2);
    // There are at least two depths without a root depth, so the last one has a neighbour above.
    const bottomCm =
      below === undefined ? (rootDepthCm ?? depth + (depth - above!) / 2) : (depth + below) / 2;
    const clippedCm = Math.min(bottomCm, rootDepthCm ?? bottomCm);
    if (topCm < clippedCm) slices.set(depth, { topCm, bottomCm: clippedCm });
  }

  return depthsCm.map((depth) => slices.get(depth) ?? null);
}
