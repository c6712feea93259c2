import { meanSoil, type SoilConstants, soilHorizonById } from './soil-catalog.ts';

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

/** The bottom is excluded, except for the deepest layer of a profile. */
export interface LayerSpan {
  readonly depthTopCm: number;
  readonly depthBottomCm: number;
}

export interface DeclaredLayer extends LayerSpan {
  readonly soilHorizonId: number;
}

/** From `startedAt` (included) to `endedAt` (excluded, null while in force), in ms since 1970 UTC. */
export interface DatedLayer extends DeclaredLayer {
  readonly startedAt: number;
  readonly endedAt: number | null;
}

const isInForce = ({ startedAt, endedAt }: DatedLayer, at: number): boolean =>
  startedAt <= at && (endedAt === null || at < endedAt);

export const layersInForce = <L extends DatedLayer>(layers: readonly L[], at: number): L[] =>
  layers.filter((layer) => isInForce(layer, at)).sort((a, b) => a.depthTopCm - b.depthTopCm);

export const profileChanges = (layers: readonly DatedLayer[]): number[] =>
  [
    ...new Set(layers.flatMap(({ startedAt, endedAt }) => (endedAt === null ? [startedAt] : [startedAt, endedAt]))),
  ].sort((a, b) => a - b);

/**
 * Of the layers in force that cover the depth, the one with the greatest top. Before any layer covered the depth it
 * is the first that will, since the soil was there before it was declared. Null after the last layer there was closed.
 */
export function layerAt<L extends DatedLayer>(layers: readonly L[], depthCm: number, at: number): L | null {
  const current = layerInForceAt(layers, depthCm, at);
  if (current !== null) return current;
  for (const change of profileChanges(layers)) {
    const first = layerInForceAt(layers, depthCm, change);
    if (first !== null) return change > at ? first : null;
  }
  return null;
}

function layerInForceAt<L extends DatedLayer>(layers: readonly L[], depthCm: number, at: number): L | null {
  const inForce = layersInForce(layers, at);
  const deepestCm = Math.max(...inForce.map((layer) => layer.depthBottomCm));
  const reaches = ({ depthTopCm, depthBottomCm }: LayerSpan): boolean =>
    depthTopCm <= depthCm && (depthCm < depthBottomCm || (depthCm === depthBottomCm && depthCm === deepestCm));
  return inForce.findLast(reaches) ?? null;
}

export function soilAt(layers: readonly DatedLayer[], depthCm: number, at: number): SoilConstants | null {
  const layer = layerAt(layers, depthCm, at);
  return layer && soilHorizonById(layer.soilHorizonId);
}

/** The mean by thickness within the slice; parts without a layer are left out. */
export function soilOfSlice(
  layers: readonly DatedLayer[],
  { topCm, bottomCm }: Slice,
  at: number,
): SoilConstants | null {
  const within = layers
    .flatMap(({ depthTopCm, depthBottomCm }) => [depthTopCm, depthBottomCm])
    .filter((depthCm) => topCm < depthCm && depthCm < bottomCm);
  const borders = [topCm, ...[...new Set(within)].sort((a, b) => a - b), bottomCm];
  const pieces = borders.slice(1).flatMap((to, index) => {
    const from = borders[index]!;
    const soil = soilAt(layers, (from + to) / 2, at);
    return soil === null ? [] : [{ weight: to - from, soil }];
  });
  return meanSoil(pieces);
}

/** Of one parcel. The soil of every probe and slice is searched in them. */
export const MAX_LAYERS_IN_FORCE = 50;

export type LayerRefusal =
  | { readonly refusal: 'too_many'; readonly count: number }
  | { readonly refusal: 'unknown_horizon' | 'bottom_not_below_top'; readonly index: number }
  | { readonly refusal: 'overlap'; readonly index: number; readonly other: number };

/**
 * A declared layer closes the one in force with the same top, even if nothing differs. Declared layers must not
 * overlap each other, but may overlap one that stays; `layerAt` decides which counts.
 */
export function declareLayers<L extends LayerSpan>(
  inForce: readonly L[],
  declared: readonly DeclaredLayer[],
  closeOthers: boolean,
): { closed: L[]; remaining: L[] } | LayerRefusal {
  if (declared.length > MAX_LAYERS_IN_FORCE) return { refusal: 'too_many', count: declared.length };
  const refusal = layerRefusal(declared);
  if (refusal !== null) return refusal;
  const tops = new Set(declared.map((layer) => layer.depthTopCm));
  const isClosed = (layer: L): boolean => closeOthers || tops.has(layer.depthTopCm);
  const remaining = inForce.filter((layer) => !isClosed(layer));
  const count = remaining.length + declared.length;
  if (count > MAX_LAYERS_IN_FORCE) return { refusal: 'too_many', count };
  return { closed: inForce.filter(isClosed), remaining };
}

function layerRefusal(declared: readonly DeclaredLayer[]): LayerRefusal | null {
  for (const [index, layer] of declared.entries()) {
    if (soilHorizonById(layer.soilHorizonId) === null) return { refusal: 'unknown_horizon', index };
    if (layer.depthBottomCm <= layer.depthTopCm) return { refusal: 'bottom_not_below_top', index };
    const other = declared.slice(0, index).findIndex((each) => layersOverlap(each, layer));
    if (other >= 0) return { refusal: 'overlap', index, other };
  }
  return null;
}

export const layersOverlap = (a: LayerSpan, b: LayerSpan): boolean =>
  a.depthTopCm < b.depthBottomCm && b.depthTopCm < a.depthBottomCm;

interface WeightedCapacity {
  /** Of the depth in the summary curve. */
  readonly weight: number;
  readonly fieldCapacity: number | null;
}

/**
 * A line drawn on the summary curve (m3/m3) moves the field capacity of all depths alike, until their mean, weighted as
 * the curve is, lies on it: the classes keep saying which depth holds more, the line says how much all hold.
 */
export function followDrawnCapacity<D extends WeightedCapacity>(depths: readonly D[], line: number | null): D[] {
  const layered = depths.flatMap(({ weight, fieldCapacity }) =>
    fieldCapacity === null ? [] : [{ weight, fieldCapacity }],
  );
  const total = layered.reduce((sum, { weight }) => sum + weight, 0);
  if (line === null || layered.length === 0) return [...depths];
  const shareOf = ({ weight }: WeightedCapacity): number => (total > 0 ? weight / total : 1 / layered.length);
  const shift = line - layered.reduce((sum, depth) => sum + shareOf(depth) * depth.fieldCapacity, 0);
  return depths.map((depth) =>
    depth.fieldCapacity === null ? depth : { ...depth, fieldCapacity: depth.fieldCapacity + shift },
  );
}
