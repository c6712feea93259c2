export interface Slice {
  readonly topCm: number;
  readonly bottomCm: number;
}

export const thicknessMm = ({ topCm, bottomCm }: Slice): number => (bottomCm - topCm) * 10;

/**
 * In cm. Borders are midway between neighbours; the first slice begins at the surface, the last ends half the last
 * spacing below the deepest sensor. A root depth clips the slices, and the last one reaches it. Null for a sensor
 * below the root depth, and when all are at one depth without a root depth.
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
