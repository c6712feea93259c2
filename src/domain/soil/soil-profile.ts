import { itemAt } from '../items.ts';
import { failure, ok, type Result } from '../result.ts';
import type { Slice } from './slices.ts';
import { meanSoil, type SoilConstants, soilHorizonById } from './soil-catalog.ts';

/** A layer excludes its bottom, unless it is the deepest one of its profile. */
export interface LayerSpan {
  readonly depthTopCm: number;
  readonly depthBottomCm: number;
}

export interface DeclaredLayer extends LayerSpan {
  readonly soilHorizonId: number;
  /** By volume; absent where a person declared none. */
  readonly stonesPercent?: number;
}

/**
 * A layer is in force from `startedAt` (included) to `endedAt` (excluded, null while in force), in
 * ms since 1970 UTC.
 */
export interface DatedLayer extends DeclaredLayer {
  readonly startedAt: number;
  readonly endedAt: number | null;
}

const isInForce = ({ startedAt, endedAt }: DatedLayer, at: number): boolean =>
  startedAt <= at && (endedAt === null || at < endedAt);

export const layersInForce = <L extends DatedLayer>(layers: readonly L[], at: number): L[] =>
  layers.filter((layer) => isInForce(layer, at)).sort((a, b) => a.depthTopCm - b.depthTopCm);

/** The instants at which any layer begins or ends. */
export const profileChanges = (layers: readonly DatedLayer[]): number[] =>
  [
    ...new Set(
      layers.flatMap(({ startedAt, endedAt }) =>
        endedAt === null ? [startedAt] : [startedAt, endedAt],
      ),
    ),
  ].sort((a, b) => a - b);

/**
 * The layer in force with the deepest top among those that cover the depth. Before any layer covers
 * the depth, the first one that will applies, since the soil was there before it was declared. Null
 * after the last layer there was closed.
 */
export function layerAt<L extends DatedLayer>(
  layers: readonly L[],
  depthCm: number,
  at: number,
): L | null {
  const current = layerInForceAt(layers, depthCm, at);
  if (current !== null) return current;
  for (const change of profileChanges(layers)) {
    const first = layerInForceAt(layers, depthCm, change);
    if (first !== null) return change > at ? first : null;
  }
  return null;
}

function layerInForceAt<L extends DatedLayer>(
  layers: readonly L[],
  depthCm: number,
  at: number,
): L | null {
  const inForce = layersInForce(layers, at);
  const deepestCm = Math.max(...inForce.map((layer) => layer.depthBottomCm));
  const coversDepth = ({ depthTopCm, depthBottomCm }: LayerSpan): boolean =>
    depthTopCm <= depthCm &&
    (depthCm < depthBottomCm || (depthCm === depthBottomCm && depthCm === deepestCm));
  return inForce.findLast(coversDepth) ?? null;
}

export function soilAt(
  layers: readonly DatedLayer[],
  depthCm: number,
  at: number,
): SoilConstants | null {
  const layer = layerAt(layers, depthCm, at);
  return layer && soilOfLayer(layer);
}

/**
 * What the layer holds between its stones, of the whole volume. Its saturation stays that of the fine
 * earth, which a sensor may touch alone.
 */
export function soilOfLayer({
  soilHorizonId,
  stonesPercent = 0,
}: Pick<DeclaredLayer, 'soilHorizonId' | 'stonesPercent'>): SoilConstants | null {
  const soil = soilHorizonById(soilHorizonId);
  if (soil === null || stonesPercent === 0) return soil;
  const fineEarth = 1 - stonesPercent / 100;
  const { fieldCapacity, wiltingPoint, saturation } = soil;
  return {
    fieldCapacity: fineEarth * fieldCapacity,
    wiltingPoint: fineEarth * wiltingPoint,
    saturation,
  };
}

/** The mean soil of the slice, weighted by thickness. Parts without a layer are left out. */
export function soilOfSlice(
  layers: readonly DatedLayer[],
  { topCm, bottomCm }: Slice,
  at: number,
): SoilConstants | null {
  const bordersWithin = layers
    .flatMap(({ depthTopCm, depthBottomCm }) => [depthTopCm, depthBottomCm])
    .filter((depthCm) => topCm < depthCm && depthCm < bottomCm);
  const borders = [topCm, ...[...new Set(bordersWithin)].sort((a, b) => a - b), bottomCm];
  const parts = borders.slice(1).flatMap((to, index) => {
    const from = itemAt(borders, index);
    const soil = soilAt(layers, (from + to) / 2, at);
    return soil === null ? [] : [{ weight: to - from, soil }];
  });

  return meanSoil(parts);
}

/** The list is searched for the soil of every slice of every probe, so it must stay short. */
export const MAX_LAYERS_IN_FORCE = 50;

export type LayerRefusal =
  | { readonly refusal: 'too_many'; readonly count: number }
  | { readonly refusal: 'unknown_horizon' | 'bottom_not_below_top'; readonly index: number }
  | { readonly refusal: 'overlap'; readonly index: number; readonly other: number };

/** The changes of the layers in force by a declaration. */
interface LayerChanges<L> {
  readonly closed: L[];
  readonly remaining: L[];
  /** The parts of cut layers that the declared ones do not cover. */
  readonly parts: L[];
}

/**
 * A declared layer closes the one in force with the same top, even an identical one. Declared
 * layers must not overlap each other. Those in force that they overlap are cut, or they remain and
 * `layerAt` decides which one counts.
 */
export function declareLayers<L extends LayerSpan>(
  inForce: readonly L[],
  declared: readonly DeclaredLayer[],
  { closeOthers, cutOverlaps }: { readonly closeOthers: boolean; readonly cutOverlaps: boolean },
): Result<LayerChanges<L>, LayerRefusal> {
  if (declared.length > MAX_LAYERS_IN_FORCE)
    return failure({ refusal: 'too_many', count: declared.length });
  const refusal = layerRefusal(declared);
  if (refusal !== null) return failure(refusal);

  const tops = new Set(declared.map((layer) => layer.depthTopCm));
  const isReplaced = (layer: L): boolean => closeOthers || tops.has(layer.depthTopCm);
  const isCut = (layer: L): boolean =>
    cutOverlaps && !isReplaced(layer) && declared.some((other) => layersOverlap(layer, other));
  const isClosed = (layer: L): boolean => isReplaced(layer) || isCut(layer);

  const closed = inForce.filter(isClosed);
  const remaining = inForce.filter((layer) => !isClosed(layer));
  const parts = closed.filter(isCut).flatMap((layer) => uncovered(layer, declared));
  const count = remaining.length + parts.length + declared.length;
  return count > MAX_LAYERS_IN_FORCE
    ? failure({ refusal: 'too_many', count })
    : ok({ closed, remaining, parts });
}

/** The parts of the layer that no other one covers, from the top. */
const uncovered = <L extends LayerSpan>(layer: L, others: readonly LayerSpan[]): L[] =>
  others.reduce(
    (parts, { depthTopCm, depthBottomCm }) =>
      parts
        .flatMap((part) => [
          { ...part, depthBottomCm: Math.min(part.depthBottomCm, depthTopCm) },
          { ...part, depthTopCm: Math.max(part.depthTopCm, depthBottomCm) },
        ])
        .filter((part) => part.depthTopCm < part.depthBottomCm),
    [layer],
  );

function layerRefusal(declared: readonly DeclaredLayer[]): LayerRefusal | null {
  for (const [index, layer] of declared.entries()) {
    if (soilHorizonById(layer.soilHorizonId) === null) return { refusal: 'unknown_horizon', index };
    if (layer.depthBottomCm <= layer.depthTopCm) return { refusal: 'bottom_not_below_top', index };
    const other = declared.slice(0, index).findIndex((earlier) => layersOverlap(earlier, layer));
    if (other >= 0) return { refusal: 'overlap', index, other };
  }
  return null;
}

export const layersOverlap = (a: LayerSpan, b: LayerSpan): boolean =>
  a.depthTopCm < b.depthBottomCm && b.depthTopCm < a.depthBottomCm;

interface WeightedCapacity {
  /** The weight of the depth in the summary curve. */
  readonly weight: number;
  readonly fieldCapacity: number | null;
}

/**
 * Shifts the field capacity of all depths equally, so that their mean, weighted like the summary
 * curve, equals the line drawn on it (m3/m3). The texture classes decide how depths differ, the
 * line how much they hold on average.
 */
export function shiftToDrawnCapacity<D extends WeightedCapacity>(
  depths: readonly D[],
  line: number | null,
): D[] {
  const layered = depths.flatMap(({ weight, fieldCapacity }) =>
    fieldCapacity === null ? [] : [{ weight, fieldCapacity }],
  );
  const total = layered.reduce((sum, { weight }) => sum + weight, 0);
  if (line === null || layered.length === 0) return [...depths];

  const shareOf = ({ weight }: WeightedCapacity): number =>
    total > 0 ? weight / total : 1 / layered.length;

  const shift =
    line - layered.reduce((sum, depth) => sum + shareOf(depth) * depth.fieldCapacity, 0);
  return depths.map((depth) =>
    depth.fieldCapacity === null ? depth : { ...depth, fieldCapacity: depth.fieldCapacity + shift },
  );
}
