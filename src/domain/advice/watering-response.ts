import { itemAt } from '../items.ts';
import { isFreshAt } from '../moisture/coverage.ts';
import type { TimedValue } from '../moisture/series.ts';
import { riseHeight, type WettingEvent, wettingEventsIn } from '../moisture/wetting-events.ts';
import { HOUR_MS, MINUTE_MS, type Period } from '../periods.ts';
import { measuredToCm, type Slice, thicknessMm } from '../soil/slices.ts';
import { median } from '../statistics.ts';

/**
 * A curve of moisture in %, or of tension on the scale of `wetnessOf`, without slice and field
 * capacity.
 */
export interface DepthCurve {
  readonly depthCm: number;
  readonly slice: Slice | null;
  /** m3/m3; null without a layer. */
  readonly fieldCapacity: number | null;
  readonly points: readonly TimedValue[];
  /** Of which each point is the mean, from its instant on; default: an hour. */
  readonly spanMs?: number;
  readonly minRise: number;
  /** Within which a rise is as high as that, in ms; default: that of moisture. */
  readonly climbMs?: number;
  /** When the soil was frozen or thawing there, so that a rise is no water that arrived. */
  readonly frozen: readonly Period[];
}

/** Leaves out the points of the curve while it was frozen or thawing. */
export const wettingEventsOf = (
  { minRise, climbMs, frozen }: Pick<DepthCurve, 'minRise' | 'climbMs' | 'frozen'>,
  points: readonly TimedValue[],
): WettingEvent[] =>
  wettingEventsIn(points, minRise, climbMs).filter(
    ({ startAt, peakAt }) => !isFrozenWithin({ frozen }, { start: startAt, end: peakAt }),
  );

const knownEvents = new WeakMap<DepthCurve, readonly WettingEvent[]>();

/** Those of the whole curve, which are found once however many rules ask for them. */
export function wettingEventsOfCurve(curve: DepthCurve): readonly WettingEvent[] {
  const known = knownEvents.get(curve);
  if (known !== undefined) return known;
  const events = wettingEventsOf(curve, curve.points);
  knownEvents.set(curve, events);
  return events;
}

export const isFrozenWithin = (
  { frozen }: Pick<DepthCurve, 'frozen'>,
  { start, end }: Period,
): boolean => frozen.some((period) => period.start < end && period.end > start);

/**
 * `too_early`: a response may still show. `no_data`: readings that could show it are missing for
 * good.
 */
export const WATERING_OUTCOMES = [
  'reached',
  'below_roots',
  'no_response',
  'too_early',
  'no_data',
] as const;
type WateringOutcome = (typeof WATERING_OUTCOMES)[number];

export interface DepthResponse {
  readonly depthCm: number;
  /** There are enough readings to tell whether the depth responded. */
  readonly isConclusive: boolean;
  readonly event: WettingEvent | null;
}

export interface WateringResponse {
  readonly response: WateringOutcome;
  readonly depths: readonly DepthResponse[];
  readonly deepestCm: number | null;
  /** In the slices of moisture sensors. */
  readonly riseMm: number | null;
  /** The water reached a deeper sensor first, as it does through cracks. */
  readonly isDeeperFirst: boolean;
  /** The uppermost depth was about at field capacity before, so that it rises little. */
  readonly isSoilFull: boolean;
}

const MAX_BASELINE_AGE_MS = 12 * HOUR_MS;
/** The times count from the end of the watering. The first rise must begin within a day of it. */
const FIRST_RISE_WITHIN_MS = 24 * HOUR_MS;
/** Water takes longer to a top sensor that lies deeper than this. */
const DEEP_TOP_CM = 30;
/** The next watering ends the window early. */
export const RESPONSE_WINDOW_MS = 48 * HOUR_MS;

/** How long after its end the water of a watering may still reach the first of these depths. */
export function firstRiseWithinMs(curves: readonly Pick<DepthCurve, 'depthCm'>[]): number {
  const topCm = Math.min(...curves.map(({ depthCm }) => depthCm));
  return topCm > DEEP_TOP_CM ? 2 * FIRST_RISE_WITHIN_MS : FIRST_RISE_WITHIN_MS;
}

interface ResponseWindow {
  /** Within which the rise of a depth is of this watering. */
  readonly until: number;
  /** The first rise of all depths begins by then. */
  readonly riseBy: number;
  /** A watering that shows no rise by then has no response. */
  readonly settledAt: number;
}

export function responseWindow(
  curves: readonly Pick<DepthCurve, 'depthCm'>[],
  { end }: Period,
  nextAt: number | null,
): ResponseWindow {
  const until = Math.min(nextAt ?? Number.POSITIVE_INFINITY, end + RESPONSE_WINDOW_MS);
  const riseWithinMs = firstRiseWithinMs(curves);
  return {
    until,
    riseBy: end + riseWithinMs,
    settledAt: Math.min(until, end + riseWithinMs / 2),
  };
}

export function newestReadingAt(curves: readonly Pick<DepthCurve, 'points'>[]): number | null {
  const newest = curves.flatMap(({ points }) => points.at(-1)?.at ?? []);
  return newest.length === 0 ? null : Math.max(...newest);
}

/** A probe that is silent sends nothing that could show a rise. */
export const canStillShow = (
  { settledAt, newestAt }: { readonly settledAt: number; readonly newestAt: number | null },
  now: number,
): boolean => now < settledAt && isFreshAt(newestAt, now);

interface ResponseContext {
  /** When the watering before it ended, and when the next one starts. */
  readonly previousEnd: number | null;
  readonly nextAt: number | null;
  readonly now: number;
  readonly rootDepthCm: number | null;
}

/**
 * Water went below the roots when a sensor below the root depth rose, or when the one at the root
 * depth, or the deepest one if it tells of the soil down there, exceeded its field capacity and so
 * drains.
 */
export function wateringResponse(
  curves: readonly DepthCurve[],
  watering: Period,
  { previousEnd, nextAt, now, rootDepthCm }: ResponseContext,
): WateringResponse {
  const { until, riseBy, settledAt } = responseWindow(curves, watering, nextAt);
  const depths = depthResponses(curves, { start: watering.start, end: until }, settledAt);
  const isSoilFull = isFullBefore(curves, watering.start);
  if (!hasRisen(depths, riseBy)) {
    const isConclusive = depths.some((depth) => depth.isConclusive);
    const newestAt = newestReadingAt(curves);
    const canShow = canStillShow({ settledAt: settledAt + HOUR_MS, newestAt }, now);
    const reasonIfUnknown = canShow ? 'too_early' : 'no_data';
    const response = isConclusive ? 'no_response' : reasonIfUnknown;
    const withoutWettingEvents = depths.map((depth) => ({ ...depth, event: null }));
    return {
      response,
      depths: withoutWettingEvents,
      deepestCm: null,
      riseMm: isConclusive && curves.some(({ slice }) => slice !== null) ? 0 : null,
      isDeeperFirst: false,
      isSoilFull,
    };
  }

  const depthEvents = depths.flatMap(({ event }, index) =>
    event === null ? [] : [{ curve: itemAt(curves, index), event }],
  );

  return {
    response: depthEvents.some((depth) => isBelowRoots(depth, curves, rootDepthCm))
      ? 'below_roots'
      : 'reached',
    depths,
    deepestCm: Math.max(...depthEvents.map(({ curve }) => curve.depthCm)),
    riseMm: waterGainMm(depthEvents),
    isDeeperFirst:
      (previousEnd === null || watering.start - previousEnd >= PERCOLATION_MS) &&
      isDeeperFirst(curves, depths, { startedAt: watering.start, rootDepthCm }),
    isSoilFull,
  };
}

/** The first rise of each depth between the start of a watering and the end of its response. */
export const depthResponses = (
  curves: readonly DepthCurve[],
  window: Period,
  settledAt: number,
): DepthResponse[] =>
  curves.map((curve) => {
    const { events, isConclusive } = risesInWindow(curve, window, settledAt);
    return { depthCm: curve.depthCm, isConclusive, event: events[0] ?? null };
  });

interface DepthRises extends Pick<DepthResponse, 'isConclusive'> {
  readonly events: readonly WettingEvent[];
}

/** All rises of a depth in the window of a watering. */
export function risesInWindow(
  curve: DepthCurve,
  { start, end }: Period,
  settledAt: number,
): DepthRises {
  const inWindow = pointsInWindow(curve, { start, end });
  const events = wettingEventsOf(curve, inWindow);
  const newestAt = inWindow.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  const isFrozen = isFrozenWithin(curve, { start, end: settledAt });
  const isConclusive = events.length > 0 || (newestAt >= settledAt - HOUR_MS && !isFrozen);
  return { events, isConclusive };
}

/** Some depth began to rise by then. */
export const hasRisen = (depths: readonly DepthResponse[], by: number): boolean =>
  depths.some(({ event }) => event !== null && event.startAt <= by);

function pointsInWindow(
  curve: Pick<DepthCurve, 'points' | 'spanMs'>,
  { start, end }: Period,
): readonly TimedValue[] {
  const { points } = curve;
  const baseline = lastIndexBefore(curve, start);
  if (baseline < 0 || start - itemAt(points, baseline).at > MAX_BASELINE_AGE_MS) return [];
  return points.slice(baseline).filter(({ at }) => at < end);
}

/** The mean over the start of a watering has some of its water, so the one before it counts. */
const lastIndexBefore = (
  { points, spanMs = HOUR_MS }: Pick<DepthCurve, 'points' | 'spanMs'>,
  start: number,
): number => points.findLastIndex(({ at }) => at + spanMs <= start);

/** The last value without any water of a watering that starts then. */
export const lastBefore = (
  curve: Pick<DepthCurve, 'points' | 'spanMs'>,
  start: number,
): TimedValue | undefined => curve.points[lastIndexBefore(curve, start)];

/** Until then the water of the watering before may still arrive at a deep sensor. */
const PERCOLATION_MS = 24 * HOUR_MS;
/** Sensors of a probe are not read at the same instant. */
const READ_TOLERANCE_MS = 15 * MINUTE_MS;
/** Points below field capacity: in wetter soil water passes with little rise. */
const MIN_ROOM_POINTS = 2;

/**
 * Whether the uppermost depth of the roots that could show the water showed none, or showed it later
 * than a deeper one.
 */
function isDeeperFirst(
  curves: readonly DepthCurve[],
  depths: readonly DepthResponse[],
  { startedAt, rootDepthCm }: { readonly startedAt: number; readonly rootDepthCm: number | null },
): boolean {
  const index = depths.findIndex(
    ({ depthCm, isConclusive }) => isConclusive && depthCm <= (rootDepthCm ?? depthCm),
  );
  const [upper, curve] = [depths[index], curves[index]];
  if (upper === undefined || curve === undefined || !hasRoom(curve, startedAt)) return false;

  const deeper = depths.slice(index + 1).flatMap(({ event }) => event?.startAt ?? []);
  const upperAt = upper.event?.startAt ?? Number.POSITIVE_INFINITY;
  return upperAt > Math.min(...deeper) + intervalOf(curve.points) + READ_TOLERANCE_MS;
}

function hasRoom(curve: DepthCurve, at: number): boolean {
  const { fieldCapacity } = curve;
  const before = lastBefore(curve, at);
  if (fieldCapacity === null || before === undefined) return true;
  return before.value <= 100 * fieldCapacity - MIN_ROOM_POINTS;
}

function isFullBefore(curves: readonly DepthCurve[], at: number): boolean {
  const upper = curves.find((curve) => lastBefore(curve, at) !== undefined);
  return upper !== undefined && !hasRoom(upper, at);
}

/** The usual time between points; 0 for a single one. */
const intervalOf = (points: readonly TimedValue[]): number =>
  points.length < 2
    ? 0
    : median(points.slice(1).map(({ at }, index) => at - itemAt(points, index).at));

export interface CurveWettingEvent {
  readonly curve: DepthCurve;
  readonly event: WettingEvent;
}

function isBelowRoots(
  { curve, event }: CurveWettingEvent,
  curves: readonly DepthCurve[],
  rootDepthCm: number | null,
): boolean {
  if (rootDepthCm !== null && curve.depthCm > rootDepthCm) return true;
  const deepestCm = Math.max(...curves.map(({ slice }) => slice?.bottomCm ?? 0));
  const isLowest =
    curve.depthCm === rootDepthCm ||
    (curve.slice?.bottomCm === deepestCm &&
      measuredToCm(curves.map(({ depthCm }) => depthCm)) >= (rootDepthCm ?? 0));
  return isLowest && curve.fieldCapacity !== null && event.peak / 100 > curve.fieldCapacity;
}

/**
 * The largest gain of the whole profile at any one time. Percolating water peaks at one depth after
 * the other, so that the sum of the peaks would count it twice.
 */
export function waterGainMm(depthEvents: readonly CurveWettingEvent[]): number | null {
  const slicesThatRose = depthEvents.flatMap(({ curve, event }) =>
    curve.slice === null ? [] : [{ ...curve, slice: curve.slice, event }],
  );
  if (slicesThatRose.length === 0) return null;

  const gainAt = (at: number): number =>
    slicesThatRose.reduce((sum, { points, slice, event }) => {
      const value =
        at < event.startAt ? event.from : points.findLast((point) => point.at <= at)!.value;
      return sum + (Math.max(0, value - event.from) / 100) * thicknessMm(slice);
    }, 0);

  return Math.max(...slicesThatRose.map(({ event }) => gainAt(event.peakAt)));
}

/** An assumption that leaves room for sensor errors and uneven emitters. */
const MAX_GAIN_PER_DOSE = 1.3;

/**
 * Both are in mm of the wetted zone. A larger gain without rain means a wrong setup, or a wrong
 * placement of the probe.
 */
export const isImplausibleGain = (gainMm: number | null, doseMm: number | null): boolean =>
  gainMm !== null && doseMm !== null && gainMm > MAX_GAIN_PER_DOSE * doseMm;

export function depthRisePoints({ isConclusive, event }: DepthResponse): number | null {
  if (event !== null) return riseHeight(event);
  return isConclusive ? 0 : null;
}

/** Waterings act on the soil as one if less time lies between the end of one and the next start. */
const MAX_GROUP_GAP_MS = 3 * HOUR_MS;

export function groupWaterings<T extends { readonly run: Period }>(waterings: readonly T[]): T[][] {
  const groups: T[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const watering of waterings) {
    const group = groups.at(-1);
    if (group !== undefined && watering.run.start - end <= MAX_GROUP_GAP_MS) group.push(watering);
    else groups.push([watering]);
    end = Math.max(end, watering.run.end);
  }
  return groups;
}

export const wateringGroupPeriod = (group: readonly { readonly run: Period }[]): Period => ({
  start: Math.min(...group.map(({ run }) => run.start)),
  end: Math.max(...group.map(({ run }) => run.end)),
});
