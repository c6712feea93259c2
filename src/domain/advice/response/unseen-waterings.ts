import {
  type EarlyRises,
  NO_RESPONSE_FACTS,
  type ResponseFacts,
} from '../../facts/response-facts.ts';
import { lastOf } from '../../items.ts';
import type { TimedValue } from '../../moisture/series.ts';
import { DAY_MS, HOUR_MS } from '../../periods.ts';
import { mean, median } from '../../statistics.ts';
import {
  type DepthCurve,
  depthResponses,
  firstRiseWithinMs,
  hasRisen,
  isFrozenWithin,
  RESPONSE_WINDOW_MS,
  wettingEventsOf,
} from '../watering-response.ts';
import type { AppliedWatering } from '../wetted-fraction.ts';
import { heldAboveSensorMm, reachesSensor } from './light-doses.ts';
import { risesIn, shiftOfLog } from './log-shift.ts';
import {
  isLarge,
  type JudgedDay,
  leastRise,
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

export interface WateredSoil {
  /** Hourly means. */
  readonly curves: readonly DepthCurve[];
  /** Between single readings, in points, by depth in cm. */
  readonly sensorSteps: ReadonlyMap<number, number>;
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
  const early = earlyRises(judged, rises);
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
    logShift: shiftOfLog(soil.curves, judged, unseen),
    ...(early === null ? {} : { early }),
  };
}

/** Half a day was mistaken, or the end was logged as the start. */
const MAX_EARLY_MS = 13 * HOUR_MS;

const earlyRise = (rises: readonly number[], start: number): number | undefined =>
  rises.findLast((rise) => rise < start && rise >= start - MAX_EARLY_MS);

/** Counts those as seen that a rise shortly before explains, which is of no other watering. */
const seenEarly = (judged: readonly JudgedDay[], rises: readonly number[]): JudgedDay[] =>
  judged.map((judgedDay) =>
    judgedDay.outcome === 'unseen' && earlyRise(rises, judgedDay.day.start) !== undefined
      ? { ...judgedDay, outcome: 'seen_early' }
      : judgedDay,
  );

/** Fewer may be chance, or water that somebody gave and did not log. */
const MIN_EARLY = 3;
/** Clocks are wrong by the same time each day; the soil shows water a little sooner or later. */
const LIKE_MS = 2 * HOUR_MS;

/** Null unless several waterings were seen by like hours before their logged starts. */
function earlyRises(judged: readonly JudgedDay[], rises: readonly number[]): EarlyRises | null {
  // Soil that was watered just before is too wet to be doubted.
  const seen = judged
    .filter(({ day, outcome }) => isLarge(day) && outcome !== 'seen')
    .flatMap(({ day: { start } }) => {
      const roseAt = earlyRise(rises, start);
      return roseAt === undefined ? [] : { startedAt: start, roseAt };
    })
    .reverse();
  const leadsMs = seen.map(({ startedAt, roseAt }) => startedAt - roseAt);
  if (seen.length < MIN_EARLY || Math.max(...leadsMs) - Math.min(...leadsMs) > LIKE_MS) return null;
  return {
    hours: Math.round(median(leadsMs) / HOUR_MS),
    startedAt: seen.map(({ startedAt }) => startedAt),
    roseAt: seen.map(({ roseAt }) => roseAt),
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
  const riseUntil = day.end + firstRiseWithinMs(soil.curves);
  const window = { start: day.start, end: day.end + RESPONSE_WINDOW_MS };
  const curves = soil.curves.map((curve) => ({
    ...curve,
    minRise: leastRise(curve, {
      sensorStep: soil.sensorSteps.get(curve.depthCm) ?? 0,
      before: hourBefore(curve.points, day.start)?.value ?? null,
      doseMm: day.mm,
    }),
  }));
  const depths = depthResponses(curves, window, riseUntil);
  if (hasRisen(depths, riseUntil)) return { day, outcome: 'seen', depths };

  const shouldBeSeen =
    isLarge(day) && isDryEnough(soil, top, day) && coversResponse(top, day.start, riseUntil);
  // A rise that comes later is of other water.
  const unrelated = depths.map((depth) => ({ ...depth, event: null }));
  return { day, outcome: shouldBeSeen ? 'unseen' : 'unknown', depths: unrelated };
}

/** Water shows little at a full sensor, and may be taken up before it reaches a dry one below. */
function isDryEnough(
  { meanCurve, dryEnough, dryEnoughAt }: WateredSoil,
  top: DepthCurve,
  { start }: WateringDay,
): boolean {
  const isDryAt = (points: readonly TimedValue[], limit: number): boolean => {
    const before = hourBefore(points, start);
    return before !== undefined && start - before.at <= MAX_GAP_MS && before.value <= limit;
  };
  const topLimit = dryEnoughAt(top);
  return (
    dryEnough !== null &&
    isDryAt(meanCurve, dryEnough) &&
    (topLimit === null || isDryAt(top.points, topLimit))
  );
}

/** The last mean of an hour that ended by then. */
const hourBefore = (points: readonly TimedValue[], at: number): TimedValue | undefined =>
  points.findLast((point) => point.at + HOUR_MS <= at);

function coversResponse(curve: DepthCurve, start: number, until: number): boolean {
  if (isFrozenWithin(curve, { start, end: until })) return false;

  const { points } = curve;
  const instants = points.map(({ at }) => at).filter((at) => at > start && at < until);
  const before = hourBefore(points, start);
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
  const before = hourBefore(top.points, lastOf(unseen).start);
  const lackMm = before === undefined ? null : soil.lackMm(top, before.value);
  if (lackMm === null) return true;

  const doses = unseen
    .map(({ start, mm, areaMm }) => ({ start, mm: mm ?? 0, areaMm: areaMm ?? 0 }))
    .reverse();
  return heldAboveSensorMm(doses, soil.curves).some((heldMm) => reachesSensor(heldMm, lackMm));
}
