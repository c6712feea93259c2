import type { DeclaredLayer } from './soil-profile.ts';

/** Stones in % by volume from each depth in cm, a key, down to the next one. */
export type StonesByDepth = Readonly<Record<string, number>>;

/**
 * The layers, cut where the share of stones changes. Soil with a share of stones s holds 1 - s of
 * what its fine earth holds: stones are taken to hold no water. Source: USDA, National Soil Survey
 * Handbook, part 618, available water capacity.
 */
export function withStones<L extends DeclaredLayer>(
  layers: readonly L[],
  stones: StonesByDepth | null,
): readonly L[] {
  if (stones === null) return layers;

  const shares = Object.entries(stones)
    .map(([depth, percent]) => ({ fromCm: Number(depth), percent }))
    .sort((a, b) => a.fromCm - b.fromCm);
  // Of two layers that overlap the one with the deeper top counts, also for parts with equal tops.
  const byTop = layers.toSorted((a, b) => a.depthTopCm - b.depthTopCm);
  return byTop.flatMap((layer) =>
    [{ fromCm: 0, percent: 0 }, ...shares].flatMap(({ fromCm, percent }, index) => {
      const depthTopCm = Math.max(layer.depthTopCm, fromCm);
      const depthBottomCm = Math.min(layer.depthBottomCm, shares[index]?.fromCm ?? Infinity);
      return depthTopCm < depthBottomCm
        ? [{ ...layer, depthTopCm, depthBottomCm, stonesPercent: percent }]
        : [];
    }),
  );
}
