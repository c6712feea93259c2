import type { Period } from './intervals.ts';
import { heightOf, type Moisture, type Rise, risesIn } from './rises.ts';
import { type Slice, thicknessMm } from './slices.ts';

/** The curve of one depth, with what its rises are judged by. */
export interface DepthCurve {
  readonly depthCm: number;
  /** What it stands for; null where it stands for no soil of the root zone. */
  readonly slice: Slice | null;
  /** m3/m3; null without a layer. */
  readonly fieldCapacity: number | null;
  readonly points: readonly Moisture[];
  /** The smallest climb that is one, in points. */
  readonly least: number;
}

/** How the soil answered a watering; too_early while that is not yet to be seen, no_data where it cannot be. */
export const RESPONSES = ['reached', 'below_roots', 'no_response', 'too_early', 'no_data'] as const;
export type Response = (typeof RESPONSES)[number];

export interface DepthResponse {
  readonly depthCm: number;
  /** Whether the curve tells of that time. */
  readonly isKnown: boolean;
  readonly rise: Rise | null;
}

export interface WateringResponse {
  readonly response: Response;
  readonly depths: readonly DepthResponse[];
  /** The deepest that rose, cm. */
  readonly deepestCm: number | null;
  /** Water that the slices gained, mm; null where that is not known. */
  readonly riseMm: number | null;
}

const HOUR_MS = 3_600_000;
/** What stood at most this long before a watering is what it found. */
const BEFORE_MS = 12 * HOUR_MS;
/** By then after its end the first depth has risen, if any does. */
const FIRST_MS = 24 * HOUR_MS;
/** Without a rise by then after its end there is none, as far as can be told. */
const SETTLED_MS = 12 * HOUR_MS;
/** As long after its end the water is followed down, unless the next watering comes first. */
export const FOLLOWED_MS = 48 * HOUR_MS;

/**
 * What a watering (its start and end, in ms) did at each depth until `nextAt`, the start of the next one: the first climb
 * from the value just before it. It went below the roots where a sensor at or below the root depth rose, or the deepest
 * slice came to hold more than its field capacity, which it then passes on.
 */
export function responseTo(
  curves: readonly DepthCurve[],
  watering: Period,
  { nextAt, now, rootDepthCm }: { nextAt: number | null; now: number; rootDepthCm: number | null },
): WateringResponse {
  const until = Math.min(nextAt ?? Number.POSITIVE_INFINITY, watering.end + FOLLOWED_MS);
  const settledAt = Math.min(until, watering.end + SETTLED_MS);
  const seen = curves.map((curve) => ({ curve, points: pointsFrom(curve.points, watering.start, until) }));
  const depths = seen.map(({ curve, points }) => {
    const rise = risesIn(points, curve.least)[0] ?? null;
    const isKnown = rise !== null || (points.at(-1)?.at ?? 0) >= settledAt - HOUR_MS;
    return { depthCm: curve.depthCm, isKnown, rise };
  });
  const isAnswered = depths.some(({ rise }) => rise !== null && rise.startAt <= watering.end + FIRST_MS);
  if (!isAnswered) {
    const isKnown = depths.some((depth) => depth.isKnown);
    const response = isKnown ? 'no_response' : now < settledAt + HOUR_MS ? 'too_early' : 'no_data';
    const none = depths.map((depth) => ({ ...depth, rise: null }));
    return { response, depths: none, deepestCm: null, riseMm: isKnown ? 0 : null };
  }
  const risen = depths.flatMap(({ rise }, index) => (rise === null ? [] : [{ curve: curves[index]!, rise }]));
  return {
    response: risen.some((each) => isBelowRoots(each, curves, rootDepthCm)) ? 'below_roots' : 'reached',
    depths,
    deepestCm: Math.max(...risen.map(({ curve }) => curve.depthCm)),
    riseMm: gainMm(risen),
  };
}

/** From the value that a watering found on, where there is one; it must begin before the curve ends. */
function pointsFrom(points: readonly Moisture[], start: number, until: number): readonly Moisture[] {
  const found = points.findLastIndex(({ at }) => at <= start);
  if (found < 0 || start - points[found]!.at > BEFORE_MS) return [];
  return points.slice(found).filter(({ at }) => at < until);
}

export interface RisenCurve {
  readonly curve: DepthCurve;
  readonly rise: Rise;
}

function isBelowRoots({ curve, rise }: RisenCurve, all: readonly DepthCurve[], rootDepthCm: number | null): boolean {
  if (rootDepthCm !== null && curve.depthCm >= rootDepthCm) return true;
  const deepestCm = Math.max(...all.map(({ slice }) => slice?.bottomCm ?? 0));
  const isDeepest = curve.slice?.bottomCm === deepestCm;
  return isDeepest && curve.fieldCapacity !== null && rise.peak / 100 > curve.fieldCapacity;
}

/**
 * The most water that slices held at once beyond what each rose from, in mm; null where none of them stands for soil.
 * Water on its way down peaks at one depth after the other, so that the sum of the peaks would count it twice.
 */
export function gainMm(risen: readonly RisenCurve[]): number | null {
  const within = risen.flatMap(({ curve, rise }) =>
    curve.slice === null ? [] : [{ ...curve, slice: curve.slice, rise }],
  );
  if (within.length === 0) return null;
  const gainAt = (at: number): number =>
    within.reduce((sum, { points, slice, rise }) => {
      const value = at < rise.startAt ? rise.from : points.findLast((point) => point.at <= at)!.value;
      return sum + (Math.max(0, value - rise.from) / 100) * thicknessMm(slice);
    }, 0);
  return Math.max(...within.map(({ rise }) => gainAt(rise.peakAt)));
}

/** A depth's rise in points; 0 where it did not rise, null where its curve does not tell. */
export const riseOf = ({ isKnown, rise }: DepthResponse): number | null =>
  rise !== null ? heightOf(rise) : isKnown ? 0 : null;
