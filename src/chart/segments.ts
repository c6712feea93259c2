import { usualIntervalMs } from '../domain/coverage.ts';

/** A value of a curve; null where there should be one and is none. Instants in ms, in order. */
export interface CurvePoint {
  readonly at: number;
  readonly value: number | null;
}

export interface ValuedPoint extends CurvePoint {
  readonly value: number;
}

/** A line is broken where nothing came for longer than this many usual steps. */
const MAX_STEPS_IN_LINE = 2.5;

const hasValue = (point: CurvePoint): point is ValuedPoint => point.value !== null;

/** The usual step of a curve's values, in ms; null below two of them. */
export const usualStepMs = (points: readonly CurvePoint[]): number | null =>
  usualIntervalMs(points.filter(hasValue).map(({ at }) => at));

/**
 * The runs of a curve that are drawn as one line. A hole breaks it, and so does an instant without a value, unless a
 * value stands within half a step of it: sensors may send seconds apart.
 */
export function splitAtGaps(points: readonly CurvePoint[], stepMs: number | null): ValuedPoint[][] {
  const step = stepMs ?? Number.POSITIVE_INFINITY;
  const segments: ValuedPoint[][] = [];
  let last: ValuedPoint | undefined;
  /** Instants without a value since the last one that had one. */
  let empty: number[] = [];
  for (const point of points) {
    if (!hasValue(point)) {
      empty.push(point.at);
      continue;
    }
    const isBroken =
      last === undefined ||
      point.at - last.at > MAX_STEPS_IN_LINE * step ||
      empty.some((at) => Math.min(at - last!.at, point.at - at) > step / 2);
    if (isBroken) segments.push([point]);
    else segments.at(-1)!.push(point);
    last = point;
    empty = [];
  }
  return segments;
}
