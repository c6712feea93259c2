import { type Rise, riseHeight, risesIn } from '../moisture/rises.ts';
import type { TimedValue } from '../moisture/series.ts';
import { HOUR_MS, type Period } from '../periods.ts';
import { type Slice, thicknessMm } from '../soil/soil-slices.ts';

/** The curve of one depth, with what its rises are judged by. */
export interface DepthCurve {
  readonly depthCm: number;
  /** What it stands for; null where it stands for no soil of the root zone. */
  readonly slice: Slice | null;
  /** m3/m3; null without a layer. */
  readonly fieldCapacity: number | null;
  readonly points: readonly TimedValue[];
  /** The smallest climb that is one, in points. */
  readonly minRise: number;
}

/** How the soil answered a watering; too_early while that is not yet to be seen, no_data where it cannot be. */
export const WATERING_OUTCOMES = ['reached', 'below_roots', 'no_response', 'too_early', 'no_data'] as const;
export type WateringOutcome = (typeof WATERING_OUTCOMES)[number];

export interface DepthResponse {
  readonly depthCm: number;
  /** Whether the curve tells of that time. */
  readonly isKnown: boolean;
  readonly rise: Rise | null;
}

export interface WateringResponse {
  readonly response: WateringOutcome;
  readonly depths: readonly DepthResponse[];
  /** The deepest that rose, cm. */
  readonly deepestCm: number | null;
  /** Water that the slices gained, mm; null where that is not known. */
  readonly riseMm: number | null;
}

/** What stood at most this long before a watering is what it found. */
const MAX_BASELINE_AGE_MS = 12 * HOUR_MS;
/** By then after its end the first depth has risen, if any does. */
const FIRST_RISE_WITHIN_MS = 24 * HOUR_MS;
/** Without a rise by then after its end there is none, as far as can be told. */
const SETTLED_AFTER_MS = 12 * HOUR_MS;
/** As long after its end the water is followed down, unless the next watering comes first. */
export const RESPONSE_WINDOW_MS = 48 * HOUR_MS;

/**
 * What a watering (its start and end, in ms) did at each depth until `nextAt`, the start of the next one: the first climb
 * from the value just before it. It went below the roots where a sensor at or below the root depth rose, or the deepest
 * slice came to hold more than its field capacity, which it then passes on.
 */
export function wateringResponse(
  curves: readonly DepthCurve[],
  watering: Period,
  { nextAt, now, rootDepthCm }: { nextAt: number | null; now: number; rootDepthCm: number | null },
): WateringResponse {
  const until = Math.min(nextAt ?? Number.POSITIVE_INFINITY, watering.end + RESPONSE_WINDOW_MS);
  const settledAt = Math.min(until, watering.end + SETTLED_AFTER_MS);
  const curvesInWindow = curves.map((curve) => ({
    curve,
    points: pointsInWindow(curve.points, watering.start, until),
  }));
  const depths = curvesInWindow.map(({ curve, points }) => {
    const rise = risesIn(points, curve.minRise)[0] ?? null;
    const isKnown = rise !== null || (points.at(-1)?.at ?? 0) >= settledAt - HOUR_MS;
    return { depthCm: curve.depthCm, isKnown, rise };
  });
  const hasResponse = depths.some(({ rise }) => rise !== null && rise.startAt <= watering.end + FIRST_RISE_WITHIN_MS);
  if (!hasResponse) {
    const isKnown = depths.some((depth) => depth.isKnown);
    const response = isKnown ? 'no_response' : now < settledAt + HOUR_MS ? 'too_early' : 'no_data';
    const withoutRises = depths.map((depth) => ({ ...depth, rise: null }));
    return { response, depths: withoutRises, deepestCm: null, riseMm: isKnown ? 0 : null };
  }
  const risen = depths.flatMap(({ rise }, index) => (rise === null ? [] : [{ curve: curves[index]!, rise }]));
  return {
    response: risen.some((each) => isBelowRoots(each, curves, rootDepthCm)) ? 'below_roots' : 'reached',
    depths,
    deepestCm: Math.max(...risen.map(({ curve }) => curve.depthCm)),
    riseMm: waterGainMm(risen),
  };
}

/** From the value that a watering found on, where there is one; it must begin before the curve ends. */
function pointsInWindow(points: readonly TimedValue[], start: number, until: number): readonly TimedValue[] {
  const baseline = points.findLastIndex(({ at }) => at <= start);
  if (baseline < 0 || start - points[baseline]!.at > MAX_BASELINE_AGE_MS) return [];
  return points.slice(baseline).filter(({ at }) => at < until);
}

export interface CurveRise {
  readonly curve: DepthCurve;
  readonly rise: Rise;
}

function isBelowRoots({ curve, rise }: CurveRise, all: readonly DepthCurve[], rootDepthCm: number | null): boolean {
  if (rootDepthCm !== null && curve.depthCm >= rootDepthCm) return true;
  const deepestCm = Math.max(...all.map(({ slice }) => slice?.bottomCm ?? 0));
  const isDeepest = curve.slice?.bottomCm === deepestCm;
  return isDeepest && curve.fieldCapacity !== null && rise.peak / 100 > curve.fieldCapacity;
}

/**
 * The most water that slices held at once beyond what each rose from, in mm; null where none of them stands for soil.
 * Water on its way down peaks at one depth after the other, so that the sum of the peaks would count it twice.
 */
export function waterGainMm(risen: readonly CurveRise[]): number | null {
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
export const depthRisePoints = ({ isKnown, rise }: DepthResponse): number | null =>
  rise !== null ? riseHeight(rise) : isKnown ? 0 : null;

/** Waterings nearer to each other than this, from end to start, reach the soil as one: it answers none of them alone. */
const MAX_GROUP_GAP_MS = 3 * HOUR_MS;

/** Puts waterings (in order of their start, ms) together that follow each other so soon that they act as one. */
export function groupWaterings<T extends { readonly run: Period }>(waterings: readonly T[]): T[][] {
  const groups: T[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const watering of waterings) {
    const open = groups.at(-1);
    if (open !== undefined && watering.run.start - end <= MAX_GROUP_GAP_MS) open.push(watering);
    else groups.push([watering]);
    end = Math.max(end, watering.run.end);
  }
  return groups;
}

/** From the first start of a group, which is not empty, to its last end. */
export const wateringGroupPeriod = (group: readonly { readonly run: Period }[]): Period => ({
  start: Math.min(...group.map(({ run }) => run.start)),
  end: Math.max(...group.map(({ run }) => run.end)),
});
