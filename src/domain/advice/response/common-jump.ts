import type { CommonJump } from '../../facts/response-facts.ts';
import { firstOf, lastOf } from '../../items.ts';
import { HOUR_MS } from '../../periods.ts';
import { type DepthCurve, isFrozenWithin } from '../watering-response.ts';

/** As much as the fall within two hours that no sound sensor shows. */
const MIN_JUMP_POINTS = 5;
const JUMP_MS = 2 * HOUR_MS;
/**
 * Water takes hours to come so far down. In sand it may come as fast where it stands on the surface,
 * which somebody will know of.
 */
const MIN_SPAN_CM = 30;

/**
 * The newest rise of all depths within the same two hours of which none has lost half again; null
 * where the depths lie too near to each other to tell it from water.
 */
export function commonJump(curves: readonly DepthCurve[]): CommonJump | null {
  const measured = curves.filter(({ points }) => points.length > 0);
  if (measured.length === 0) return null;
  const top = firstOf(measured);
  if (lastOf(measured).depthCm - top.depthCm < MIN_SPAN_CM) return null;

  const valuesOf = measured.map((curve) => ({
    curve,
    values: new Map(curve.points.map(({ at, value }) => [at, value])),
    newest: lastOf(curve.points).value,
  }));
  for (const { at: start } of top.points.toReversed()) {
    const period = { start, end: start + JUMP_MS };
    const rises = valuesOf.map(({ curve, values, newest }) => {
      const [from, to] = [values.get(period.start), values.get(period.end)];
      if (from === undefined || to === undefined || isFrozenWithin(curve, period)) return 0;
      return newest < (from + to) / 2 ? 0 : to - from;
    });
    const points = Math.min(...rises);
    if (points >= MIN_JUMP_POINTS) return { at: start + HOUR_MS, points };
  }
  return null;
}
