import type { DepthHours } from '../../facts/probe-history.ts';
import type { ExchangedDepths } from '../../facts/response-facts.ts';
import { firstOf, lastOf } from '../../items.ts';
import type { TimedValue } from '../../moisture/series.ts';
import type { WettingEvent } from '../../moisture/wetting-events.ts';
import { DAY_MS, HOUR_MS, type Period } from '../../periods.ts';
import { type DepthCurve, wettingEventsOfCurve } from '../watering-response.ts';

/** Depths nearer to each other show the same water at nearly the same time. */
const MIN_SPAN_CM = 30;
/** One of fewer may have run down a crack, or along the probe. */
const MIN_WETTINGS = 3;
/** Water that is seen so much later did not come to both at once. */
const MIN_LEAD_MS = 2 * HOUR_MS;
/** The water of one wetting arrives at all depths within so long. */
const SAME_WATER_MS = 2 * DAY_MS;
/** Before it, water still sinks from depth to depth. */
const DRAINED_AFTER_MS = DAY_MS;
/** Of drained soil that dries, over all. */
const MIN_DRYING_MS = 3 * DAY_MS;
/** Where roots are, a crop dries the soil by more than that. */
const MIN_POINTS_PER_DAY = 0.3;
/**
 * The uppermost quarter of the roots takes up four times as much as the lowest one, and the sun dries
 * it too.
 */
const MIN_TIMES_AS_FAST = 3;
/** Shares of the available water: soil drier than that may have dried first, wetter soil is full. */
const MOIST = { from: 0.4, to: 0.9 };
/** With a damping depth of at most 15 cm, the daily swing falls to a seventh within 30 cm. */
const MIN_TIMES_AS_WARM = 1.5;

interface MeasuredDepth {
  readonly curve: DepthCurve;
  readonly depth: DepthHours;
  readonly events: readonly WettingEvent[];
}

/**
 * The uppermost and the deepest sensor, if the deepest is the first to show water and the first to
 * dry. Water from emitters in the soil, or through cracks, may come to a deeper sensor first, but the
 * top dries first then, or is dry all the time; ground water wets the deepest alone, whatever is
 * given. `watered`: the waterings that were done. Null where emitters are declared in the soil.
 */
export function exchangedDepths(
  curves: readonly DepthCurve[],
  depths: readonly DepthHours[],
  watered: readonly Period[],
): ExchangedDepths | null {
  const measured = curves.flatMap((curve, index): MeasuredDepth[] => {
    const depth = depths[index];
    return depth === undefined || curve.points.length === 0
      ? []
      : [{ curve, depth, events: wettingEventsOfCurve(curve) }];
  });
  if (measured.length < 2 || isTopLeftOut(depths)) return null;

  const [top, deepest] = [firstOf(measured), lastOf(measured)];
  const [topCm, deepestCm] = [top.depth.depthCm, deepest.depth.depthCm];
  if (deepestCm - topCm < MIN_SPAN_CM || !mayBeExchanged(top, deepest)) return null;

  return areWettingsReversed(measured, watered) && driesFirst(deepest, top)
    ? { topCm, deepestCm }
    : null;
}

/** The soil above emitters in the soil has no slice. */
const isTopLeftOut = (depths: readonly DepthHours[]): boolean =>
  depths[0]?.slice === null && depths.some(({ slice }) => slice !== null);

/** By the thermometers beside them, where each has one of its own. */
function mayBeExchanged(top: MeasuredDepth, deepest: MeasuredDepth): boolean {
  const [atTop, below] = [top.depth.soilTemperature, deepest.depth.soilTemperature];
  if (atTop === below || atTop.length === 0 || below.length === 0) return true;
  return swingOf(below) > MIN_TIMES_AS_WARM * swingOf(atTop);
}

/** The mean change within half a day. */
function swingOf(points: readonly TimedValue[]): number {
  const valueAt = new Map(points.map(({ at, value }) => [at, value]));
  const changes = points.flatMap(({ at, value }) => {
    const before = valueAt.get(at - DAY_MS / 2);
    return before === undefined ? [] : [Math.abs(value - before)];
  });
  return changes.reduce((sum, change) => sum + change, 0) / Math.max(1, changes.length);
}

function areWettingsReversed(
  measured: readonly MeasuredDepth[],
  watered: readonly Period[],
): boolean {
  const [top, deepest] = [firstOf(measured), lastOf(measured)];
  const between = measured.slice(1, -1).flatMap(({ events }) => events);
  const leads = (event: WettingEvent, other: WettingEvent): boolean =>
    other.startAt - event.startAt >= MIN_LEAD_MS && other.startAt - event.startAt <= SAME_WATER_MS;
  // Each water that the top shows must have come to the deepest before.
  if (!top.events.every((event) => deepest.events.some((deep) => leads(deep, event)))) return false;

  const first = deepest.events.filter(
    ({ startAt }) => !between.some((event) => isWithin(event.startAt, startAt - DAY_MS, startAt)),
  );
  const isGiven = ({ startAt }: WettingEvent): boolean =>
    watered.some(({ start, end }) => isWithin(startAt, start - HOUR_MS, end + DAY_MS));
  const areSeenAbove = first.filter((deep) => top.events.some((event) => leads(deep, event)));
  if (areSeenAbove.length >= MIN_WETTINGS) return true;
  // Small waterings do not come down to where the sensor of the top would then be.
  return isMoist(top) && first.filter(isGiven).length >= MIN_WETTINGS;
}

const isWithin = (at: number, from: number, to: number): boolean => at >= from && at < to;

/** All the time neither so dry that it has no more water to lose, nor so wet that it takes none up. */
function isMoist({ curve, depth: { wiltingPoint } }: MeasuredDepth): boolean {
  const { fieldCapacity, points } = curve;
  if (fieldCapacity === null || wiltingPoint === null) return false;
  const heightOf = (share: number): number =>
    100 * (wiltingPoint + share * (fieldCapacity - wiltingPoint));
  return points.every(({ value }) => isWithin(value, heightOf(MOIST.from), heightOf(MOIST.to)));
}

/** Of the drained soil between wettings of either. */
function driesFirst(first: MeasuredDepth, other: MeasuredDepth): boolean {
  let [fall, otherFall, dryingMs] = [0, 0, 0];
  for (const { start, end } of dryingPeriods(first, other)) {
    const [points, otherPoints] = [first, other].map(({ curve }) => fallIn(curve, { start, end }));
    if (points == null || otherPoints == null) continue;
    fall += points;
    otherFall += otherPoints;
    dryingMs += end - start;
  }
  return (
    dryingMs >= MIN_DRYING_MS &&
    fall >= MIN_POINTS_PER_DAY * (dryingMs / DAY_MS) &&
    fall >= MIN_TIMES_AS_FAST * otherFall
  );
}

/** Of a day or more. */
function dryingPeriods({ curve, events }: MeasuredDepth, other: MeasuredDepth): Period[] {
  const bounds = [...events, ...other.events].sort((a, b) => a.startAt - b.startAt);
  const newestAt = lastOf(curve.points).at;
  return bounds.flatMap(({ peakAt }, index) => {
    const period = {
      start:
        Math.max(peakAt, ...bounds.slice(0, index).map((event) => event.peakAt)) + DRAINED_AFTER_MS,
      end: bounds[index + 1]?.startAt ?? newestAt,
    };
    return period.end - period.start >= DAY_MS ? [period] : [];
  });
}

function fallIn({ points }: DepthCurve, { start, end }: Period): number | null {
  const [from, to] = [start, end].map((at) => points.findLast((point) => point.at <= at)?.value);
  return from === undefined || to === undefined ? null : from - to;
}
