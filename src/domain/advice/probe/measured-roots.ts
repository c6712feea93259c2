import type { DepthFacts } from '../../facts/probe-facts.ts';

/** Roots are not known better than that, and water rises to them from so far. An assumption. */
const MAX_BELOW_ROOTS_CM = 10;

/** Evaporation dries bare soil down to here. Source: FAO-56, equation 73. */
const EVAPORATION_DEPTH_CM = 10;
/** A sensor near the surface still tells something of roots that are hardly deeper. An assumption. */
const MAX_TIMES_AS_DEEP = 3;

interface RootZone {
  readonly depths: readonly Pick<DepthFacts, 'depthCm' | 'slice'>[];
  readonly rootDepthCm: number | null;
}

/** Whether all sensors of the root zone stand below the roots, or in soil that evaporation dries. */
export function areRootsUnmeasured({ depths, rootDepthCm }: RootZone): boolean {
  const depthsCm = depths.flatMap(({ depthCm, slice }) => (slice === null ? [] : depthCm));
  if (rootDepthCm === null || depthsCm.length === 0) return false;

  const [topCm, deepestCm] = [Math.min(...depthsCm), Math.max(...depthsCm)];
  const areAllInCrust =
    deepestCm <= EVAPORATION_DEPTH_CM && rootDepthCm > MAX_TIMES_AS_DEEP * deepestCm;
  return areAllInCrust || topCm > rootDepthCm + MAX_BELOW_ROOTS_CM;
}
