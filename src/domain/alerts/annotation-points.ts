import { failure, ok, type Result } from '../result.ts';
import type { AnnotationPoint, AnnotationShape } from './annotation.ts';

/**
 * Either `p1` and `p2`, or the same by name: `at` and `until` in ms, `value` and `endValue` in the
 * curve's unit.
 */
interface Placement {
  readonly p1?: AnnotationPoint | undefined;
  readonly p2?: AnnotationPoint | null | undefined;
  readonly at?: number | undefined;
  /** Null: no second point. */
  readonly until?: number | null | undefined;
  readonly value?: number | undefined;
  readonly endValue?: number | undefined;
}

export interface PlacedPoints {
  readonly p1: AnnotationPoint;
  readonly p2: AnnotationPoint | null;
}

interface MissingCoordinate {
  readonly missing: 'at' | 'value' | 'until' | 'endValue';
}

export type PlacementFault = { readonly twice: 'p1' | 'p2' } | MissingCoordinate;

interface DrawnPoints {
  readonly p1: AnnotationPoint | null;
  readonly p2: AnnotationPoint | null;
}

export const SHAPES_WITHOUT_TIME: readonly AnnotationShape[] = ['h-line', 'h-free'];
const SHAPES_WITHOUT_HEIGHT: readonly AnnotationShape[] = ['v-line', 'text'];

/**
 * A horizontal line has no instant, and a vertical line or a text no height: `now` and 0 are stored
 * instead.
 */
export function placePoints(
  shape: AnnotationShape,
  placement: Placement,
  now: number,
): Result<PlacedPoints, PlacementFault> {
  return movePoints(shape, placement, { p1: null, p2: null }, now);
}

/**
 * Coordinates that `placement` omits keep their value in `drawn`. A new value moves the whole of a
 * horizontal line.
 */
export function movePoints(
  shape: AnnotationShape,
  placement: Placement,
  drawn: DrawnPoints,
  now: number,
): Result<PlacedPoints, PlacementFault> {
  const twice = pointSentTwice(placement);
  if (twice !== null) return failure({ twice });

  const p1 = startPoint(shape, placement, drawn.p1, now);
  if (!p1.ok) return p1;

  const p2 = endPoint(shape, placement, p1.value, drawn.p2);
  return p2.ok ? ok({ p1: p1.value, p2: p2.value }) : p2;
}

function pointSentTwice({ p1, p2, at, until, value, endValue }: Placement): 'p1' | 'p2' | null {
  if (p1 && (at !== undefined || value !== undefined)) return 'p1';
  // A second point can be taken away and given at once: `until: null` takes away the drawn one.
  if (p2 && (until != null || endValue !== undefined)) return 'p2';
  return null;
}

function startPoint(
  shape: AnnotationShape,
  { p1, at, value }: Placement,
  drawn: AnnotationPoint | null,
  now: number,
): Result<AnnotationPoint, MissingCoordinate> {
  if (p1) return ok(p1);

  const startAt = at ?? drawn?.[0] ?? (SHAPES_WITHOUT_TIME.includes(shape) ? now : undefined);
  if (startAt === undefined) return failure({ missing: 'at' });

  const height = value ?? drawn?.[1] ?? (SHAPES_WITHOUT_HEIGHT.includes(shape) ? 0 : undefined);
  return height === undefined ? failure({ missing: 'value' }) : ok([startAt, height]);
}

function endPoint(
  shape: AnnotationShape,
  { p2, until, value, endValue }: Placement,
  start: AnnotationPoint,
  drawn: AnnotationPoint | null,
): Result<AnnotationPoint | null, MissingCoordinate> {
  if (p2 !== undefined || until === null) return ok(p2 ?? null);

  if (until === undefined && endValue === undefined) {
    if (drawn === null || value === undefined) return ok(drawn);
    return ok(SHAPES_WITHOUT_TIME.includes(shape) ? [drawn[0], value] : drawn);
  }

  const endAt = until ?? drawn?.[0];
  if (endAt === undefined) return failure({ missing: 'until' });

  // Only the height of a rectangle cannot follow from its start.
  const endHeight = endValue ?? drawn?.[1] ?? (shape === 'rect' ? undefined : start[1]);
  return endHeight === undefined ? failure({ missing: 'endValue' }) : ok([endAt, endHeight]);
}
