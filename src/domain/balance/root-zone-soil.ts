/** A layer in cm; water contents in m3/m3. */
export interface BalanceLayer {
  readonly topCm: number;
  readonly bottomCm: number;
  readonly fieldCapacity: number;
  readonly wiltingPoint: number;
}

/** From the surface down, without gaps; below the last layer the soil goes on like it. */
export type BalanceLayers = readonly BalanceLayer[];

/** The integral of a water content over the soil down to a depth, in mm. */
export function mmDownTo(
  layers: BalanceLayers,
  depthCm: number,
  contentOf: (layer: BalanceLayer) => number,
): number {
  const deepest = layers.at(-1);
  return layers.reduce((sum, layer) => {
    const bottomCm = layer === deepest ? Math.max(layer.bottomCm, depthCm) : layer.bottomCm;
    const thicknessCm = Math.max(0, Math.min(bottomCm, depthCm) - layer.topCm);
    return sum + contentOf(layer) * thicknessCm * 10;
  }, 0);
}

/** Equation 82: the water between field capacity and wilting point down to a depth. */
export const availableMm = (layers: BalanceLayers, depthCm: number): number =>
  mmDownTo(layers, depthCm, ({ fieldCapacity, wiltingPoint }) => fieldCapacity - wiltingPoint);

/**
 * Declared layers without gaps or overlaps: where two cover a depth, the one with the deeper top
 * counts; where none does, the next one above, else below. Empty if none is declared.
 */
export function layersWithoutGaps(declared: readonly BalanceLayer[]): BalanceLayers {
  const borders = [0, ...declared.flatMap(({ topCm, bottomCm }) => [topCm, bottomCm])];
  const depths = [...new Set(borders)].sort((a, b) => a - b);
  const byTop = [...declared].sort((a, b) => a.topCm - b.topCm);

  return depths.slice(1).flatMap((bottomCm, index) => {
    const topCm = depths[index] ?? 0;
    const layer =
      byTop.findLast((other) => other.topCm <= topCm && other.bottomCm >= bottomCm) ??
      byTop.findLast((other) => other.bottomCm <= topCm) ??
      byTop[0];
    return layer === undefined ? [] : [{ ...layer, topCm, bottomCm }];
  });
}
