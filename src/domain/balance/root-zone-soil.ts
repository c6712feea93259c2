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
