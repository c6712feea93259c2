/** The part of the soil that a sensor represents, in cm below the surface. */
export interface Slice {
  readonly topCm: number;
  readonly bottomCm: number;
}

export const thicknessMm = ({ topCm, bottomCm }: Slice): number => (bottomCm - topCm) * 10;

/**
 * The slice of each sensor, by its depth in cm. Borders lie midway between neighbours; the first slice begins at the
 * surface, the last ends half the last spacing below the deepest sensor. With a declared root depth slices are clipped to
 * it, and the last reaches it. Sensors at one depth share a slice. Null for a sensor without depth or wholly below the
 * root depth, and when all are at one depth without a root depth.
 */
export function slicesOf(depthsCm: readonly (number | null)[], rootDepthCm: number | null): (Slice | null)[] {
  const depths = [...new Set(depthsCm.filter((depth) => depth !== null))].sort((a, b) => a - b);
  if (depths.length < 2 && rootDepthCm === null) return depthsCm.map(() => null);
  const slices = new Map<number | null, Slice>();
  for (const [index, depth] of depths.entries()) {
    const [above, below] = [depths[index - 1], depths[index + 1]];
    const topCm = above === undefined ? 0 : (above + depth) / 2;
    // Without a root depth there is a sensor above the last one.
    const bottomCm = below === undefined ? (rootDepthCm ?? depth + (depth - above!) / 2) : (depth + below) / 2;
    const clippedCm = Math.min(bottomCm, rootDepthCm ?? bottomCm);
    if (topCm < clippedCm) slices.set(depth, { topCm, bottomCm: clippedCm });
  }
  return depthsCm.map((depth) => slices.get(depth) ?? null);
}
