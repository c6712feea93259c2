import { itemAt } from '../items.ts';
import { DAY_MS, HOUR_MS } from '../periods.ts';
import { isFrozen } from '../soil/frozen-soil.ts';
import { median } from '../statistics.ts';
import type { TimedValue } from './series.ts';
import { riseHeight, type WettingEvent, wettingsOfCurve } from './wetting-events.ts';
import { WindowExtreme } from './window-extreme.ts';

/** The readings of one sensor in the last two weeks, in hourly means, oldest first. */
export interface SensorHours {
  readonly points: readonly TimedValue[];
  /** In degrees Celsius, of the nearest thermometer in the soil; empty without one. */
  readonly soilTemperature: readonly TimedValue[];
}

/** The value of a sensor before it changed, and since when it reads another one. */
export interface SensorChange {
  readonly from: number;
  readonly since: number;
}

/**
 * Without a wetting in the two days before and without frost, no sensor of a year at six depths in
 * sand (OpenAgri) and of two summers in sagebrush (Dubois, Idaho) fell as much within two hours.
 */
const MAX_SUDDEN_FALL_POINTS = 5;
const SUDDEN_MS = 2 * HOUR_MS;
/** One of the same sensors fell by 3.4 points in a day, at 25 cm, and worked before and after. */
const MIN_DAILY_FALL_POINTS = 4;

/** So long after a wetting event, the soil may drain down to what it held before. */
const DRAINING_MS = 2 * DAY_MS;

/** A thermometer tells about the readings this close to its own. */
const TEMPERATURE_WITHIN_MS = 3 * HOUR_MS;

interface WaterUse {
  /** The share of the soil that the equipment wets, 0 to 1. */
  readonly fractionWetted: number;
  /**
   * The evapotranspiration of the crop on the day of the last two weeks on which it lost most; null
   * if unknown.
   */
  readonly largestEtcMm: number | null;
}

/**
 * Twice the greatest use by a crop from a slice in a day, in points. `uptakeShare` is the share of
 * its water that it takes from there, 0 to 1.
 */
export function maxDailyFall(
  uptakeShare: number,
  thicknessMm: number,
  { fractionWetted, largestEtcMm }: WaterUse,
): number {
  if (thicknessMm === 0) return MIN_DAILY_FALL_POINTS;
  const takenMm = ((largestEtcMm ?? ETC_OF_HOT_DAY_MM) / fractionWetted) * uptakeShare;
  return Math.max(MIN_DAILY_FALL_POINTS, (UPTAKE_MARGIN * 100 * takenMm) / thicknessMm);
}

/** A crop in full leaf loses as much. */
const ETC_OF_HOT_DAY_MM = 8;
/** Roots take more from where there is water than the usual shares of the depths say. */
const UPTAKE_MARGIN = 2;

/**
 * The newest fall that no soil shows: by `MAX_SUDDEN_FALL_POINTS` within two hours, or by more than
 * `maxPerDay` within a day. Drainage after a wetting event does not count, nor a fall while the soil
 * freezes, nor one of which the sensor has regained half. `newest` is its newest reading. Falls from
 * before `judgedFrom` do not count: the soil may drain from a wetting before the first point.
 */
export function suddenFall(
  { points, soilTemperature }: SensorHours,
  newest: number,
  maxPerDay: number,
  judgedFrom = (points[0]?.at ?? 0) + DRAINING_MS,
): SensorChange | null {
  if (!fallsByAtLeast(points, MIN_DAILY_FALL_POINTS)) return null;

  const { events } = wettingsOfCurve(points);
  const isInFrost = frostIn(soilTemperature);
  const limits = [
    { highestBefore: highestWithin(points, SUDDEN_MS), limit: MAX_SUDDEN_FALL_POINTS },
    { highestBefore: highestWithin(points, DAY_MS), limit: maxPerDay },
  ];
  const fallAt = (index: number, highestSince: number): SensorChange | null => {
    const { at, value } = itemAt(points, index);
    for (const { highestBefore, limit } of limits) {
      const highest = itemAt(highestBefore, index);
      if (highest === null || highest.at < judgedFrom || highest.value - value < limit) continue;
      const from = Math.min(highest.value, levelBeforeWetting(events, highest.at, at));
      const hasRegained = highestSince > (from + value) / 2;
      if (from - value >= limit && !hasRegained && !isInFrost(highest.at) && !isInFrost(at))
        return { from, since: at };
    }
    return null;
  };

  let highestSince = newest;
  let fall: SensorChange | null = null;
  for (let index = points.length - 1; index > 0; index--) {
    highestSince = Math.max(highestSince, itemAt(points, index).value);
    const found = fallAt(index, highestSince);
    // The points after a fall show it for a day.
    if (found === null && fall !== null) return fall;
    fall = found ?? fall;
  }
  return fall;
}

function fallsByAtLeast(points: readonly TimedValue[], height: number): boolean {
  let highest = Number.NEGATIVE_INFINITY;
  for (const { value } of points) {
    highest = Math.max(highest, value);
    if (highest - value >= height) return true;
  }
  return false;
}

/** For each point the highest of those before it within this time; null without one. */
function highestWithin(points: readonly TimedValue[], windowMs: number): (TimedValue | null)[] {
  const highest = WindowExtreme.highest(points);
  return points.map(({ at }, index) => {
    if (index > 0) highest.add(index - 1);
    const row = highest.since(0, at - windowMs);
    return row === null ? null : itemAt(points, row);
  });
}

/** The lowest value before the wetting events from which the soil may still drain. */
function levelBeforeWetting(wettings: readonly WettingEvent[], start: number, end: number): number {
  const draining = wettings.filter(
    ({ startAt, peakAt }) => startAt <= end && peakAt + DRAINING_MS >= start,
  );
  return Math.min(Number.POSITIVE_INFINITY, ...draining.map(({ from }) => from));
}

function frostIn(temperatures: readonly TimedValue[]): (at: number) => boolean {
  const frozen = temperatures.filter(({ value }) => isFrozen(value));
  return (at) => frozen.some((reading) => Math.abs(reading.at - at) <= TEMPERATURE_WITHIN_MS);
}

const NOISE_WINDOW_MS = 3 * DAY_MS;
const MIN_NOISE_SAMPLES = 24;
/** Points further apart show weather rather than noise. */
const MAX_NOISE_STEP_MS = 3 * HOUR_MS;

/**
 * The median distance in points of an hour from the mean of the hours beside it, in three days. Soil
 * changes slowly, so that it is at most 0.45 for 12 sensors of two sites, the daily swing of
 * temperature included.
 */
export const MAX_NOISE_POINTS = 1;

/** Null where there are too few hours to tell. */
export function noisePoints(points: readonly TimedValue[]): number | null {
  const newest = points.at(-1);
  if (newest === undefined) return null;

  const recent = points.filter(({ at }) => at >= newest.at - NOISE_WINDOW_MS);
  const distances: number[] = [];
  for (let index = 1; index + 1 < recent.length; index++) {
    const [before, point, after] = [index - 1, index, index + 1].map((row) => itemAt(recent, row));
    if (after!.at - before!.at <= 2 * MAX_NOISE_STEP_MS)
      distances.push(Math.abs(point!.value - (before!.value + after!.value) / 2));
  }
  return distances.length < MIN_NOISE_SAMPLES ? null : median(distances);
}

/** A depth that takes part in the balance of the profile. */
export interface DriftingDepth {
  readonly depthCm: number | null;
  readonly thicknessMm: number;
  /** In %; null without a soil layer. */
  readonly fieldCapacity: number | null;
  readonly hours: SensorHours;
}

/** A watering, whether or not a depth shows it. */
export interface AppliedWater {
  readonly startedAt: number;
  /** mm over the wetted part of the area; null if unknown. */
  readonly wettedMm: number | null;
}

/** After a wetting event, water moves from depth to depth for so long. */
const SETTLED_AFTER_MS = 2 * DAY_MS;
const MIN_DRIFT_MS = 5 * DAY_MS;
const MIN_DRIFT_POINTS = 3;
/** Within a texture class, field capacity differs by so much. */
const MAX_CAPACITY_ERROR_POINTS = 5;
/** The ends of a drift are means over a day, without its swing. */
const END_MS = DAY_MS;

/**
 * Since when a depth gains more water than was applied and drains from the others, while no depth
 * shows a wetting event; null for depths that do not. A small drip may wet one depth alone, and
 * slowly. Soil drains while it is wetter than field capacity. The deepest depth may rise with the
 * groundwater. A sensor that drifts down looks the same as roots that take up more.
 */
export function driftingSince(
  depths: readonly DriftingDepth[],
  waterings: readonly AppliedWater[],
): (SensorChange | null)[] {
  const newestAt = Math.max(...depths.map(({ hours }) => hours.points.at(-1)?.at ?? 0));
  const deepestCm = Math.max(...depths.map(({ depthCm }) => depthCm ?? 0));
  const settledAt = depths.map(settledSince);

  return depths.map((depth, index) => {
    const start = Math.max(
      ...settledAt.map(({ byWater, bySoaking }, other) => (other === index ? bySoaking : byWater)),
    );
    const { depthCm, thicknessMm, hours } = depth;
    if (depthCm === null || depthCm === deepestCm || newestAt - start < MIN_DRIFT_MS) return null;

    const change = changeSince(hours, start, newestAt);
    if (change === null || change.points < MIN_DRIFT_POINTS) return null;
    const drainedMm = depths.reduce(
      (sum, other) => sum + drainedFrom(other, changeSince(other.hours, start, newestAt)),
      0,
    );
    const gainedMm = (change.points / 100) * thicknessMm;
    const appliedMm = appliedSince(waterings, start - SETTLED_AFTER_MS);
    return gainedMm > drainedMm + appliedMm ? { from: change.from, since: start } : null;
  });
}

/** Infinite where a dose is unknown. */
const appliedSince = (waterings: readonly AppliedWater[], start: number): number =>
  waterings
    .filter(({ startedAt }) => startedAt >= start)
    .reduce((sum, { wettedMm }) => sum + (wettedMm ?? Number.POSITIVE_INFINITY), 0);

interface Change {
  readonly from: number;
  readonly points: number;
}

/** The loss of a depth, in mm, down to where soil still drains. */
function drainedFrom({ thicknessMm, fieldCapacity }: DriftingDepth, change: Change | null): number {
  if (change === null) return 0;
  const { from, points } = change;
  const drainsTo = fieldCapacity === null ? 0 : fieldCapacity - MAX_CAPACITY_ERROR_POINTS;
  return (Math.max(0, from - Math.max(from + points, drainsTo)) / 100) * thicknessMm;
}

/** Water reaches a sensor within hours; a drift takes days for a point. */
const MIN_SOAKING_POINTS_PER_MS = 1 / (12 * HOUR_MS);

/**
 * When the soil came to rest after the newest frost or wetting event; `bySoaking` counts only events
 * that a drift of the sensor itself cannot be.
 */
function settledSince({ hours: { points, soilTemperature } }: DriftingDepth) {
  const firstAt = points[0]?.at ?? Number.POSITIVE_INFINITY;
  const frozen = soilTemperature.filter(({ value }) => isFrozen(value));
  const { events } = wettingsOfCurve(points);
  const soaking = events.filter(
    (event) => riseHeight(event) >= MIN_SOAKING_POINTS_PER_MS * (event.peakAt - event.startAt),
  );
  const settled = (wettings: readonly WettingEvent[]): number =>
    Math.max(
      firstAt,
      ...wettings.map(({ peakAt }) => peakAt + SETTLED_AFTER_MS),
      ...frozen.map(({ at }) => at + SETTLED_AFTER_MS),
    );
  return { byWater: settled(events), bySoaking: settled(soaking) };
}

function changeSince({ points }: SensorHours, start: number, end: number): Change | null {
  const mean = (from: number, to: number): number | null => {
    const values = points.filter(({ at }) => at >= from && at <= to).map(({ value }) => value);
    return values.length === 0
      ? null
      : values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  const [before, after] = [mean(start, start + END_MS), mean(end - END_MS, end)];
  return before === null || after === null ? null : { from: before, points: after - before };
}

/** From the last point that is at least so high on; null without one. */
export function sinceReaching(
  points: readonly TimedValue[],
  value: number,
): readonly TimedValue[] | null {
  const reached = points.findLastIndex((point) => point.value >= value);
  return reached < 0 ? null : points.slice(reached);
}
