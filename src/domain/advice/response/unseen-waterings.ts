import { NO_RESPONSE_FACTS, type ResponseFacts } from '../../facts/response-facts.ts';
import { lastOf } from '../../items.ts';
import type { TimedValue } from '../../moisture/series.ts';
import { DAY_MS, HOUR_MS } from '../../periods.ts';
import { mean } from '../../statistics.ts';
import {
  type DepthCurve,
  firstRiseWithinMs,
  isFrozenWithin,
  lastBefore,
  wettingEventsOf,
} from '../watering-response.ts';
import type { AppliedWatering } from '../wetted-fraction.ts';
import { earlyRises, seenEarly } from './early-rises.ts';
import { heldAboveSensorMm, reachesSensor } from './light-doses.ts';
import { shiftOfLog } from './log-shift.ts';
import {
  isLarge,
  type JudgedDay,
  responseOfDay,
  risesIn,
  type SoilCurves,
  type WateringDay,
  wateringDays,
} from './watering-days.ts';

/** One may have been missed, or logged although it was skipped. */
const MIN_UNSEEN = 2;
/** Points below field capacity: in wetter soil the water passes with little rise. */
const MIN_POINTS_BELOW = 2;
/** A longer gap hides a rise. */
const MAX_GAP_MS = 12 * HOUR_MS;

/** A smaller change may come from the temperature of the soil. */
const MIN_SLOW_GAIN_POINTS = 1;

export interface WateredSoil extends SoilCurves {
  /** Their weighted mean, on their scale. */
  readonly meanCurve: readonly TimedValue[];
  /** Up to this mean the soil is dry enough for a watering to show; null if unknown. */
  readonly dryEnough: number | null;
  /** The same of a sensor by itself; null if unknown. */
  readonly dryEnoughAt: (sensor: DepthCurve) => number | null;
  /** In mm, of the soil above a sensor to field capacity, by the value of the sensor. */
  readonly lackMm: (sensor: DepthCurve, value: number) => number | null;
}

/** In %; null if unknown. */
export const dryEnoughMoisture = (fieldCapacity: number | null): number | null =>
  fieldCapacity === null ? null : fieldCapacity - MIN_POINTS_BELOW;

/** `moisture` in %, field capacity in m3/m3. */
export const lackAboveMm = (depthCm: number, moisture: number, fieldCapacity: number): number =>
  Math.max(0, fieldCapacity - moisture / 100) * depthCm * 10;

/**
 * `done` has the oldest start first. The readings alone decide what is shown by now, not the clock.
 */
export function responseFacts(
  soil: WateredSoil,
  done: readonly AppliedWatering[],
  zone: string,
): ResponseFacts {
  const top = topCurve(soil.curves);
  if (top === null) return NO_RESPONSE_FACTS;

  const byLog = wateringDays(done, zone).map((day) => judgeDay(soil, top, day));
  const rises = risesIn(soil.curves, byLog);
  const judged = seenEarly(byLog, rises);
  const unseen = newestUnseen(judged);
  const logShift = shiftOfLog(soil.curves, judged, { unseen, unexplained: rises });
  const early = logShift === null ? earlyRises(judged, rises) : null;
  const areUnseen =
    unseen.length >= MIN_UNSEEN &&
    reachTopSensor(unseen, top, soil) &&
    !soil.curves.some((curve) => gainsSlowly(curve, lastOf(unseen)));
  return {
    unseen: areUnseen
      ? {
          startedAt: unseen.map(({ start }) => start),
          areScheduled: unseen.every(({ isScheduled }) => isScheduled),
        }
      : null,
    logShift,
    ...(early === null ? {} : { early }),
  };
}

/** The unseen days since water was last seen, newest first. */
function newestUnseen(judged: readonly JudgedDay[]): WateringDay[] {
  const known = judged.filter(({ outcome }) => outcome !== 'unknown');
  const lastSeen = known.findLastIndex(({ outcome }) => outcome !== 'unseen');
  return known
    .slice(lastSeen + 1)
    .map(({ day }) => day)
    .reverse();
}

const topCurve = (curves: readonly DepthCurve[]): DepthCurve | null =>
  curves.find(({ points }) => points.length > 0) ?? null;

function judgeDay(soil: WateredSoil, top: DepthCurve, day: WateringDay): JudgedDay {
  const depths = responseOfDay(soil, day);
  if (depths.some(({ event }) => event !== null)) return { day, outcome: 'seen', depths };

  const riseUntil = day.end + firstRiseWithinMs(soil.curves);
  const shouldBeSeen =
    isLarge(day) && isDryEnough(soil, top, day) && coversResponse(top, day.start, riseUntil);
  return { day, outcome: shouldBeSeen ? 'unseen' : 'unknown', depths };
}

/** Water shows little at a full sensor, and may be taken up before it reaches a dry one below. */
function isDryEnough(
  { meanCurve, dryEnough, dryEnoughAt }: WateredSoil,
  top: DepthCurve,
  { start }: WateringDay,
): boolean {
  const isDryAt = (points: readonly TimedValue[], limit: number): boolean => {
    const before = lastBefore({ points }, start);
    return before !== undefined && start - before.at <= MAX_GAP_MS && before.value <= limit;
  };
  const topLimit = dryEnoughAt(top);
  return (
    dryEnough !== null &&
    isDryAt(meanCurve, dryEnough) &&
    (topLimit === null || isDryAt(top.points, topLimit))
  );
}

function coversResponse(curve: DepthCurve, start: number, until: number): boolean {
  if (isFrozenWithin(curve, { start, end: until })) return false;

  const { points } = curve;
  const instants = points.map(({ at }) => at).filter((at) => at > start && at < until);
  const before = lastBefore({ points }, start);
  if (before === undefined) return false;

  // The mean of the last hour stands at its beginning.
  const bounds = [before.at, ...instants];
  const hasGap = bounds.some((at, index) => at - (bounds[index - 1] ?? at) > MAX_GAP_MS);
  return !hasGap && lastOf(bounds) >= until - HOUR_MS;
}

/** Water of small doses may reach a depth so slowly that none of its gains is a rise. */
function gainsSlowly(curve: DepthCurve, { start }: WateringDay): boolean {
  const newestAt = curve.points.at(-1)?.at ?? start;
  if (isFrozenWithin(curve, { start, end: newestAt })) return false;
  // A rise is of other water, because it came too late for these waterings.
  const since = curve.points.filter(({ at }) => at >= start);
  if (wettingEventsOf(curve, since).length > 0) return false;

  const [before, now] = [start, newestAt + HOUR_MS].map((end) =>
    mean(curve.points.flatMap(({ at, value }) => (at >= end - DAY_MS && at < end ? [value] : []))),
  );
  return now! - before! >= Math.max(MIN_SLOW_GAIN_POINTS, curve.minRise);
}

/** They gave enough water for the top sensor to rise, beside what the crop drank in between. */
function reachTopSensor(
  unseen: readonly WateringDay[],
  top: DepthCurve,
  soil: WateredSoil,
): boolean {
  const before = lastBefore(top, lastOf(unseen).start);
  const lackMm = before === undefined ? null : soil.lackMm(top, before.value);
  if (lackMm === null) return true;

  const doses = unseen
    .map(({ start, mm, areaMm }) => ({ start, mm: mm ?? 0, areaMm: areaMm ?? 0 }))
    .reverse();
  return heldAboveSensorMm(doses, soil.curves).some((heldMm) => reachesSensor(heldMm, lackMm));
}
